import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/** Characters of the key in a shop's address: 132 bits in base64url. */
const LENGTH = 22

/**
 * Functions that make and check the secret part of a demo shop's URL, one for each organization; it is the same at
 * each replica and after a restart.
 */
export type ShopKeys = { keyOf(organizationId: string): string; isKey(organizationId: string, key: string): boolean }

/**
 * Creates the functions that derive and check the secret part of each demo shop's URL, by a private key of the
 * installation: who does not know an address cannot make it up.
 */
export const createShopKeys = (privateKey: KeyObject): ShopKeys => {
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' })
  const keyOf = (organizationId: string): string =>
    createHmac('sha256', secret).update(`shop of ${organizationId}`).digest('base64url').slice(0, LENGTH)
  return {
    keyOf,
    isKey: (organizationId, key) =>
      key.length === LENGTH && timingSafeEqual(Buffer.from(keyOf(organizationId)), Buffer.from(key.padEnd(LENGTH))),
  }
}

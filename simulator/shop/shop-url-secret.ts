import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/** Characters of the key in a shop's address: 132 bits in base64url. */
const LENGTH = 22

/**
 * Functions that make and check the secret part of a demo shop's URL, one for each organization; it is the same at
 * each replica and after a restart.
 */
export type ShopKeys = {
  keyOf(organizationId: string): Promise<string>
  isKey(organizationId: string, key: string): Promise<boolean>
}

/**
 * Creates the functions that derive and check the secret part of each demo shop's URL, by a private key of the
 * installation: who does not know an address cannot make it up. `stateOf` gives what an organization was created with, so
 * that no address outlives it under the same id.
 */
export const createShopKeys = (
  privateKey: KeyObject,
  stateOf: (organizationId: string) => Promise<string>,
): ShopKeys => {
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' })
  const keyOf = async (organizationId: string): Promise<string> => {
    const whose = `shop of ${organizationId} ${await stateOf(organizationId)}`.trimEnd() // old organizations have none
    return createHmac('sha256', secret).update(whose).digest('base64url').slice(0, LENGTH)
  }
  return {
    keyOf,
    isKey: async (organizationId, key) => {
      const [wanted, shown] = [Buffer.from(await keyOf(organizationId)), Buffer.from(key)]
      return wanted.length === shown.length && timingSafeEqual(wanted, shown)
    },
  }
}

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/** Characters of the key in a shop's address: 132 bits in base64url. */
const LENGTH = 22

/**
 * Functions that make and check the secret part of a demo shop's URL, one for each organization, and the proof by which a
 * browser is a payer there: the API and its journal see the payer's id. They are the same at each replica and after a
 * restart.
 */
export type ShopKeys = {
  keyOf(organizationId: string): Promise<string>
  isKey(organizationId: string, key: string): Promise<boolean>
  payerProofOf(organizationId: string, payerId: string): Promise<string>
  isPayer(organizationId: string, payer: { payerId: string; proof: string }): Promise<boolean>
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
  const derive = async (what: string, organizationId: string): Promise<string> => {
    const whose = `${what} of ${organizationId} ${await stateOf(organizationId)}`.trimEnd() // old organizations have none
    return createHmac('sha256', secret).update(whose).digest('base64url').slice(0, LENGTH)
  }
  const keyOf = (organizationId: string) => derive('shop', organizationId)
  const payerProofOf = (organizationId: string, payerId: string) => derive(payerId, organizationId)
  return {
    keyOf,
    isKey: async (organizationId, key) => isSame(await keyOf(organizationId), key),
    payerProofOf,
    isPayer: async (organizationId, { payerId, proof }) => isSame(await payerProofOf(organizationId, payerId), proof),
  }
}

const isSame = (wanted: string, shown: string): boolean => {
  const [one, other] = [Buffer.from(wanted), Buffer.from(shown)]
  return one.length === other.length && timingSafeEqual(one, other)
}

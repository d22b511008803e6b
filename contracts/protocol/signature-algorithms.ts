import type { KeyObject } from 'node:crypto'

/**
 * The signing algorithms of clause 5.2. The hash belongs to the curve: a signature made with
 * another hash never verifies.
 */
// biome-ignore format: a table reads by its columns
export const ALGORITHMS = [
  { name: 'ECDSA_SHA_256', curve: 'P-256', nodeCurve: 'prime256v1', hash: 'sha256', jwa: 'ES256', rfc9421: 'ecdsa-p256-sha256', coordinateBytes: 32 },
  { name: 'ECDSA_SHA_384', curve: 'P-384', nodeCurve: 'secp384r1',  hash: 'sha384', jwa: 'ES384', rfc9421: 'ecdsa-p384-sha384', coordinateBytes: 48 },
  { name: 'ECDSA_SHA_512', curve: 'P-521', nodeCurve: 'secp521r1',  hash: 'sha512', jwa: 'ES512', rfc9421: undefined,           coordinateBytes: 66 },
] as const

/** A row of ALGORITHMS, the table of signature algorithms of clause 5.2. */
export type Algorithm = (typeof ALGORITHMS)[number]
export type AlgorithmName = Algorithm['name']
export type Curve = Algorithm['curve']

/** Returns the signature algorithm with this name; throws on one that is not in clause 5.2. */
export const algorithmNamed = (name: string): Algorithm => {
  const found = ALGORITHMS.find(row => row.name === name)
  if (!found)
    throw new Error(`Unknown signing algorithm ${name}: use one of ${ALGORITHMS.map(row => row.name).join(', ')}.`)
  return found
}

/** Returns the signature algorithm of an EC key, by its curve; undefined for any other key. */
export const algorithmOfKey = (key: KeyObject): Algorithm | undefined =>
  ALGORITHMS.find(row => row.nodeCurve === key.asymmetricKeyDetails?.namedCurve)

import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto'
import { ALGORITHMS, type Algorithm, algorithmOfKey } from '../../contracts/protocol/signature-algorithms.ts'
import { invalidInput, parseOrRefuse, privateKeyError } from './key-and-certificate-input-errors.ts'
import { readPem } from './read-pem.ts'

const CURVES = ALGORITHMS.map(({ curve }) => curve).join(', ')
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']
const SMALLEST_RSA = 2048

/** Reads a public signing key, PEM or JWK (5.2); only EC keys on the curves of the three algorithms are accepted. */
export const readPublicSigningKey = (given: unknown): { algorithm: Algorithm; publicKey: string } =>
  parseOrRefuse(`publicKey cannot be read: give the PEM or JWK of an EC public key on one of ${CURVES}`, () => {
    const jwk = typeof given === 'string' ? jwkIn(given) : given
    const key = jwk === undefined ? readSpki(readPem(String(given), 'publicKey', 'PUBLIC KEY')) : readJwk(jwk)
    const algorithm = algorithmOfKey(key)
    if (!algorithm)
      throw invalidInput(`publicKey is of the kind ${kindOf(key)}: give an EC key on one of ${CURVES} (5.2)`)
    return { algorithm, publicKey: toCanonicalPem(key) }
  })

/** Converts the public key of a certificate or CSR to canonical PEM; refuses weak keys and other kinds (5.1). */
export const toCertifiedKeyPem = (key: KeyObject, member: string): string => {
  const isGood =
    key.asymmetricKeyType === 'rsa'
      ? (key.asymmetricKeyDetails?.modulusLength ?? 0) >= SMALLEST_RSA
      : algorithmOfKey(key) !== undefined
  if (isGood) return toCanonicalPem(key)
  throw invalidInput(
    `${member} is for a key of the kind ${kindOf(key)}: use EC on ${CURVES}, or RSA of ${SMALLEST_RSA} bits`,
  )
}

/** Converts a public key to canonical PEM (SPKI): the same text however its EC point or JWK was encoded. */
const toCanonicalPem = (key: KeyObject): string => {
  const plain =
    key.asymmetricKeyType === 'ec' ? createPublicKey({ key: key.export({ format: 'jwk' }), format: 'jwk' }) : key
  return plain.export({ type: 'spki', format: 'pem' }).toString()
}

const jwkIn = (text: string): unknown => {
  if (!text.trimStart().startsWith('{')) return undefined
  return parseOrRefuse('publicKey begins like a JWK and is not JSON: send it whole, or give PEM', () =>
    JSON.parse(text),
  )
}

const readJwk = (jwk: unknown): KeyObject => {
  if (jwk === null || typeof jwk !== 'object' || Array.isArray(jwk))
    throw invalidInput('publicKey must be a PEM text or a JWK object')
  if (SECRET_MEMBERS.some(member => member in jwk)) throw privateKeyError('publicKey')
  if ('keys' in jwk) throw invalidInput('publicKey is a set of keys: give one of them')
  return createPublicKey({ key: jwk as JsonWebKeyInput['key'], format: 'jwk' })
}

const readSpki = (bytes: Buffer): KeyObject => createPublicKey({ key: bytes, format: 'der', type: 'spki' })

const kindOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string => {
  const { namedCurve, modulusLength } = asymmetricKeyDetails ?? {}
  return [asymmetricKeyType, namedCurve ?? modulusLength].filter(part => part !== undefined).join(' ')
}

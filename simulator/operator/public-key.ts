import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { ALGORITHMS, type Algorithm, algorithmOfKey } from '../../contracts/protocol/algorithms.ts'
import { invalid, privateKeySent, readPem, understood } from './pem.ts'

const CURVES = ALGORITHMS.map(({ curve }) => curve).join(', ')
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']
const SMALLEST_RSA = 2048

/** Reads the public half of a signing key, PEM or JWK (5.2); only the curves of the three algorithms will do. */
export const readSigningKey = (given: unknown): { algorithm: Algorithm; publicKey: string } =>
  understood(`publicKey cannot be read: give the PEM or JWK of an EC public key on one of ${CURVES}`, () => {
    const jwk = typeof given === 'string' ? jwkIn(given) : given
    const key = jwk === undefined ? readSpki(readPem(String(given), 'publicKey', 'PUBLIC KEY')) : readJwk(jwk)
    const algorithm = algorithmOfKey(key)
    if (!algorithm) throw invalid(`publicKey is of the kind ${kindOf(key)}: give an EC key on one of ${CURVES} (5.2)`)
    return { algorithm, publicKey: spelled(key) }
  })

/** The key of a certificate or of a request for one, spelled the one way; what is weak or odd is refused (5.1). */
export const readCertifiedKey = (key: KeyObject, member: string): string => {
  const isGood =
    key.asymmetricKeyType === 'rsa'
      ? (key.asymmetricKeyDetails?.modulusLength ?? 0) >= SMALLEST_RSA
      : algorithmOfKey(key) !== undefined
  if (isGood) return spelled(key)
  throw invalid(
    `${member} is for a key of the kind ${kindOf(key)}: use EC on ${CURVES}, or RSA of ${SMALLEST_RSA} bits`,
  )
}

/** One text for one key: an EC point may come compressed, a JWK has its members in any order. */
const spelled = (key: KeyObject): string => {
  const plain =
    key.asymmetricKeyType === 'ec' ? createPublicKey({ key: key.export({ format: 'jwk' }), format: 'jwk' }) : key
  return plain.export({ type: 'spki', format: 'pem' }).toString()
}

const jwkIn = (text: string): unknown => {
  if (!text.trimStart().startsWith('{')) return undefined
  return understood('publicKey begins like a JWK and is not JSON: send it whole, or give PEM', () => JSON.parse(text))
}

const readJwk = (jwk: unknown): KeyObject => {
  if (jwk === null || typeof jwk !== 'object' || Array.isArray(jwk))
    throw invalid('publicKey must be a PEM text or a JWK object')
  if (SECRET_MEMBERS.some(member => member in jwk)) throw privateKeySent('publicKey')
  if ('keys' in jwk) throw invalid('publicKey is a set of keys: give one of them')
  return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
}

const readSpki = (bytes: Buffer): KeyObject => createPublicKey({ key: bytes, format: 'der', type: 'spki' })

const kindOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string => {
  const { namedCurve, modulusLength } = asymmetricKeyDetails ?? {}
  return [asymmetricKeyType, namedCurve ?? modulusLength].filter(part => part !== undefined).join(' ')
}

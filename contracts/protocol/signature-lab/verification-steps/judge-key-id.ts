import { createHash, type KeyObject } from 'node:crypto'
import type { CandidateKey } from '../search-signed-base.ts'
import { type DetectedCause, detectedCause } from '../signature-error-causes.ts'

/** Judges `keyid` for the signature lab: whether it names an active signing key of the organization. */
export const judgeKeyId = (
  keyId: string | undefined,
  keys: readonly CandidateKey[],
  clientIds: readonly string[],
): DetectedCause | undefined => {
  if (keyId === undefined || keyId === '') return undefined // the parameters say so
  const signing = keys.filter(({ use }) => use === 'signing')
  const own = signing.find(({ name }) => name === keyId)
  if (own?.state !== undefined)
    return detectedCause(own.state === 'expired' ? 'key-expired' : 'key-deregistered', { keyid: keyId })
  if (own || signing.some(({ name }) => name === undefined)) return undefined
  if (clientIds.includes(keyId)) return detectedCause('keyid-client')
  if (/BEGIN |^MF[kY]|^MHYw|^MIGb/.test(keyId)) return detectedCause('keyid-pem')
  const near = signing.find(({ name = '' }) => plain(name) === plain(keyId))
  if (near) return detectedCause('keyid-nearly', { name: near.name ?? '' })
  const print = signing.find(({ publicKey }) => thumbprintsOf(publicKey).some(text => plain(text) === plain(keyId)))
  if (print) return detectedCause('keyid-thumbprint', { name: print.name ?? '' })
  return detectedCause('keyid-unknown', { keyid: keyId })
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Returns the fingerprints of a public key: digests of its SPKI and PEM, and its JWK thumbprint (RFC 7638). */
const thumbprintsOf = (key: KeyObject): string[] => {
  const { crv, kty, x, y } = key.export({ format: 'jwk' })
  const spki = key.export({ type: 'spki', format: 'der' })
  const pem = key.export({ type: 'spki', format: 'pem' })
  const hashes = [spki, pem, JSON.stringify({ crv, kty, x, y })].flatMap(text =>
    ['sha256', 'sha1'].map(name => createHash(name).update(text).digest()),
  )
  return hashes.flatMap(bytes => [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')])
}

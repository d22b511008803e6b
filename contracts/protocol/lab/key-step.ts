import { createHash, type KeyObject } from 'node:crypto'
import { type Finding, finding } from './causes.ts'
import type { Candidate } from './search.ts'

/** What is wrong with the key id: whether it names a key of the organization that may sign. */
export const keyFinding = (
  keyId: string | undefined,
  keys: readonly Candidate[],
  clientIds: readonly string[],
): Finding | undefined => {
  if (keyId === undefined || keyId === '') return undefined // the parameters say so
  const signing = keys.filter(({ use }) => use === 'signing')
  const own = signing.find(({ name }) => name === keyId)
  if (own?.state !== undefined)
    return finding(own.state === 'expired' ? 'key-expired' : 'key-deregistered', { keyid: keyId })
  if (own || signing.some(({ name }) => name === undefined)) return undefined
  if (clientIds.includes(keyId)) return finding('keyid-client')
  if (/BEGIN |^MF[kY]|^MHYw|^MIGb/.test(keyId)) return finding('keyid-pem')
  const near = signing.find(({ name = '' }) => plain(name) === plain(keyId))
  if (near) return finding('keyid-nearly', { name: near.name ?? '' })
  const print = signing.find(({ publicKey }) => thumbprintsOf(publicKey).some(text => plain(text) === plain(keyId)))
  if (print) return finding('keyid-thumbprint', { name: print.name ?? '' })
  return finding('keyid-unknown', { keyid: keyId })
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** The ways in which keys are named after themselves: digests of the SPKI, the PEM, and the JWK thumbprint (RFC 7638). */
const thumbprintsOf = (key: KeyObject): string[] => {
  const { crv, kty, x, y } = key.export({ format: 'jwk' })
  const spki = key.export({ type: 'spki', format: 'der' })
  const pem = key.export({ type: 'spki', format: 'pem' })
  const hashes = [spki, pem, JSON.stringify({ crv, kty, x, y })].flatMap(text =>
    ['sha256', 'sha1'].map(name => createHash(name).update(text).digest()),
  )
  return hashes.flatMap(bytes => [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')])
}

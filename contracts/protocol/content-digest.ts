import { hash } from 'node:crypto'
import { bytesOf, isCanonicalByteSequence, readDictionary, UnreadableField } from './structured-field.ts'

/** Digest algorithms accepted in `Content-Digest` (5.2). */
// biome-ignore format: a table reads by its columns
export const DIGEST_ALGORITHMS = [
  { name: 'sha-256', hash: 'sha256' },
  { name: 'sha-384', hash: 'sha384' },
  { name: 'sha-512', hash: 'sha512' },
] as const

export type DigestName = (typeof DIGEST_ALGORITHMS)[number]['name']

/** Computes a Content-Digest value such as `sha-256=:…:` over the exact bytes of a body (5.2, RFC 9530). */
export const contentDigest = (body: Uint8Array, name: DigestName = 'sha-256'): string => {
  const row = DIGEST_ALGORITHMS.find(digest => digest.name === name)
  if (!row)
    throw new Error(`Unknown digest ${name}: use one of ${DIGEST_ALGORITHMS.map(digest => digest.name).join(', ')}.`)
  return `${name}=:${hash(row.hash, body, 'base64')}:`
}

/**
 * Verifies a Content-Digest against a body; returns the error as a sentence, or undefined. Every accepted digest must
 * match, `wanted` be there.
 */
export const describeDigestError = (header: string, body: Uint8Array, wanted?: DigestName): string | undefined => {
  if (wanted !== undefined && !header.toLowerCase().includes(`${wanted}=`)) return `Content-Digest holds no ${wanted}`
  if (header.startsWith('sha-256=') && header === contentDigest(body)) return undefined // fast path: the usual form
  const accepted = DIGEST_ALGORITHMS.map(digest => digest.name).join(', ')
  try {
    const dictionary = readDictionary('Content-Digest', header)
    const known = DIGEST_ALGORITHMS.filter(digest => dictionary.has(digest.name))
    if (known.length === 0) return `Content-Digest holds none of ${accepted}`
    for (const digest of known) {
      const claimed = bytesOf(dictionary.get(digest.name)?.[0])
      if (!claimed || !isCanonicalByteSequence(header, digest.name, claimed))
        return `Content-Digest ${digest.name} is not a byte sequence of the form ${digest.name}=:BASE64:`
      if (claimed.toString('base64') !== hash(digest.hash, body, 'base64'))
        return `Content-Digest ${digest.name} does not match the body: expected ${contentDigest(body, digest.name)}`
    }
  } catch (error) {
    if (error instanceof UnreadableField) return error.message
    throw error
  }
}

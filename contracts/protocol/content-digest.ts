import { hash } from 'node:crypto'
import { bytesOf, isCanonicalByteSequence, readDictionary, UnreadableField } from './structured-field.ts'

/** Digest algorithms that clause 5.2 accepts in `Content-Digest`. */
// biome-ignore format: a table reads by its columns
export const DIGESTS = [
  { name: 'sha-256', hash: 'sha256' },
  { name: 'sha-384', hash: 'sha384' },
  { name: 'sha-512', hash: 'sha512' },
] as const

export type DigestName = (typeof DIGESTS)[number]['name']

/** `sha-256=:…:` over the exact bytes of a body (5.2, RFC 9530). */
export const contentDigest = (body: Uint8Array, name: DigestName = 'sha-256'): string => {
  const row = DIGESTS.find(digest => digest.name === name)
  if (!row) throw new Error(`Unknown digest ${name}: use one of ${DIGESTS.map(digest => digest.name).join(', ')}.`)
  return `${name}=:${hash(row.hash, body, 'base64')}:`
}

/** Tells what is wrong with a `Content-Digest` for this body, or undefined. Every accepted digest present must match. */
export const contentDigestFault = (header: string, body: Uint8Array): string | undefined => {
  if (header.startsWith('sha-256=') && header === contentDigest(body)) return undefined // spelled as by nearly all
  const accepted = DIGESTS.map(digest => digest.name).join(', ')
  try {
    const dictionary = readDictionary('Content-Digest', header)
    const known = DIGESTS.filter(digest => dictionary.has(digest.name))
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

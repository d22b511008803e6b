import { type Dictionary, parseDictionary } from 'structured-headers'

/** Thrown where a header is not what RFC 8941 and the dialect of clause 5.2 allow; the message names header and fault. */
export class UnreadableField extends Error {}

/**
 * Reads a dictionary header and refuses duplicate labels, which a plain RFC 8941 parser
 * would settle silently in favour of the last.
 */
export const readDictionary = (header: string, text: string): Dictionary => {
  let dictionary: Dictionary
  try {
    dictionary = parseDictionary(text)
  } catch {
    throw new UnreadableField(`${header} is not a structured-field dictionary`)
  }
  if (countMembers(text) !== dictionary.size) throw new UnreadableField(`${header} uses one label twice`)
  return dictionary
}

/** Commas outside quoted strings separate the members of a dictionary. */
const countMembers = (text: string): number => {
  const unquoted = text.replace(/"(?:[^"\\]|\\.)*"?/g, '""')
  return unquoted.trim() === '' ? 0 : unquoted.split(',').length
}

/** The bytes of a structured-field byte sequence, or undefined for any other kind of item. */
export const bytesOf = (item: unknown): Buffer | undefined =>
  item instanceof ArrayBuffer ? Buffer.from(item) : undefined

/** Base64 in its only canonical spelling: a byte sequence with surplus padding or stray bits is refused. */
export const isCanonicalByteSequence = (header: string, label: string, bytes: Buffer): boolean =>
  header.includes(`${label}=:${bytes.toString('base64')}:`)

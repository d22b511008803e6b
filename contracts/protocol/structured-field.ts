import { type Dictionary, parseDictionary } from 'structured-headers'

/** Error of a header that violates RFC 8941 or clause 5.2; the message names the header and the error. */
export class UnreadableField extends Error {}

/**
 * Parses an RFC 8941 dictionary header; throws UnreadableField, also for duplicate labels, of which others would keep
 * the last.
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

/** Counts the members of a dictionary: they are separated by commas outside quoted strings. */
const countMembers = (text: string): number => {
  const unquoted = text.replace(/"(?:[^"\\]|\\.)*"?/g, '""')
  return unquoted.trim() === '' ? 0 : unquoted.split(',').length
}

/** Returns the bytes of a structured-field byte sequence, or undefined for any other kind of item. */
export const bytesOf = (item: unknown): Buffer | undefined =>
  item instanceof ArrayBuffer ? Buffer.from(item) : undefined

/** Whether a header holds these bytes in canonical Base64, without surplus padding or stray bits. */
export const isCanonicalByteSequence = (header: string, label: string, bytes: Buffer): boolean =>
  header.includes(`${label}=:${bytes.toString('base64')}:`)

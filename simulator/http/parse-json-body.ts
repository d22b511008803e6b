import { isTooDeep, TOO_DEEP } from '../support/json-depth.ts'
import { Refusal } from '../support/refusal.ts'
import { truncate } from '../support/untrusted-text.ts'
import { findRepeatedMember } from './repeated-json-member.ts'

/** Parses a request body as a JSON object; refuses anything else, JSON nested too deeply, and a member that comes twice (7.1: 400). */
export const parseJsonBody = (
  body: Buffer,
  contentType: string | undefined,
  parse: (text: string) => unknown = JSON.parse,
): object => {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? ''))
    throw new Refusal('MEDIA_TYPE_REFUSED', 'validation', 'Content-Type must be application/json.')
  if (body.length === 0) throw invalid('The body is empty: send a JSON object.')
  const { text, value } = decode(body, parse)
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw invalid('The body must be a JSON object.')
  const repeated = findRepeatedMember(text)
  if (repeated !== undefined)
    throw invalid(`The body has the member ${truncate(repeated)} twice in one object: send it once.`)
  return value
}

const invalid = (message: string): Refusal => new Refusal('INVALID_INPUT', 'validation', message)

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

const decode = (body: Buffer, parse: (text: string) => unknown): { text: string; value: unknown } => {
  try {
    const text = UTF_8.decode(body)
    if (isTooDeep(text)) throw invalid(TOO_DEEP)
    return { text, value: parse(text) }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw invalid(error instanceof SyntaxError ? `The body is not JSON: ${error.message}.` : 'The body is not UTF-8.')
  }
}

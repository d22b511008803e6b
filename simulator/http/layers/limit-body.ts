import { Refusal } from '../../refusal.ts'
import type { Layer } from '../call.ts'

/** Headers that mean one thing only: sent twice, nobody knows which one was signed or meant. */
const SINGLE = [
  'authorization',
  'client-cert',
  'content-digest',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'service-version',
  'signature',
  'signature-input',
]
const BITS = new Map(SINGLE.map((name, at) => [name, 1 << at]))

/** Characters of a path with its query (D-67). */
const LONGEST_TARGET = 8_192

/** Refuses what could be read in two ways, or not at all: repeated headers, a body of unknown or excessive length (7.1: 413). */
export const limitBody =
  (limit: number): Layer =>
  ({ incoming }) => {
    if (incoming.bodyTooLarge) throw new Refusal('BODY_TOO_LARGE', 'body', `The body is larger than ${limit} bytes.`)
    if (!incoming.headers.host || !incoming.url?.startsWith('/'))
      throw new Refusal('INVALID_INPUT', 'http', 'Send a Host header, and a path with its query as the request target.')
    if (incoming.url.length > LONGEST_TARGET)
      throw new Refusal('INVALID_INPUT', 'http', `The path with its query is longer than ${LONGEST_TARGET} characters.`)
    const twice = repeated(incoming.rawHeaders)
    if (twice) throw new Refusal('INVALID_INPUT', 'http', `The header ${twice} stands more than once: send it once.`)
    if (incoming.headers['transfer-encoding'] !== undefined)
      throw new Refusal(
        'DIGEST_REFUSED',
        'body',
        'Content-Length is missing: send the body with its length, not in chunks (5.2).',
      )
  }

/** The first of them that stands twice, among names and values in turns. */
const repeated = (rawHeaders: readonly string[]): string | undefined => {
  let seen = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    const bit = BITS.get(name) ?? 0
    if (seen & bit) return name
    seen |= bit
  }
}

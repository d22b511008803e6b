import { Refusal } from '../../support/refusal.ts'
import { truncate } from '../../support/untrusted-text.ts'
import type { ApiCall, RequestLayer } from '../api-call.ts'

/** Headers that may occur once, beside those of the content: of two, it is unknown which one was signed or meant. */
const SINGLE_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'client-cert',
  'host',
  'service-version',
  'signature',
  'signature-input',
])

const isSingle = (name: string): boolean => SINGLE_HEADERS.has(name) || name.startsWith('content-') // D-61

/** Limit of the request target (path with query), in characters (D-67). */
const MAX_TARGET_LENGTH = 8_192

/**
 * Creates the layer that refuses ambiguous or large requests: header repeated, no Content-Length, long target or body
 * (7.1).
 */
export const checkRequestSizeAndHeaders =
  (limit: number): RequestLayer<ApiCall> =>
  ({ incoming }) => {
    if (incoming.bodyTooLarge) throw new Refusal('BODY_TOO_LARGE', 'body', `The body is larger than ${limit} bytes.`)
    if (!incoming.headers.host || !incoming.url?.startsWith('/'))
      throw new Refusal('INVALID_INPUT', 'http', 'Send a Host header, and a path with its query as the request target.')
    if (incoming.url.length > MAX_TARGET_LENGTH)
      throw new Refusal(
        'INVALID_INPUT',
        'http',
        `The path with its query is longer than ${MAX_TARGET_LENGTH} characters.`,
      )
    const twice = repeated(incoming.rawHeaders)
    if (twice) throw new Refusal('INVALID_INPUT', 'http', `The header ${twice} is sent more than once: send it once.`)
    if (incoming.headers['transfer-encoding'] !== undefined)
      throw new Refusal(
        'LENGTH_MISSING',
        'body',
        'Content-Length is missing: send the body with its length, not in chunks (5.2).',
      )
    const { 'content-encoding': coding = 'identity' } = incoming.headers
    if (coding !== 'identity')
      throw new Refusal(
        'MEDIA_TYPE_REFUSED',
        'body',
        `Content-Encoding is ${truncate(coding)}: send the body as it is, without Content-Encoding.`,
      )
  }

/** Finds the first header that may occur once but occurs twice; `rawHeaders` alternates names and values. */
const repeated = (rawHeaders: readonly string[]): string | undefined => {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map(name => name.toLowerCase())
  return names.find((name, at) => isSingle(name) && names.indexOf(name) < at)
}

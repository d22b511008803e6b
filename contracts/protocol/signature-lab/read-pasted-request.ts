import { tryParseJson } from '../try-parse-json.ts'
import type { LabRequest } from './lab-request.ts'
import { readCurlCommand, readCurlOutput } from './read-curl-request.ts'
import { readHttp } from './read-http-request.ts'
import { readJson } from './read-json-request.ts'

/** Reasons why a pasted text is not a request, each with its correction. */
export const PASTE_PROBLEMS = {
  empty: 'Nothing was pasted: paste the request as it went out, its head, an empty line and its body.',
  json: 'This JSON is no request: paste a call of the journal, an entry of a HAR file, or method, url, headers and body.',
  brokenJson: 'This begins like JSON and is not: copy it whole.',
  curl: 'This curl command names no address: copy it whole, with its http:// or https:// address.',
  noRequestLine:
    'There is no request line: begin with one such as POST /payments/capture HTTP/1.1, then headers, an empty line and the body.',
  tooLong: 'This is longer than a request of the API can be: paste one call.',
} as const

type PasteProblem = keyof typeof PASTE_PROBLEMS

const LONGEST = 4 * 1024 * 1024

/**
 * Reads a request pasted into the signature lab: raw HTTP, `curl -v` output, a curl command, a HAR entry, or a journal
 * call.
 */
export const readRequest = (pasted: string | Uint8Array): { request: LabRequest } | { problem: PasteProblem } => {
  const bytes = typeof pasted === 'string' ? Buffer.from(pasted) : Buffer.from(pasted)
  if (bytes.length > LONGEST) return { problem: 'tooLong' }
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim()
  if (text === '') return { problem: 'empty' }
  if (/^[{[]/.test(text)) {
    const value = tryParseJson(text)
    const request = value === undefined ? undefined : readNested(value)
    return request ? { request } : { problem: value === undefined ? 'brokenJson' : 'json' }
  }
  const request = /^> ?[A-Z]+ \S+/m.test(text) ? readCurlOutput(text) : readHttpOrCurl(bytes, text)
  return request ? { request } : { problem: /^\W*curl\s/.test(text) ? 'curl' : 'noRequestLine' }
}

/** Reads a request from JSON; undefined also where it is nested too deeply for the stack. */
const readNested = (value: unknown): LabRequest | undefined => {
  try {
    return readJson(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const readHttpOrCurl = (bytes: Buffer, text: string): LabRequest | undefined =>
  /^\W*curl\s/.test(text) ? readCurlCommand(text) : readHttp(bytes)

/** Reads a signature base given as its bytes or as a JSON string. */
export const readBase = (shown: Uint8Array): Buffer => {
  const text = Buffer.from(shown).toString('utf8').trim()
  const value = text.startsWith('"') && text.endsWith('"') ? tryParseJson(text) : undefined
  return typeof value === 'string' ? Buffer.from(value) : Buffer.from(shown)
}

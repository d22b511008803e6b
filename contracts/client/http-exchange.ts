import type { OperationName } from '../operations.ts'
import { isNestedTooDeep } from '../protocol/json-nesting.ts'
import { parseJson } from '../protocol/parse-json-keeping-big-integers.ts'

/** One request and its response, or the transport error that occurred in its place. */
export type Exchange = {
  request: WireRequest
  response?: WireResponse
  transportError?: TransportError
  /** The negotiated TLS version, such as `TLSv1.3`. */
  tls?: string
  /** The time at which the request was sent, ISO 8601. */
  at?: string
  durationMs: number
}

/** An HTTP request as sent; header names are lower case. */
export type WireRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body?: Uint8Array
  /** Length of the body, where only its beginning is kept. */
  cutFrom?: number
  /** The endpoint that was called, whatever its address; absent for calls outside the description. */
  endpoint?: OperationName
  /** Whether the client makes this call by itself, for a token or keys that it keeps. */
  forCache?: true
  /** Whether the call removes what a run left behind; it is made after a stop, too. */
  forCleanup?: true
  /** Names of secret body members in the dialect of this deployment. */
  secretMembers?: readonly string[]
}
/** An HTTP response as received; header names are lower case. */
export type WireResponse = {
  status: number
  headers: Record<string, string>
  body: Buffer
  /** Length of the body, where only its beginning is kept. */
  cutFrom?: number
}
/** An error of TCP or TLS in place of a response; `code` is that of Node or OpenSSL, such as ECONNREFUSED. */
export type TransportError = { code: string; message: string }

/** Parses the JSON body of a response, integers beyond 2^53 as text; undefined where there is none, or it is nested too deep. */
export const responseJson = ({ response }: Exchange): unknown => jsonOf(response?.body)

/** Text that a header carries; RFC 6750 permits less. */
const CARRIED = /^[\x21-\x7e]+$/

/** Returns the access token in a response of the token endpoint (5.3); undefined where there is none that a header carries. */
export const accessTokenIn = (exchange: Exchange): string | undefined => {
  const { access_token } = (responseJson(exchange) ?? {}) as { access_token?: unknown }
  return typeof access_token === 'string' && CARRIED.test(access_token) ? access_token : undefined
}

/** Parses the JSON of a body; undefined where it is none, or too deep. */
export const jsonOf = (body: Uint8Array = new Uint8Array()): unknown => {
  try {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
    return isNestedTooDeep(text) ? undefined : parseJson(text)
  } catch {
    return undefined
  }
}

/** The content coding of a response, such as gzip, that is not read: requests ask for none (RFC 9110 12.5.3). */
export const unreadCoding = ({ headers }: WireResponse): string | undefined =>
  headers['content-encoding'] === 'identity' ? undefined : headers['content-encoding']

/** Whether an HTTP status is one of success (2xx). */
export const isSuccess = (status = 0): boolean => status >= 200 && status < 300

/** Whether an exchange has a response of success. */
export const isServed = ({ response }: Exchange): boolean => isSuccess(response?.status)

/** Describes an exchange in one line: `POST https://…/payments/capture → 422 in 4 ms`. */
export const describeExchange = ({ request, response, transportError, durationMs }: Exchange): string =>
  `${request.method} ${request.url} → ${response?.status ?? transportError?.code ?? 'nothing'} in ${Math.round(durationMs)} ms`

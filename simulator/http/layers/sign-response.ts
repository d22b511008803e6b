import type { MiddlewareHandler } from 'hono'
import { nameHeaders } from '../../../contracts/dialect/dialect.ts'
import { contentDigest } from '../../../contracts/protocol/content-digest.ts'
import { type SigningKey, type SigningOptions, signResponse } from '../../../contracts/protocol/sign-messages.ts'
import { UNTRUSTED_RESPONSE_FAULTS } from '../../../contracts/protocol/verify-response.ts'
import type { Reply } from '../../store/unit-of-work.ts'
import type { Clock } from '../../support/clock.ts'
import type { ApiCall, ApiEnvironment } from '../api-call.ts'
import { speakReply } from '../dialect-request-and-reply-translation.ts'
import { injectResponseFault, tamper } from '../inject-response-fault.ts'
import type { RecordCall } from '../record-call.ts'

/** What signs responses: the service's key, the form of its signatures, and the clock. */
export type ResponseSigning = { clock: Clock; key: SigningKey; dialect: Omit<SigningOptions, 'created'> }

/**
 * Creates the middleware that signs every response (5.4), refusals and unknown paths included, and has the call
 * recorded.
 */
export const signResponses =
  ({ recordCall, ...signing }: ResponseSigning & { recordCall: RecordCall }): MiddlewareHandler<ApiEnvironment> =>
  async (c, next) => {
    const call = c.get('call')
    await next()
    const response = await composeResponse(call, call.reply ?? { http: c.res.status, body: '' }, signing)
    const { status, headers, body } = response
    const sent = call.variety && !call.wire ? call.variety().headers(headers) : headers
    recordCall(call, response)
    c.res = undefined
    c.res = call.wire
      ? await injectResponseFault(call.wire, { status, headers, body: spoiltBody(call, body) }, c.env)
      : new Response(body === '' ? null : body, {
          status,
          headers: call.incoming.bodyTooLarge ? { ...sent, connection: 'close' } : sent,
        })
  }

/** Composes the response to a call: its reply in the dialect of the organization, and its headers with the signature (5.4). */
export const composeResponse = async (
  call: ApiCall,
  reply: Reply,
  { clock, key, dialect }: ResponseSigning,
): Promise<{ status: number; headers: Record<string, string>; body: string }> => {
  const { http, body: full, contentType } = speakReply(call, reply)
  const body = call.incoming.method === 'HEAD' || BODILESS.includes(http) ? '' : full
  const options = { ...dialect, ...call.dialect.lines.responses, created: Math.floor(clock.real() / 1000) }
  const headers = {
    ...(wantsSignature(call)
      ? await signResponseHeaders({ http, body, contentType }, key, options)
      : plainHeaders({ body, contentType })),
    ...(call.wire?.kind === 'missigned' ? await wrongSignature({ http, body, contentType }, key, options) : {}),
    ...(call.operation === 'keySet' && !call.refusal ? CACHED_FOR_A_DAY : {}),
    ...(full === '' && !BODILESS.includes(http) ? { 'content-length': '0' } : {}),
    ...retryAfter(call),
    ...disposition(call),
    ...call.responseHeaders,
    ...(call.replayed && call.dialect.choices['D-21'] === 'marked' ? { 'idempotency-replayed': 'true' } : {}),
  }
  return { status: http, headers: nameHeaders(call.dialect, headers), body }
}

/** Clients keep the key set for a day (D-28). */
const CACHED_FOR_A_DAY = { 'cache-control': 'public, max-age=86400' }

/** Statuses whose responses have neither a body nor a Content-Length (RFC 9110, 8.6). */
const BODILESS: readonly number[] = [204, 304]

/** The body to send: with the `tampered` fault that of another payment, under the signature of this one. */
const spoiltBody = (call: ApiCall, body: string): string =>
  call.wire?.kind === 'tampered' && call.reply && body !== ''
    ? speakReply(call, { ...call.reply, body: tamper(call.reply.body), document: undefined }).body
    : body

/**
 * Whether to sign the response: always, unless the signature layer is disabled; then only if the request is signed or
 * asks for it (RFC 9421, 5.1; D-70), or the injected fault needs a signature to be visible.
 */
const wantsSignature = ({ disabledLayers, wire, incoming: { headers } }: ApiCall): boolean =>
  !disabledLayers.includes('signature') ||
  'signature-input' in headers ||
  'accept-signature' in headers ||
  UNTRUSTED_RESPONSE_FAULTS.includes(wire?.kind ?? '')

const retryAfter = ({ refusal }: ApiCall): Record<string, string> =>
  refusal?.retryAfter === undefined ? {} : { 'retry-after': String(refusal.retryAfter) }

/** The header that names a file (RFC 6266), with a name that needs no escaping. */
const disposition = ({ reply }: ApiCall): Record<string, string> =>
  reply?.fileName === undefined
    ? {}
    : { 'content-disposition': `attachment; filename="${reply.fileName.replaceAll(/[^\w.-]/g, '_')}"` }

/** Creates a valid signature of another body, for the `missigned` fault (5.4). */
const wrongSignature = async (reply: Reply, key: SigningKey, options: SigningOptions): Promise<object> => {
  const { signature } = await signResponseHeaders({ ...reply, body: `${reply.body} ` }, key, options)
  return { signature }
}

/** Creates the content headers, Content-Digest and signature headers of a response. */
const signResponseHeaders = async (
  { http: status, body, contentType = 'application/json' }: Reply,
  key: SigningKey,
  options: SigningOptions,
): Promise<Record<string, string>> => {
  if (body === '') return signResponse({ status }, key, options)
  const bytes = Buffer.from(body)
  const content = {
    contentDigest: contentDigest(bytes, options.digest ?? 'sha-512'),
    contentType,
    contentLength: bytes.length,
  }
  return {
    ...plainHeaders({ body, contentType }),
    'content-digest': content.contentDigest,
    ...(await signResponse({ status, ...content }, key, options)),
  }
}

const plainHeaders = ({ body, contentType = 'application/json' }: Omit<Reply, 'http'>): Record<string, string> =>
  body === ''
    ? {}
    : {
        'content-type': contentType,
        'content-length': String(Buffer.byteLength(body)),
        'cache-control': 'no-store',
      }

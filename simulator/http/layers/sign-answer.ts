import type { MiddlewareHandler } from 'hono'
import { contentDigest } from '../../../contracts/protocol/content-digest.ts'
import { type SigningKey, type SigningOptions, signAnswer } from '../../../contracts/protocol/sign.ts'
import { UNTRUSTED } from '../../../contracts/protocol/untrusted.ts'
import { type Clock, isoTime } from '../../clock.ts'
import { journalBody, journalBytes, journalHeaders, journalText } from '../../journal/entry.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Diagnosis } from '../../refusal.ts'
import type { Reply } from '../../store/port.ts'
import type { ApiEnvironment, Call } from '../call.ts'
import { spoilAnswer } from '../spoil-answer.ts'

type Parts = { clock: Clock; journal: Journal; key: SigningKey; dialect: Omit<SigningOptions, 'created'> }

/** The outermost layer but the beginning: signs (5.4) and records every answer, refusals and unknown paths among them. */
export const signAnswers =
  ({ clock, journal, key, dialect }: Parts): MiddlewareHandler<ApiEnvironment> =>
  async (c, next) => {
    const call = c.get('call')
    const { incoming } = c.env
    await next()
    const { http, body: full, contentType }: Reply = call.reply ?? { http: c.res.status, body: '' }
    const body = incoming.method === 'HEAD' ? '' : full
    const options = { ...dialect, created: Math.floor(clock.real() / 1000) }
    const headers = {
      ...(wantsSignature(call)
        ? await signedHeaders({ http, body, contentType }, key, options)
        : plainHeaders({ body, contentType })),
      ...(call.wire?.kind === 'missigned' ? await wrongSignature({ http, body, contentType }, key, options) : {}),
      ...retryAfter(call),
      ...call.answerHeaders,
      ...(call.replayed ? { 'idempotency-replayed': 'true' } : {}),
    }
    const sent = call.variety && !call.wire ? call.variety().headers(headers) : headers
    journal.add(entryOf(call, clock, http, headers, body), call.body)
    c.res = undefined
    c.res = call.wire
      ? await spoilAnswer(call.wire, { status: http, headers, body }, c.env)
      : new Response(body === '' ? null : body, {
          status: http,
          headers: incoming.bodyTooLarge ? { ...sent, connection: 'close' } : sent,
        })
  }

/**
 * Where signatures are not called for, answers are in kind: signed for those who sign, or ask for it (RFC 9421, 5.1; D-70).
 * Faults that only a signature shows have one to show them.
 */
const wantsSignature = ({ off, wire, incoming: { headers } }: Call): boolean =>
  !off.includes('signature') ||
  'signature-input' in headers ||
  'accept-signature' in headers ||
  UNTRUSTED.includes(wire?.kind ?? '')

const retryAfter = ({ refusal }: Call): Record<string, string> =>
  refusal?.retryAfter === undefined ? {} : { 'retry-after': String(refusal.retryAfter) }

/** A good signature of another body: what the fault of that name answers with (5.4). */
const wrongSignature = async (reply: Reply, key: SigningKey, options: SigningOptions): Promise<object> => {
  const { signature } = await signedHeaders({ ...reply, body: `${reply.body} ` }, key, options)
  return { signature }
}

/** Every header of an answer that its signature covers, and the signature. */
export const signedHeaders = async (
  { http: status, body, contentType = 'application/json' }: Reply,
  key: SigningKey,
  options: SigningOptions,
): Promise<Record<string, string>> => {
  if (body === '') return signAnswer({ status }, key, options)
  const bytes = Buffer.from(body)
  const content = {
    contentDigest: contentDigest(bytes, 'sha-512'),
    contentType,
    contentLength: bytes.length,
  }
  return {
    ...plainHeaders({ body, contentType }),
    'content-digest': content.contentDigest,
    ...(await signAnswer({ status, ...content }, key, options)),
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

/** What was expected repeats what was sent. */
const journalTexts = (texts: Diagnosis = {}): Diagnosis =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, journalText(text)]))

/** When the call came in, on the organization's clock. */
const beganAt = ({ elapsed }: Call, organizationId: string, clock: Clock): number =>
  Math.floor(clock.now(organizationId) - elapsed() * clock.setting(organizationId).rate)

const entryOf = (call: Call, clock: Clock, status: number, headers: Record<string, string>, body: string) => {
  const { incoming, organization, operation, refusal, signature } = call
  return {
    callId: call.callId,
    at: isoTime(clock.real()),
    ...(organization ? { clock: isoTime(beganAt(call, organization.organizationId, clock)) } : {}),
    durationMilliseconds: Math.round(call.elapsed() * 100) / 100,
    ...(organization ? { organizationId: organization.organizationId } : {}),
    ...(operation ? { operation } : {}),
    request: {
      method: incoming.method ?? '',
      target: journalText(incoming.url ?? ''),
      headers: journalHeaders(incoming.headers),
      body: journalBody(call.body),
      ...journalBytes(call.body),
    },
    answer: { status, headers, body: journalBody(body) },
    ...(refusal
      ? { refused: { ...journalTexts(refusal.diagnosis), layer: refusal.layer, reason: refusal.message } }
      : {}),
    ...(signature ? { signature } : {}),
    ...(call.replayed ? { replayed: true as const } : {}),
    ...(call.script && Object.keys(call.script).length > 0 ? { script: call.script } : {}),
    ...(call.variety ? { varied: call.variety().varied() } : {}),
    ...(call.wire ? { spoiled: call.wire.kind } : {}),
  }
}

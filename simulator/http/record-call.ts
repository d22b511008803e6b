import type { Dialect } from '../../contracts/dialect/dialect.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import { maskHeaders, maskSecrets, secretMembers, toJournalBody, toJournalBytes } from '../journal/mask-secrets.ts'
import { type Clock, isoTime } from '../support/clock.ts'
import type { RefusalDiagnosis } from '../support/refusal.ts'
import type { ApiCall } from './api-call.ts'
import type { ApiDependencies } from './api-dependencies.ts'

type SignedResponse = { status: number; headers: Record<string, string>; body: string }

/** A function that adds a call and its response to the journal. */
export type RecordCall = (call: ApiCall, response: SignedResponse) => void

/** Creates the function that adds an API call and its response to the journal, and tells the observer. */
export const createRecordCall =
  ({ journal, clock, observeCall }: Pick<ApiDependencies, 'journal' | 'clock' | 'observeCall'>): RecordCall =>
  (call, response) => {
    const entry = toJournalEntry(call, response, clock)
    journal.add(entry, call.body)
    observeCall(entry)
  }

/** Masks secrets in a diagnosis: expected values may repeat what the client sent. */
const maskDiagnosis = (texts: RefusalDiagnosis = {}): RefusalDiagnosis =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, maskSecrets(text)]))

/** Returns when the request arrived, in epoch milliseconds on the organization's clock. */
const beganAt = ({ elapsed }: ApiCall, organizationId: string, clock: Clock): number =>
  Math.floor(clock.now(organizationId) - elapsed() * clock.setting(organizationId).rate)

const patterns = new WeakMap<Dialect, RegExp>()

/** The pattern of the secrets that a dialect names otherwise; made once for each. */
const secretsOf = (dialect: Dialect): RegExp | undefined => {
  if (!dialect.lenses) return undefined
  const pattern = patterns.get(dialect) ?? secretMembers(dialect.lenses.secretNames)
  patterns.set(dialect, pattern)
  return pattern
}

/** What a call of another dialect and its response say in our own. */
const documentOf = ({ documentRequest, reply }: ApiCall) => ({
  request: documentRequest ? toJournalBody(JSON.stringify(documentRequest)) : '',
  response: toJournalBody(reply?.body ?? ''),
})

const toJournalEntry = (call: ApiCall, { status, headers, body }: SignedResponse, clock: Clock): JournalEntry => {
  const { incoming, organization, operation, refusal, signature, dialect } = call
  const secrets = secretsOf(dialect)
  return {
    callId: call.callId,
    at: isoTime(clock.real()),
    ...(organization ? { clock: isoTime(beganAt(call, organization.organizationId, clock)) } : {}),
    durationMilliseconds: Math.round(call.elapsed() * 100) / 100,
    ...(organization ? { organizationId: organization.organizationId } : {}),
    ...(operation ? { operation } : {}),
    request: {
      method: incoming.method ?? '',
      target: maskSecrets(incoming.url ?? ''),
      headers: maskHeaders(incoming.headers),
      body: toJournalBody(call.body, secrets),
      ...toJournalBytes(call.body),
    },
    response: { status, headers, body: toJournalBody(body, secrets) },
    ...(dialect.lenses ? { document: documentOf(call) } : {}),
    ...(refusal
      ? { refused: { ...maskDiagnosis(refusal.diagnosis), layer: refusal.layer, reason: refusal.message } }
      : {}),
    ...(call.unknown ? { unknown: call.unknown } : {}),
    ...(signature ? { signature } : {}),
    ...(call.replayed ? { replayed: true as const } : {}),
    ...(call.script && Object.keys(call.script).length > 0 ? { script: call.script } : {}),
    ...(call.variety ? { varied: call.variety().varied() } : {}),
    ...(call.wire ? { injectedFault: call.wire.kind } : {}),
  }
}

import { isUtf8 } from 'node:buffer'
import { createBell } from './bell.ts'
import type { Layer } from './refusal.ts'

/** One call and its answer, as people look at it: secrets are masked before they get here. */
export type JournalEntry = {
  callId: string
  /** Real time of the answer, ISO 8601. */
  at: string
  /** When the call came in, on the organization's clock. */
  clock?: string
  durationMilliseconds: number
  organizationId?: string
  operation?: string
  /** `bodyBase64` is there where the body is no text. */
  request: { method: string; target: string; headers: Record<string, string>; body: string; bodyBase64?: string }
  answer: { status: number; headers: Record<string, string>; body: string }
  /** The layer that refused, why, and what only the operator may know about it. */
  refused?: { layer: Layer; reason: string; [more: string]: string }
  /** Which key signed and which reading of the dialect verified. */
  signature?: { keyId: string; reading: string; encoding: string }
  replayed?: true
  /** The scenario that answered and by what it was chosen; every mock that was looked at, with the first difference. */
  script?: object
  /** What was unusual about it, where variety is on (9). */
  varied?: readonly string[]
  /** The fault that spoiled the answer on its way (7.4). */
  spoiled?: string
}

/** The last calls of each organization, and apart from them those of callers that nobody knows. */
export type Journal = {
  /** `sent` are the bytes of the request's body, for the signature lab alone. */
  add(entry: JournalEntry, sent?: Buffer): void
  /** The bytes that a call's body had; undefined where there were too many to keep. */
  sent(entry: JournalEntry): Buffer | undefined
  /** Newest first. */
  list(organizationId: string | undefined, limit: number): readonly JournalEntry[]
  /** From the newest that is known back to the oldest. */
  newestFirst(organizationId: string | undefined): Iterable<JournalEntry>
  find(organizationId: string | undefined, callId: string): JournalEntry | undefined
  /** What was added since a place, and the place to go on from; `missed` is how many were dropped unseen. */
  since(organizationId: string | undefined, place: number): Since
  /** The place behind a call, or before all that are known where it is not one of them; behind all where none is named. */
  placeBehind(organizationId: string | undefined, callId?: string): number
  /** When there is something new. */
  next(organizationId: string | undefined): Promise<void>
  forget(organizationId: string): void
}

export type Since = { calls: readonly JournalEntry[]; place: number; missed: number }

/** The last calls of one organization; `dropped` came before them. */
type Ring = { calls: JournalEntry[]; dropped: number }

export const createJournal = (size: number): Journal => {
  const rings = new Map<string, Ring>()
  const bell = createBell()
  const bodies = new WeakMap<JournalEntry, Buffer | 'too large'>()
  const ringOf = (organizationId: string | undefined): Ring =>
    rings.get(organizationId ?? '') ?? { calls: [], dropped: 0 }
  return {
    add: (entry, sent) => {
      if (sent && !sent.equals(Buffer.from(entry.request.body)))
        bodies.set(entry, sent.length <= KEPT_BODY ? Buffer.from(sent) : 'too large')
      const ring = ringOf(entry.organizationId)
      rings.set(entry.organizationId ?? '', ring)
      ring.calls.push(entry)
      if (ring.calls.length > size) {
        ring.calls.shift()
        ring.dropped += 1
      }
      bell.ring(entry.organizationId ?? '')
    },
    sent: entry => {
      const kept = bodies.get(entry) ?? Buffer.from(entry.request.body)
      return kept === 'too large' ? undefined : kept
    },
    list: (organizationId, limit) => ringOf(organizationId).calls.slice(-limit).reverse(),
    newestFirst: function* (organizationId) {
      const { calls } = ringOf(organizationId)
      for (let at = calls.length - 1; at >= 0; at -= 1) {
        const call = calls[at]
        if (call) yield call
      }
    },
    find: (organizationId, callId) => ringOf(organizationId).calls.findLast(call => call.callId === callId),
    since: (organizationId, wanted) => {
      const { calls, dropped } = ringOf(organizationId)
      const end = dropped + calls.length
      const place = wanted > end ? dropped : wanted // of a journal that was emptied meanwhile
      return { calls: calls.slice(Math.max(0, place - dropped)), place: end, missed: Math.max(0, dropped - place) }
    },
    placeBehind: (organizationId, callId) => {
      const { calls, dropped } = ringOf(organizationId)
      if (callId === undefined) return dropped + calls.length
      const at = calls.findLastIndex(call => call.callId === callId)
      return at < 0 ? dropped : dropped + at + 1
    },
    next: organizationId => bell.next(organizationId ?? ''),
    forget: organizationId => void rings.delete(organizationId),
  }
}

const BODY_LIMIT = 16_384
/** Bodies beyond this size are not kept byte by byte: a thousand of them would be too much. */
const KEPT_BODY = 65_536
const MASK = '***'
const SECRET_HEADERS: readonly string[] = ['authorization', 'cookie', 'proxy-authorization']
const SECRET_MEMBERS = /("(?:access_token|paymentToken|client_secret|client_assertion)"\s*:\s*")[^"]*("|$)/g
/** The same in a form or a query (RFC 6749 2.3.1, RFC 6750 2.2 and 2.3). */
const SECRET_FORM = /((?:^|[?&])(?:access_token|client_secret|client_assertion|password)=)[^&"\s]*/g

/** Headers as sent, with secrets masked. */
export const journalHeaders = (headers: NodeJS.Dict<string | string[]>): Record<string, string> => {
  const shown = { ...headers } as Record<string, string>
  for (const name in shown)
    shown[name] = SECRET_HEADERS.includes(name) ? mask(String(shown[name])) : String(shown[name])
  return shown
}

/** A text such as the path with its query, with secrets masked. */
export const journalText = (text: string): string => {
  const members = text.replace(SECRET_MEMBERS, `$1${MASK}$2`)
  return members.includes('=') ? members.replace(SECRET_FORM, `$1${MASK}`) : members
}

/** Whether the path with its query is no more what was sent. */
export const hidesTarget = ({ request }: JournalEntry): boolean => request.target.includes(`=${MASK}`)

/** A body as text, with secrets masked and no more of it than people read. */
export const journalBody = (body: string | Buffer): string => {
  const text = typeof body === 'string' ? body : body.toString('utf8', 0, 4 * BODY_LIMIT)
  const shown = journalText(text)
  return shown.length > BODY_LIMIT ? `${shown.slice(0, BODY_LIMIT)}…` : shown
}

/** The bytes of a body that is no text, no more of them than of texts. */
export const journalBytes = (body: Buffer): { bodyBase64?: string } =>
  isUtf8(body)
    ? {}
    : { bodyBase64: Buffer.from(journalText(body.toString('latin1')), 'latin1').toString('base64', 0, BODY_LIMIT) }

/** Keeps the scheme of a credential and hides the rest. */
const mask = (value: string): string => (value.includes(' ') ? `${value.split(' ', 1)[0]} ${MASK}` : MASK)

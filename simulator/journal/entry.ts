import { isUtf8 } from 'node:buffer'
import type { Layer } from '../refusal.ts'

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

const BODY_LIMIT = 16_384
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

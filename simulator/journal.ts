import type { Layer } from './refusal.ts'

/** One call and its answer, as people look at it: secrets are masked before they get here. */
export type JournalEntry = {
  callId: string
  /** Real time, ISO 8601. */
  at: string
  durationMilliseconds: number
  organizationId?: string
  operation?: string
  request: { method: string; target: string; headers: Record<string, string>; body: string }
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
  add(entry: JournalEntry): void
  /** Newest first. */
  list(organizationId: string | undefined, limit: number): readonly JournalEntry[]
  forget(organizationId: string): void
}

export const createJournal = (size: number): Journal => {
  const rings = new Map<string, JournalEntry[]>()
  return {
    add: entry => {
      const name = entry.organizationId ?? ''
      const ring = rings.get(name) ?? []
      rings.set(name, ring)
      ring.push(entry)
      if (ring.length > size) ring.shift()
    },
    list: (organizationId, limit) => (rings.get(organizationId ?? '') ?? []).slice(-limit).reverse(),
    forget: organizationId => void rings.delete(organizationId),
  }
}

const BODY_LIMIT = 16_384
const SECRET_HEADERS: readonly string[] = ['authorization', 'cookie', 'proxy-authorization']
const SECRET_MEMBERS = /("(?:access_token|paymentToken)"\s*:\s*")[^"]*("|$)/g

/** Headers as sent, with secrets masked. */
export const journalHeaders = (headers: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.includes(name) ? mask(String(value)) : String(value),
    ]),
  )

/** A body as text, with secrets masked and no more of it than people read. */
export const journalBody = (body: string | Buffer): string => {
  const text = typeof body === 'string' ? body : body.toString('utf8', 0, 4 * BODY_LIMIT)
  const masked = text.replace(SECRET_MEMBERS, '$1***$2')
  return masked.length > BODY_LIMIT ? `${masked.slice(0, BODY_LIMIT)}…` : masked
}

/** Keeps the scheme of a credential and hides the rest. */
const mask = (value: string): string => (value.includes(' ') ? `${value.split(' ', 1)[0]} ***` : '***')

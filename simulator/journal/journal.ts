import { createBell } from '../bell.ts'
import type { JournalEntry } from './entry.ts'
import { entryIn, type KeptCall, keep, sentIn } from './kept-call.ts'

/** The last calls of each organization, and apart from them those of callers that nobody knows. */
export type Journal = {
  /** `sent` are the bytes of the request's body, for the signature lab alone. */
  add(entry: JournalEntry, sent?: Buffer): void
  /** The bytes that a call's body had; undefined where there were too many to keep. */
  sent(entry: JournalEntry): Buffer | undefined
  /** Newest first. */
  list(organizationId: string | undefined, limit: number): readonly JournalEntry[]
  /** From the newest that is known back to the oldest, to be read before the next call is added. */
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

/** The last calls of one organization, and how many it made in all; from call to call the next place is taken, in turns. */
type Ring = { calls: KeptCall[]; added: number }

export const createJournal = (size: number): Journal => {
  const rings = new Map<string, Ring>()
  const bell = createBell()
  const ringOf = (organizationId: string | undefined): Ring =>
    rings.get(organizationId ?? '') ?? { calls: [], added: 0 }
  /** Oldest first; `dropped` came before them. */
  const known = (organizationId: string | undefined): { calls: KeptCall[]; dropped: number } => {
    const { calls, added } = ringOf(organizationId)
    const oldest = added % calls.length || 0
    return { calls: [...calls.slice(oldest), ...calls.slice(0, oldest)], dropped: added - calls.length }
  }
  const find = (organizationId: string | undefined, callId: string): KeptCall | undefined =>
    ringOf(organizationId).calls.find(call => call.callId === callId)
  return {
    add: (entry, sent) => {
      const ring = ringOf(entry.organizationId)
      rings.set(entry.organizationId ?? '', ring)
      const place = ring.added % size
      ring.calls[place] = keep(entry, sent, ring.calls[place])
      ring.added += 1
      bell.ring(entry.organizationId ?? '')
    },
    sent: ({ organizationId, callId, request }) => {
      const kept = find(organizationId, callId)
      return kept ? sentIn(kept) : Buffer.from(request.body)
    },
    list: (organizationId, limit) => known(organizationId).calls.slice(-limit).reverse().map(entryIn),
    newestFirst: function* (organizationId) {
      for (const call of known(organizationId).calls.reverse()) yield entryIn(call)
    },
    find: (organizationId, callId) => {
      const kept = find(organizationId, callId)
      return kept && entryIn(kept)
    },
    since: (organizationId, wanted) => {
      const { calls, dropped } = known(organizationId)
      const end = dropped + calls.length
      const place = wanted > end ? dropped : wanted // of a journal that was emptied meanwhile
      const news = calls.slice(Math.max(0, place - dropped)).map(entryIn)
      return { calls: news, place: end, missed: Math.max(0, dropped - place) }
    },
    placeBehind: (organizationId, callId) => {
      const { calls, dropped } = known(organizationId)
      if (callId === undefined) return dropped + calls.length
      return dropped + calls.findLastIndex(call => call.callId === callId) + 1
    },
    next: organizationId => bell.next(organizationId ?? ''),
    forget: organizationId => void rings.delete(organizationId),
  }
}

import { createSignal } from '../support/wake-up-signal.ts'
import type { JournalEntry } from './journal-entry.ts'
import { decodeEntry, decodeRequestBody, type EncodedEntry, encodeEntry } from './journal-entry-codec.ts'

/** Journal of the last calls of each organization; calls without a known organization are kept under undefined. */
export type Journal = {
  /** Adds a call; `sent` is the request body, kept for the signature lab. Returns the entry as JSON. */
  add(entry: JournalEntry, sent?: Buffer): string
  /** The request body of a call, byte for byte; undefined if it was too large to keep. */
  requestBody(entry: JournalEntry): Buffer | undefined
  /** The last calls of an organization, newest first: all, or at most `limit`. */
  list(organizationId: string | undefined, limit?: number): readonly JournalEntry[]
  /** Iterates over all calls of an organization, newest first; calls evicted meanwhile are left out. */
  newestFirst(organizationId: string | undefined): Iterable<JournalEntry>
  /** Iterates over the calls of these ids, oldest first; calls evicted meanwhile are left out. */
  oldestFirst(organizationId: string | undefined, callIds: ReadonlySet<string>): Iterable<JournalEntry>
  /** The ids of all calls of an organization, newest first. */
  callIds(organizationId: string): readonly string[]
  find(organizationId: string | undefined, callId: string): JournalEntry | undefined
  /** The next calls added since a position, oldest first, and that to continue from; `missed` counts those evicted. */
  since(organizationId: string | undefined, place: number): JournalNews
  /** The position after a call, before all calls if that one is unknown, or after all calls if none is named. */
  positionAfter(organizationId: string | undefined, callId?: string): number
  /** Resolves when the next call of the organization is added, or all are dropped. */
  waitForNext(organizationId: string | undefined): Promise<void>
  clear(organizationId: string): void
}

type JournalNews = { calls: readonly JournalEntry[]; position: number; missed: number }

/** Ring buffer of the last calls of one organization; `added` counts all calls it ever made. */
type Ring = { calls: EncodedEntry[]; added: number }

/** Most calls that one reading of news returns: a reader that is slow to take them holds no more. */
const NEWS = 20

/** Creates an empty journal that keeps the last `size` calls of each organization; `onChange` is told of each that comes, or that all go. */
export const createJournal = (
  size: number,
  onChange: (organizationId: string | undefined) => void = () => undefined,
): Journal => {
  const rings = new Map<string, Ring>()
  const newsSignal = createSignal()
  const ringOf = (organizationId: string | undefined): Ring =>
    rings.get(organizationId ?? '') ?? { calls: [], added: 0 }
  /** The calls of an organization, oldest first, and how many older ones were evicted. */
  const keptCalls = (organizationId: string | undefined): { calls: EncodedEntry[]; dropped: number } => {
    const { calls, added } = ringOf(organizationId)
    const oldest = added % calls.length || 0
    return { calls: [...calls.slice(oldest), ...calls.slice(0, oldest)], dropped: added - calls.length }
  }
  const find = (organizationId: string | undefined, callId: string): EncodedEntry | undefined =>
    ringOf(organizationId).calls.find(call => call.callId === callId)
  return {
    add: (entry, sent) => {
      const ring = ringOf(entry.organizationId)
      rings.set(entry.organizationId ?? '', ring)
      const place = ring.added % size
      const json = JSON.stringify(entry)
      ring.calls[place] = encodeEntry(entry, json, sent, ring.calls[place])
      ring.added += 1
      newsSignal.notify(entry.organizationId ?? '')
      onChange(entry.organizationId)
      return json
    },
    requestBody: ({ organizationId, callId, request }) => {
      const kept = find(organizationId, callId)
      return kept ? decodeRequestBody(kept) : Buffer.from(request.body)
    },
    list: (organizationId, limit = Number.POSITIVE_INFINITY) =>
      keptCalls(organizationId).calls.slice(-limit).reverse().map(decodeEntry),
    newestFirst: function* (organizationId) {
      const ring = ringOf(organizationId)
      for (let at = ring.added - 1; at >= Math.max(0, ring.added - size); at -= 1)
        yield decodeEntry(ring.calls[at % size] as EncodedEntry)
    },
    oldestFirst: function* (organizationId, callIds) {
      const ring = ringOf(organizationId)
      for (let at = Math.max(0, ring.added - size); at < ring.added; at = Math.max(at + 1, ring.added - size)) {
        const call = ring.calls[at % size] as EncodedEntry
        if (callIds.has(call.callId)) yield decodeEntry(call)
      }
    },
    callIds: organizationId =>
      keptCalls(organizationId)
        .calls.map(({ callId }) => callId)
        .reverse(),
    find: (organizationId, callId) => {
      const kept = find(organizationId, callId)
      return kept && decodeEntry(kept)
    },
    since: (organizationId, wanted) => {
      const { calls, dropped } = keptCalls(organizationId)
      const end = dropped + calls.length
      const place = wanted > end ? dropped : wanted // a position of a journal that has been cleared since
      const first = Math.max(0, place - dropped)
      const news = calls.slice(first, first + NEWS).map(decodeEntry)
      return { calls: news, position: dropped + first + news.length, missed: Math.max(0, dropped - place) }
    },
    positionAfter: (organizationId, callId) => {
      const { calls, dropped } = keptCalls(organizationId)
      if (callId === undefined) return dropped + calls.length
      return dropped + calls.findLastIndex(call => call.callId === callId) + 1
    },
    waitForNext: organizationId => newsSignal.wait(organizationId ?? ''),
    clear: organizationId => {
      rings.delete(organizationId)
      newsSignal.notify(organizationId)
      onChange(organizationId)
    },
  }
}

import { createSignal } from '../support/wake-up-signal.ts'
import type { JournalEntry } from './journal-entry.ts'
import { decodeEntry, decodeRequestBody, type EncodedEntry, encodeEntry, sizeOfEntry } from './journal-entry-codec.ts'

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

/**
 * Ring buffer of the last calls of one organization, at their positions modulo its size: those from `oldest` on, of which
 * `bytes` are kept. `added` counts all calls it ever made, and `spare` is the buffer of the last that was evicted.
 */
type Ring = {
  calls: (EncodedEntry | undefined)[]
  oldest: number
  added: number
  bytes: number
  spare?: Buffer | undefined
}

/** Most calls that one reading of news returns: a reader that is slow to take them holds no more. */
const NEWS = 20

/** Bytes that the calls of one organization take at most, whatever clients send: every replica has them. */
const MOST_BYTES = 4 * 2 ** 20
/** As many for each call of a larger journal. */
const MEAN_BYTES = 8 * 2 ** 10

/**
 * Creates an empty journal that keeps the last `size` calls of each organization, or fewer where they are large; `onChange` is told of
 * each that comes, or that all go.
 */
export const createJournal = (
  size: number,
  onChange: (organizationId: string | undefined) => void = () => undefined,
): Journal => {
  const rings = new Map<string, Ring>()
  const newsSignal = createSignal()
  const mostBytes = Math.max(MOST_BYTES, size * MEAN_BYTES)
  const ringOf = (organizationId: string | undefined): Ring =>
    rings.get(organizationId ?? '') ?? { calls: [], oldest: 0, added: 0, bytes: 0 }
  const callAt = (ring: Ring, position: number) => ring.calls[position % size] as EncodedEntry
  const evictOldest = (ring: Ring): void => {
    const evicted = callAt(ring, ring.oldest)
    ring.calls[ring.oldest % size] = undefined
    ring.oldest += 1
    ring.bytes -= sizeOfEntry(evicted)
    ring.spare = evicted.bytes
  }
  /** The calls of an organization, oldest first, and how many older ones were evicted. */
  const keptCalls = (organizationId: string | undefined): { calls: EncodedEntry[]; dropped: number } => {
    const ring = ringOf(organizationId)
    const calls = Array.from({ length: ring.added - ring.oldest }, (_, at) => callAt(ring, ring.oldest + at))
    return { calls, dropped: ring.oldest }
  }
  const find = (organizationId: string | undefined, callId: string): EncodedEntry | undefined =>
    ringOf(organizationId).calls.find(call => call?.callId === callId)
  return {
    add: (entry, sent) => {
      const ring = ringOf(entry.organizationId)
      rings.set(entry.organizationId ?? '', ring)
      const json = JSON.stringify(entry)
      if (ring.added - ring.oldest === size) evictOldest(ring)
      const added = encodeEntry(entry, json, sent, ring.spare)
      ring.spare = undefined
      ring.calls[ring.added % size] = added
      ring.added += 1
      ring.bytes += sizeOfEntry(added)
      while (ring.bytes > mostBytes && ring.added - ring.oldest > 1) evictOldest(ring)
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
      for (let at = ring.added - 1; at >= ring.oldest; at -= 1) yield decodeEntry(callAt(ring, at))
    },
    oldestFirst: function* (organizationId, callIds) {
      const ring = ringOf(organizationId)
      for (let at = ring.oldest; at < ring.added; at = Math.max(at + 1, ring.oldest)) {
        const call = callAt(ring, at)
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

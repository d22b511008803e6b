import { ControlError } from '../support/control-error.ts'
import { createOneAtATime } from '../support/one-at-a-time.ts'
import { resolvesWithin } from '../support/resolves-within.ts'
import { collect, inTurns } from '../support/slices-across-event-loop-turns.ts'
import type { Journal } from './journal.ts'
import type { JournalEntry } from './journal-entry.ts'
import { type JournalFilter, matchesJournalFilter } from './journal-filter.ts'

type Parts = { journal: Journal; webhooks: { closing: AbortSignal } }

/** New journal entries, oldest first; a batch without any is a heartbeat. */
type JournalBatch = {
  calls: readonly JournalEntry[]
  /** How many entries were dropped before this reader saw them. */
  missed: number
}

type PageQuery = JournalFilter & { before?: string | undefined; after?: string | undefined; limit: number }

type FollowOptions = {
  /** The callId after which to begin; without one, from now on. */
  after?: string | undefined
  signal: AbortSignal
  /** Whether the reader may go on; asked before each batch, as a stream outlives what it was opened with. */
  isPermitted: () => Promise<boolean>
  /** Milliseconds without entries after which an empty batch is sent. */
  heartbeat?: number
}

type Follower = FollowOptions & {
  organizationId: string | undefined
  matches: (call: JournalEntry) => boolean
}

const HEARTBEAT = 15_000
/** Most readers that follow one organization in this process: as many as open pages of its portal. */
const MOST_FOLLOWERS = 100

/** Creates the reader of the journal: by page, by call, or as a live stream. */
export const createJournalReader = ({ journal, webhooks: { closing } }: Parts) => {
  const oneAtATime = createOneAtATime()
  const followers = new Set<Follower>()
  async function* follow(follower: Follower): AsyncGenerator<JournalBatch> {
    followers.add(follower)
    try {
      yield* batchesOf(journal, follower)
    } finally {
      followers.delete(follower)
    }
  }
  /** Matching entries older than `before` and newer than `after`, newest first, read one by one. */
  async function* newestFirst(
    organizationId: string | undefined,
    { before, after, limit, ...filter }: PageQuery,
  ): AsyncGenerator<JournalEntry> {
    const matches = matchesJournalFilter(filter)
    let [left, isPast] = [limit, before === undefined]
    for await (const call of inTurns(journal.newestFirst(organizationId))) {
      if (call.callId === after) return
      if (isPast && matches(call)) {
        yield call
        left -= 1
      }
      if (left <= 0) return
      isPast ||= call.callId === before
    }
  }
  return {
    newestFirst,

    /** Matching entries as newestFirst, but oldest first: the newest `limit` of them. */
    oldestFirst: async function* (organizationId: string | undefined, query: PageQuery): AsyncGenerator<JournalEntry> {
      const callIds = new Set<string>()
      for await (const { callId } of newestFirst(organizationId, query)) callIds.add(callId)
      yield* inTurns(journal.oldestFirst(organizationId, callIds))
    },

    /** A page of newestFirst; `more` says whether there are others. */
    page: async (organizationId: string | undefined, { limit, ...query }: PageQuery) =>
      oneAtATime(organizationId ?? '', async () => {
        const found = await collect(newestFirst(organizationId, { ...query, limit: limit + 1 }))
        return { calls: found.slice(0, limit), more: found.length > limit }
      }),

    /** The last entries, newest first; without an organization those of unidentified callers. */
    latest: journal.list,

    /** Throws ControlError where the journal has no such call to list those before it, as it may keep it no more. */
    requireKnown: (organizationId: string | undefined, before: string): void => {
      if (journal.find(organizationId, before)) return
      throw new ControlError(
        'invalid',
        'before names no call of this journal, which keeps the last ones: begin anew without it.',
      )
    },

    find: (organizationId: string | undefined, callId: string): JournalEntry => {
      const call = journal.find(organizationId, callId)
      if (call) return call
      throw new ControlError('unknown', `The journal has no call ${callId.slice(0, 40)}: it keeps the last ones only.`)
    },

    /**
     * Matching entries as they are written, until the reader aborts, may not go on or the simulator stops. A slow reader
     * delays nothing: entries dropped before it is ready are counted as `missed`. So many readers at most follow at once.
     */
    follow: (
      organizationId: string | undefined,
      filter: JournalFilter,
      options: FollowOptions,
    ): AsyncGenerator<JournalBatch> => {
      const matches = matchesJournalFilter(filter)
      if ([...followers].filter(one => one.organizationId === organizationId).length >= MOST_FOLLOWERS)
        throw new ControlError(
          'conflict',
          `${MOST_FOLLOWERS} streams of this journal are open here: close one, or read it in pages.`,
        )
      return follow({ organizationId, matches, ...options, signal: AbortSignal.any([options.signal, closing]) })
    },
  }
}

async function* batchesOf(
  journal: Journal,
  { organizationId, matches, after, signal, isPermitted, heartbeat = HEARTBEAT }: Follower,
): AsyncGenerator<JournalBatch> {
  let place = journal.positionAfter(organizationId, after)
  while (!signal.aborted && (await isPermitted())) {
    const notified = journal.waitForNext(organizationId)
    const since = journal.since(organizationId, place)
    place = since.position
    const calls: JournalEntry[] = []
    for await (const call of inTurns(since.calls)) if (matches(call)) calls.push(call)
    if (calls.length > 0 || since.missed > 0) yield { calls, missed: since.missed }
    if (journal.positionAfter(organizationId) !== place) continue
    const isNews = await resolvesWithin(notified, heartbeat, signal)
    if (!isNews && !signal.aborted) yield { calls: [], missed: 0 }
  }
}

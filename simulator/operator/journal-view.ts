import { pause } from '../clock.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import { fitsWish, type JournalWish } from './journal-filter.ts'
import { OperatorError } from './operator-error.ts'

type Parts = { journal: Journal; webhooks: { closing: AbortSignal } }

/** Calls that just came, oldest first; nothing at all now and then, to show that the line still holds. */
export type News = {
  calls: readonly JournalEntry[]
  /** How many were forgotten before this reader got to see them. */
  missed: number
}

type Following = {
  /** The call behind which to begin; without one, from now on. */
  after?: string | undefined
  signal: AbortSignal
  /** Milliseconds of silence after which to say that there is nothing. */
  heartbeat?: number
}

const HEARTBEAT = 15_000

/** The journal as people read it: page by page, call by call, and as it is written. */
export const createJournalView = ({ journal, webhooks: { closing } }: Parts) => ({
  /** Newest first, from behind a call on; `more` tells whether there are older ones that fit. */
  page: (
    organizationId: string | undefined,
    { before, limit, ...wish }: JournalWish & { before?: string | undefined; limit: number },
  ) => {
    const [fits, found] = [fitsWish(wish), [] as JournalEntry[]]
    let behind = before === undefined
    for (const call of journal.newestFirst(organizationId)) {
      if (behind && fits(call)) found.push(call)
      if (found.length > limit) break
      behind ||= call.callId === before
    }
    return { calls: found.slice(0, limit), more: found.length > limit }
  },

  find: (organizationId: string | undefined, callId: string): JournalEntry => {
    const call = journal.find(organizationId, callId)
    if (call) return call
    throw new OperatorError('unknown', `The journal has no call ${callId.slice(0, 40)}: it keeps the last ones only.`)
  },

  /**
   * Calls as they are answered, until the reader goes or the simulator stops. A slow reader holds nothing up: it is
   * read for when it is ready, and what was forgotten by then is counted.
   */
  follow: async function* (
    organizationId: string | undefined,
    wish: JournalWish,
    { after, signal, heartbeat = HEARTBEAT }: Following,
  ): AsyncGenerator<News> {
    const fits = fitsWish(wish)
    const over = AbortSignal.any([signal, closing])
    let place = journal.placeBehind(organizationId, after)
    while (!over.aborted) {
      const rung = journal.next(organizationId)
      const since = journal.since(organizationId, place)
      place = since.place
      const calls = since.calls.filter(fits)
      if (calls.length > 0 || since.missed > 0) yield { calls, missed: since.missed }
      if (journal.placeBehind(organizationId) !== place) continue
      const isNews = await sooner(rung, heartbeat, over)
      if (!isNews && !over.aborted) yield { calls: [], missed: 0 }
    }
  },
})

/** Whether something happened within so many milliseconds. */
const sooner = async (happened: Promise<void>, milliseconds: number, over: AbortSignal): Promise<boolean> => {
  const waited = new AbortController()
  const late = pause(milliseconds, AbortSignal.any([over, waited.signal])).then(() => false)
  const isNews = await Promise.race([happened.then(() => true), late])
  waited.abort()
  return isNews
}

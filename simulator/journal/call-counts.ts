import type { RefusingLayer } from '../support/refusal.ts'
import type { Journal } from './journal.ts'
import type { JournalEntry } from './journal-entry.ts'

/** Count of API calls: those that were answered, those refused by each layer, and those that failed in the service. */
export type CallCount = { accepted: number; failed: number; refused: Partial<Record<RefusingLayer, number>> }

/** Counts of the API calls of organizations over time, since the start of the process or the last reset. */
export type CallCounts = {
  add(entry: JournalEntry): void
  /** Counts by period from `from` (included) to `to` (excluded) on the organization's clock, in minutes rounded down. */
  byPeriod(organizationId: string, periods: { from: number; to: number; width: number }): readonly CallCount[]
  /** Real time from which the calls of an organization are counted. */
  since(organizationId: string): number
  clear(organizationId: string): void
}

const MINUTE = 60_000
/** Minutes with calls that are kept for each organization: 31 days with a call in every minute of eight hours a day. */
const MOST_MINUTES = 15_000

/**
 * Creates the counts of API calls by minute of the organization's clock; a minute without calls takes no memory. `real`
 * tells real time.
 */
export const createCallCounts = (real: () => number): CallCounts => {
  const start = real()
  const cleared = new Map<string, number>()
  const all = new Map<string, Map<number, CallCount>>()
  return {
    add: entry => {
      const { organizationId } = entry
      if (organizationId === undefined) return
      const minutes = all.get(organizationId) ?? new Map<number, CallCount>()
      all.set(organizationId, minutes)
      const minute = Math.floor(Date.parse(entry.clock ?? entry.at) / MINUTE)
      const counted = minutes.get(minute) ?? emptyCallCount()
      minutes.set(minute, counted)
      if (entry.refused) counted.refused[entry.refused.layer] = (counted.refused[entry.refused.layer] ?? 0) + 1
      else counted[entry.response.status >= 500 ? 'failed' : 'accepted'] += 1
      if (minutes.size > MOST_MINUTES) minutes.delete(minutes.keys().next().value ?? minute)
    },
    byPeriod: (organizationId, { from, to, width }) => {
      const counts = Array.from({ length: Math.ceil((to - from) / width) }, emptyCallCount)
      for (const [minute, count] of all.get(organizationId) ?? []) {
        const sum = counts[Math.floor((minute * MINUTE - from) / width)]
        if (sum && minute * MINUTE < to) addTo(sum, count)
      }
      return counts
    },
    since: organizationId => cleared.get(organizationId) ?? start,
    clear: organizationId => {
      all.delete(organizationId)
      cleared.set(organizationId, real())
    },
  }
}

/** Wraps a journal so that every call that is added to it is counted. */
export const withCallCounts = (journal: Journal, counts: CallCounts): Journal => ({
  ...journal,
  add: (entry, sent) => {
    counts.add(entry)
    return journal.add(entry, sent)
  },
  clear: organizationId => {
    journal.clear(organizationId)
    counts.clear(organizationId)
  },
})

const emptyCallCount = (): CallCount => ({ accepted: 0, failed: 0, refused: {} })

const addTo = (sum: CallCount, { accepted, failed, refused }: CallCount): void => {
  sum.accepted += accepted
  sum.failed += failed
  for (const [layer, count] of Object.entries(refused) as [RefusingLayer, number][])
    sum.refused[layer] = (sum.refused[layer] ?? 0) + count
}

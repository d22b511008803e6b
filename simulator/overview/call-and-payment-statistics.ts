import type { CallCount, CallCounts } from '../journal/call-counts.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { DAY, HOUR, MINUTE } from '../support/duration.ts'

type Parts = { store: Store; clock: Clock; callCounts: CallCounts }

// biome-ignore format: a table reads by its columns
/** Spans of time that charts show up to now: the length of a period in milliseconds, and how many there are. */
const SPANS = {
  hour:  { width: 2 * MINUTE, periods: 30 },
  day:   { width: HOUR,       periods: 24 },
  week:  { width: 6 * HOUR,   periods: 28 },
  month: { width: DAY,        periods: 30 },
} as const

type Span = keyof typeof SPANS
const SPAN_NAMES = Object.keys(SPANS) as readonly Span[]

/**
 * Statistics of the calls and payments in one period, which begins at `at`; payments by the status that they have now.
 */
export type StatisticsPeriod = { at: number; calls: CallCount; payments: Readonly<Record<string, number>> }

/**
 * Statistics of calls and payments over a span of time up to now, oldest period first; times on the organization's
 * clock.
 */
export type Statistics = {
  span: Span
  from: number
  to: number
  /** Real time from which calls are counted: the start of the process, or the last reset. */
  callsCountedSince: number
  periods: readonly StatisticsPeriod[]
}

/**
 * Creates the reader of statistics of calls and payments over time. Periods begin at multiples of their length in UTC.
 * Payments come from the store; calls are counted since the process started.
 */
export const createCallAndPaymentStatistics =
  ({ store, clock, callCounts }: Parts) =>
  async (organizationId: string, name = 'day'): Promise<Statistics> => {
    const span = SPAN_NAMES.find(one => one === name)
    if (!span)
      throw new ControlError('invalid', `span is ${JSON.stringify(name.slice(0, 40))}: give ${SPAN_NAMES.join(', ')}.`)
    const { width, periods: count } = SPANS[span]
    const to = (Math.floor(clock.now(organizationId) / width) + 1) * width
    const range = { from: to - count * width, to, width }
    const periods = callCounts
      .byPeriod(organizationId, range)
      .map((calls, at) => ({ at: range.from + at * width, calls, payments: {} as Record<string, number> }))
    for (const { period, status, count } of await store.paymentCounts(organizationId, range)) {
      const found = periods[period]
      if (found) found.payments[status] = count
    }
    return { span, from: range.from, to, callsCountedSince: callCounts.since(organizationId), periods }
  }

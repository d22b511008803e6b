import type { Exchange } from '../client/http-exchange.ts'
import type { PendingRun } from '../harness/run/pending-run.ts'
import type { CheckContext } from '../suites/context/check-context.ts'

export type CallList = ReturnType<typeof createCallList>

/** Creates the list of all calls of a run that is resumed: those of its transcript, then those that are made now. */
export const createCallList = (exchanges: readonly Exchange[], { called, places: known, scenarios }: PendingRun) => {
  const list = exchanges.slice(0, called)
  const places = new Map(known)
  const add = (exchange: Exchange): void => {
    if (places.has(exchange)) return
    places.set(exchange, list.length)
    list.push(exchange)
  }
  // Calls of a run that was killed before it wrote its transcript.
  for (const { log } of scenarios) for (const { exchange } of log.calls) add(exchange)
  return {
    list: list as readonly Exchange[],
    /** The place of each call of a log, and of each new one. */
    places: places as ReadonlyMap<Exchange, number>,
    /** Adds the calls that a context has made, but not those that were replayed. */
    take: ({ transcript }: Pick<CheckContext, 'transcript'>): void => transcript.forEach(add),
    /** The redacted call of the transcript that a replayed one is; any other call is itself. */
    same: (exchange: Exchange): Exchange => list[places.get(exchange) ?? -1] ?? exchange,
  }
}

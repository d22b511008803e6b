import { stopwatch } from '../support/clock.ts'

/** A function that starts a piece of the API's work soon, in a turn of the event loop that has time for it. */
export type TakeTurn = (act: () => void) => void

/** Milliseconds that queued work may take of one turn of the event loop: calls that arrive together share a commit. */
const TURN_MS = 2

/**
 * Creates a queue of the API's work, a little of which is done in each turn of the event loop, so that calls of others
 * come between. First come, first served: work that leads to more work at once does not come before what waits.
 * `startWatch` returns a function that gives the milliseconds since then.
 */
export const createEventLoopTurns = (startWatch = stopwatch): TakeTurn => {
  const queue: (() => void)[] = []
  let inThisTurn: (() => number) | undefined
  const endTurn = (): void => {
    inThisTurn = undefined
  }
  /** Runs as often as there is work, so that the promises which a piece of work leaves are counted to its turn. */
  const actOrWait = (): void => {
    if (!inThisTurn) {
      inThisTurn = startWatch()
      setImmediate(endTurn)
    }
    if (inThisTurn() < TURN_MS) queue.shift()?.()
    else setImmediate(actOrWait)
  }
  return act => {
    queue.push(act)
    setImmediate(actOrWait)
  }
}

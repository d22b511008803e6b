import { stopwatch } from '../support/clock.ts'

/** A function that starts a piece of the API's work soon, in a turn of the event loop that has time for it. */
export type TakeTurn = (act: () => void) => void

/** Milliseconds that queued work may take of one turn of the event loop: calls that arrive together share a commit. */
const TURN_MS = 2

/**
 * Creates a queue of the API's work, a little of which is done in each turn of the event loop, so that calls of others
 * come between. `startWatch` returns a function that gives the milliseconds since then.
 */
export const createEventLoopTurns = (startWatch = stopwatch): TakeTurn => {
  let inThisTurn: (() => number) | undefined
  const endTurn = (): void => {
    inThisTurn = undefined
  }
  const actOrWait = (act: () => void): void => {
    if (!inThisTurn) {
      inThisTurn = startWatch()
      setImmediate(endTurn)
    }
    if (inThisTurn() < TURN_MS) act()
    else setImmediate(actOrWait, act)
  }
  return act => void setImmediate(actOrWait, act)
}

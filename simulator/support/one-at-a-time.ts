import { setImmediate } from 'node:timers/promises'

/** A function that runs work of a name after the work of that name before it, in a turn of the event loop of its own. */
export type OneAtATime = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Creates an order in which work of one name is done one after the other: many costly calls of an organization take no
 * more of the event loop and the memory than one.
 */
export const createOneAtATime = (): OneAtATime => {
  const last = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const before = last.get(name) ?? Promise.resolve()
    const mine = before.then(() => setImmediate()).then(work)
    const ended = mine.then(
      () => undefined,
      () => undefined,
    )
    last.set(name, ended)
    void ended.then(() => last.get(name) === ended && last.delete(name))
    return mine
  }
}

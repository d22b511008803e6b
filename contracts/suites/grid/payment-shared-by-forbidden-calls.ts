import { type Exchange, isServed } from '../../client/http-exchange.ts'

/**
 * Holder of what the forbidden calls of a check grid work on, such as a payment: the same for all of them, until one
 * is served and spoils it.
 */
export type Unspoiled<Subject> = {
  /** The subject as it now is; made at its first use, and anew after a forbidden call was served. */
  current(): Promise<Subject>
  /** Sends a forbidden call on the subject. */
  attempt(call: (subject: Subject) => Promise<Exchange>): Promise<Exchange>
  /** Gives the subject up: the next one is new. */
  spoil(): void
}

/**
 * Creates the holder of the payment, or other subject, that the forbidden calls of a check grid share: `first`, made
 * anew after a call on it was served; a failure to make it is kept.
 */
export const createUnspoiled = <Subject>(
  make: () => Promise<Subject>,
  first?: Promise<Subject>,
): Unspoiled<Subject> => {
  let made = first
  const current = () => {
    made ??= make()
    return made
  }
  const spoil = () => {
    made = undefined
  }
  return {
    current,
    spoil,
    attempt: async call => {
      const exchange = await call(await current())
      if (isServed(exchange)) spoil()
      return exchange
    },
  }
}

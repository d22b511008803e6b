/** Real time, in milliseconds: whoever is judged by a clock of the sandbox asks that one. */
export const realTime = (): number => Date.now()

/** The time as signatures and webhooks tell it (5.2, 6). */
export const nowSeconds = (): number => Math.floor(realTime() / 1000)

/** The time as reports tell it, ISO 8601. */
export const nowText = (): string => new Date(realTime()).toISOString()

const DAY_MS = 24 * 60 * 60 * 1000

/** A day of which everybody has whatever reports there are (4). */
export const yesterday = (): string => new Date(realTime() - DAY_MS).toISOString().slice(0, 10)

/** Milliseconds since it was started, whatever is done to the clock of the machine. */
export const stopwatch = (): (() => number) => {
  const start = performance.now()
  return () => performance.now() - start
}

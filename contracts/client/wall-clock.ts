import { setTimeout as pause } from 'node:timers/promises'

/** Returns the wall-clock time in epoch milliseconds; not the virtual clock of an organization. */
export const realTime = (): number => Date.now()

/** Returns the wall-clock time in UNIX seconds, as signatures and webhooks state it (5.2, 6). */
export const nowSeconds = (): number => Math.floor(realTime() / 1000)

/** Returns the wall-clock time in ISO 8601. */
export const nowIso = (): string => new Date(realTime()).toISOString()

const DAY_MS = 24 * 60 * 60 * 1000

/** Returns yesterday's date in UTC (YYYY-MM-DD), for report queries (4). */
export const yesterday = (): string => new Date(realTime() - DAY_MS).toISOString().slice(0, 10)

/** Starts a monotonic timer; the returned function gives the elapsed milliseconds. */
export const stopwatch = (): (() => number) => {
  const start = performance.now()
  return () => performance.now() - start
}

/**
 * Waits in wall-clock time, in milliseconds; `signal` ends the wait early. It is beside the clock so that tests move
 * both.
 */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> => pause(ms, undefined, signal && { signal })

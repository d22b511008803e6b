/**
 * The only file that reads time. Everything that a rule of the specification counts runs on the clock of the
 * organization; only signatures' `created` and certificates are judged by real time, because clients do not travel.
 */
export type Clock = {
  /** Real time, epoch milliseconds. */
  real(): number
  /** The organization's time, epoch milliseconds. */
  now(organizationId: string): number
  /** How far an organization's clock runs ahead of real time, in milliseconds. */
  offset(organizationId: string): number
  setOffset(organizationId: string, milliseconds: number): void
}

export const createClock = (real: () => number = Date.now): Clock => {
  const offsets = new Map<string, number>()
  const offset = (organizationId: string) => offsets.get(organizationId) ?? 0
  return {
    real,
    offset,
    now: organizationId => real() + offset(organizationId),
    setOffset: (organizationId, milliseconds) => offsets.set(organizationId, milliseconds),
  }
}

/** Milliseconds since the process started to count, for durations in the journal. */
export const stopwatch = (): (() => number) => {
  const start = performance.now()
  return () => performance.now() - start
}

/** Epoch milliseconds of such a time; a leap second counts as the one before it. */
export const instantOf = (text: string): number => Date.parse(text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'))

/** Epoch milliseconds as the contract writes times: ISO 8601, UTC, milliseconds (D-38). */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

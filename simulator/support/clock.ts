import { setTimeout } from 'node:timers/promises'

/**
 * Setting of an organization's clock: an anchor in real and in its own time (epoch ms), and its rate (0 frozen, 1 real
 * time).
 */
export type ClockSetting = { anchorReal: number; anchorVirtual: number; rate: number }

/** Setting of an organization's clock that shows real time. */
export const REAL_TIME_SETTING: ClockSetting = { anchorReal: 0, anchorVirtual: 0, rate: 1 }

/**
 * The last instant that an organization's clock shows, epoch milliseconds: the beginning of 9999, as ISO 8601 has years
 * of four digits.
 */
export const LAST_INSTANT = Date.UTC(9999, 0)

/**
 * Source of real time and of the virtual clocks of organizations; no other file reads time. Every rule of the
 * specification uses the organization's clock; signatures, certificates and outgoing messages are dated by real time
 * (D-92).
 */
export type Clock = {
  /** Real time, epoch milliseconds. */
  real(): number
  /** The organization's time, whole epoch milliseconds; never goes back unless it is set. */
  now(organizationId: string): number
  setting(organizationId: string): ClockSetting
  /** Replaces an organization's setting; an anchor in the future of real time counts from now. */
  set(organizationId: string, setting: ClockSetting): void
  /** Whether a setting is not the one that the organization's clock has, and would set it back. */
  isSetBackBy(organizationId: string, setting: ClockSetting): boolean
  /** Whether a setting is not the one that the organization's clock has, and would move it on. */
  isMovedOnBy(organizationId: string, setting: ClockSetting): boolean
  /** Moves the clock to an instant or changes its rate, each by default as it is; returns the new setting. */
  adjust(organizationId: string, change: { at?: number; rate?: number }): ClockSetting
  /** Real milliseconds until an organization's clock shows this instant; undefined where it never will by itself. */
  realUntil(organizationId: string, instant: number): number | undefined
  /**
   * Real milliseconds since an organization's clock showed this instant, at most since it was set; undefined where it
   * goes slower than real time, so that an instant lasts long.
   */
  realSince(organizationId: string, instant: number): number | undefined
}

/**
 * Creates the simulator's source of time from `real` (epoch ms) and `elapsed`, monotonic time, which stands still if
 * only `real` is given.
 */
export const createClock = (
  real: () => number = Date.now,
  elapsed: () => number = real === Date.now ? stopwatch() : () => 0,
): Clock => {
  const settings = new Map<string, ClockSetting>()
  const given = new Map<string, ClockSetting>() // the same before they are anchored
  const steady = monotonic(real, elapsed)
  const setting = (organizationId: string) => settings.get(organizationId) ?? REAL_TIME_SETTING
  const anchored = (wanted: ClockSetting) => ({ ...wanted, anchorReal: Math.min(wanted.anchorReal, steady()) })
  const set = (organizationId: string, wanted: ClockSetting): ClockSetting => {
    const setting = anchored(wanted)
    settings.set(organizationId, setting)
    given.set(organizationId, wanted)
    return setting
  }
  const now = (organizationId: string) => timeAt(setting(organizationId), steady())
  const shiftBy = (organizationId: string, wanted: ClockSetting): number => {
    if (isSame(given.get(organizationId) ?? REAL_TIME_SETTING, wanted)) return 0
    const at = steady() // once: it goes on from one reading to the next
    return timeAt(anchored(wanted), at) - timeAt(setting(organizationId), at)
  }
  return {
    real,
    now,
    setting,
    set,
    isSetBackBy: (organizationId, wanted) => shiftBy(organizationId, wanted) < 0,
    isMovedOnBy: (organizationId, wanted) => shiftBy(organizationId, wanted) > 0,
    adjust: (organizationId, { at = now(organizationId), rate = setting(organizationId).rate }) =>
      set(organizationId, { anchorReal: steady(), anchorVirtual: at, rate }),
    realUntil: (organizationId, instant) => realMillisecondsUntil(setting(organizationId), steady(), instant),
    realSince: (organizationId, instant) => {
      const { rate, anchorReal } = setting(organizationId)
      if (rate < 1) return undefined
      return Math.max(0, Math.min((now(organizationId) - instant) / rate, steady() - anchorReal))
    },
  }
}

const isSame = (one: ClockSetting, other: ClockSetting): boolean =>
  one.anchorReal === other.anchorReal && one.anchorVirtual === other.anchorVirtual && one.rate === other.rate

/** Returns the instant that an organization's clock with this setting shows at a real instant. */
export const timeAt = ({ anchorReal, anchorVirtual, rate }: ClockSetting, real: number): number =>
  Math.min(Math.floor(anchorVirtual + (real - anchorReal) * rate), LAST_INSTANT)

/**
 * Returns the whole real milliseconds from a real instant until an organization's clock shows an instant of its own.
 */
export const realMillisecondsUntil = (setting: ClockSetting, real: number, instant: number): number | undefined => {
  if (timeAt(setting, real) >= instant) return 0
  if (setting.rate === 0 || instant > LAST_INSTANT) return undefined
  const { anchorReal, anchorVirtual, rate } = setting
  return Math.ceil((instant - anchorVirtual) / rate - (real - anchorReal))
}

/**
 * Creates a real-time source that never goes back, even when the machine's clock does: elapsed time plus the largest
 * offset seen between the two. Time before the first reading counts too, so no token is valid for longer (D-111).
 */
const monotonic = (real: () => number, elapsed: () => number): (() => number) => {
  let ahead = Number.NEGATIVE_INFINITY
  return () => {
    const seen = real() // first: a halt between the two would leave this clock ahead for good
    const passed = elapsed()
    ahead = Math.max(ahead, seen - passed)
    return Math.floor(ahead + passed + ROUNDING_SLACK)
  }
}
/** Tolerance in milliseconds, larger than the floating-point error of the sum of elapsed time and offset. */
const ROUNDING_SLACK = 0.01

/** Starts a stopwatch: returns a function that gives the milliseconds since, by the monotonic clock. */
export const stopwatch = (): (() => number) => {
  const start = performance.now()
  return () => performance.now() - start
}

/**
 * Waits in real time, in milliseconds, at most until the signal aborts; without a signal the wait does not keep the
 * process alive.
 */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(milliseconds, undefined, signal ? { signal } : { ref: false }).catch(() => undefined)

/**
 * Converts an ISO 8601 time to epoch milliseconds, NaN for other text; a leap second becomes the second before, and an
 * offset may be hours alone.
 */
export const parseInstant = (text: string): number =>
  Date.parse(
    text
      .toUpperCase()
      .replace(/:60(?=[.Z+-])/, ':59')
      .replace(/:\d\d(?:\.\d+)?[+-]\d\d$/, '$&:00'),
  )

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/**
 * Converts an ISO 8601 time with its offset to epoch milliseconds, NaN for other text and for a day that does not exist:
 * Date.parse takes 30 February for 2 March.
 */
export const parseExactInstant = (text: string): number => {
  const day = text.slice(0, 10)
  return INSTANT.test(text) && new Date(day).toJSON()?.startsWith(day) ? parseInstant(text) : Number.NaN
}

/** Converts epoch milliseconds to a time as the contract writes it: ISO 8601, UTC, milliseconds (D-38). */
export const isoTime = (milliseconds: number): string => new Date(Math.floor(milliseconds)).toISOString()

import { setTimeout } from 'node:timers/promises'

/** How an organization's clock runs: from an anchor in real time and its own time there, so fast (0 frozen, 1 real). */
export type ClockSetting = { anchorReal: number; anchorVirtual: number; rate: number }

/** Keeps to real time. */
export const REAL_TIME: ClockSetting = { anchorReal: 0, anchorVirtual: 0, rate: 1 }

/** Clocks stand still short of the year that ISO 8601 cannot write in four digits. */
export const END_OF_TIME = Date.UTC(9999, 0)

/**
 * The only file that reads time. Everything that a rule of the specification counts runs on the clock of the
 * organization; only signatures, certificates and what is sent to others are dated by real time, because nobody else
 * travels (D-92).
 */
export type Clock = {
  /** Real time, epoch milliseconds. */
  real(): number
  /** The organization's time, whole epoch milliseconds; never less than before, unless it is set. */
  now(organizationId: string): number
  setting(organizationId: string): ClockSetting
  /** Makes the clock run so; an anchor that real time has yet to reach counts from now. */
  set(organizationId: string, setting: ClockSetting): void
  /** Changes pace or jumps: goes on from an instant, by default from where it stands, at a rate. What is set comes back. */
  goOn(organizationId: string, change: { at?: number; rate?: number }): ClockSetting
  /** Real milliseconds until an organization's clock shows this instant; undefined where it never will by itself. */
  realUntil(organizationId: string, instant: number): number | undefined
}

/** A real time that is handed in passes by itself alone, unless it is told how much passes by no clock. */
export const createClock = (
  real: () => number = Date.now,
  elapsed: () => number = real === Date.now ? stopwatch() : () => 0,
): Clock => {
  const settings = new Map<string, ClockSetting>()
  const steady = neverBack(real, elapsed)
  const setting = (organizationId: string) => settings.get(organizationId) ?? REAL_TIME
  const set = (organizationId: string, wanted: ClockSetting): ClockSetting => {
    const begun = { ...wanted, anchorReal: Math.min(wanted.anchorReal, steady()) }
    settings.set(organizationId, begun)
    return begun
  }
  const now = (organizationId: string) => timeAt(setting(organizationId), steady())
  return {
    real,
    now,
    setting,
    set,
    goOn: (organizationId, { at = now(organizationId), rate = setting(organizationId).rate }) =>
      set(organizationId, { anchorReal: steady(), anchorVirtual: at, rate }),
    realUntil: (organizationId, instant) => realUntil(setting(organizationId), steady(), instant),
  }
}

/** What an organization's clock shows at a real instant. */
export const timeAt = ({ anchorReal, anchorVirtual, rate }: ClockSetting, real: number): number =>
  Math.min(Math.floor(anchorVirtual + (real - anchorReal) * rate), END_OF_TIME)

/** Whole real milliseconds from a real instant until a clock shows an instant of its own. */
export const realUntil = (setting: ClockSetting, real: number, instant: number): number | undefined => {
  if (timeAt(setting, real) >= instant) return 0
  if (setting.rate === 0 || instant > END_OF_TIME) return undefined
  const { anchorReal, anchorVirtual, rate } = setting
  return Math.ceil((instant - anchorVirtual) / rate - (real - anchorReal))
}

/**
 * Real time as it would be if the machine's clock had never been put back: what has passed, and the furthest that clock
 * ever was ahead of it. Thus what passed before anybody looked counts too, and no token lives longer for it (D-111).
 */
const neverBack = (real: () => number, elapsed: () => number): (() => number) => {
  let ahead = Number.NEGATIVE_INFINITY
  return () => {
    const seen = real() // first: a halt between the two would leave this clock ahead for good
    const passed = elapsed()
    ahead = Math.max(ahead, seen - passed)
    return Math.floor(ahead + passed + A_HAIR)
  }
}
/** Sums of such numbers are off by less. */
const A_HAIR = 0.01

/** Milliseconds since the process started to count, for durations in the journal. */
export const stopwatch = (): (() => number) => {
  const start = performance.now()
  return () => performance.now() - start
}

/** Lets real time pass, or so much of it as there is until the signal; without one a process may end meanwhile. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(milliseconds, undefined, signal ? { signal } : { ref: false }).catch(() => undefined)

/** Epoch milliseconds of such a time; a leap second counts as the one before it. */
export const instantOf = (text: string): number => Date.parse(text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'))

/** What comes before the milliseconds, by whole seconds: a call writes few others than those of the call before. */
const written = new Map<number, string>()
const MOST_WRITTEN = 100

/** Epoch milliseconds as the contract writes times: ISO 8601, UTC, milliseconds (D-38). */
export const isoTime = (milliseconds: number): string => {
  const second = Math.floor(milliseconds / 1000)
  const begun = written.get(second) ?? beginning(second)
  return `${begun}${String(Math.floor(milliseconds) - second * 1000).padStart(3, '0')}Z`
}

const beginning = (second: number): string => {
  if (written.size >= MOST_WRITTEN) written.clear()
  const text = new Date(second * 1000).toISOString().slice(0, -'000Z'.length)
  written.set(second, text)
  return text
}

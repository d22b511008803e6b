import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises, { setImmediate } from 'node:timers/promises'
import { createSeededIds } from '../../simulator/support/ids.ts'

/** Turns of the event loop that are waited for what a timer started, more than a group commit takes. */
const TURNS = 16

type Timer = { at: number; act: () => void; delay: number }

/** The time of one simulated machine: it stands still until it is moved, and the timers of this process follow it. */
export type VirtualTime = ReturnType<typeof installVirtualTime>

/** Waits for some turns of the event loop. */
export const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await setImmediate()
}

/** Replaces the timers, `performance.now` and `randomUUID` of this process until `uninstall`; starts at an instant, epoch ms. */
export const installVirtualTime = (start: number, seed: string) => {
  const real = { setTimeout, clearTimeout, now: performance.now, randomUUID: crypto.randomUUID }
  const realPause = timersPromises.setTimeout
  const timers = new Map<object, Timer>()
  let [now, moving] = [start, Promise.resolve()]

  const handleOf = (act: () => void, delay: number): object => {
    const arm = () => timers.set(handle, { at: now + Math.max(delay, 0), act, delay })
    const handle = {
      unref: () => handle,
      ref: () => handle,
      hasRef: () => false,
      refresh: () => {
        arm()
        return handle
      },
      [Symbol.toPrimitive]: () => 0,
    }
    arm()
    return handle
  }
  const isOurs = (handle: unknown): handle is object => typeof handle === 'object' && handle !== null
  globalThis.setTimeout = ((act: (...values: unknown[]) => void, delay = 0, ...values: unknown[]) =>
    handleOf(() => act(...values), delay)) as typeof setTimeout
  globalThis.clearTimeout = (handle => {
    if (!(isOurs(handle) && timers.delete(handle))) real.clearTimeout(handle)
  }) as typeof clearTimeout
  const pause = (delay = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const handle = handleOf(() => resolve(value), delay)
      signal?.addEventListener('abort', () => timers.delete(handle) && reject(signal.reason), { once: true })
    })
  timersPromises.setTimeout = pause as typeof timersPromises.setTimeout
  performance.now = () => now - start
  const ids = createSeededIds(seed, 0)
  crypto.randomUUID = (() => ids.uuid()) as typeof crypto.randomUUID
  syncBuiltinESMExports()

  const nextTimer = () => [...timers].sort(([, one], [, other]) => one.at - other.at)[0]
  /** Fires the timers up to an instant, each at its own time. */
  const fire = async (until: number, isAsleep: boolean): Promise<void> => {
    if (isAsleep) now = Math.max(now, until)
    for (let next = nextTimer(); next && next[1].at <= until; next = nextTimer()) {
      const [handle, { at, act }] = next
      timers.delete(handle)
      now = Math.max(now, at)
      act()
      await turns(TURNS)
    }
    now = Math.max(now, until)
  }
  const move = (milliseconds: number, isAsleep: boolean): Promise<void> => {
    const moved = moving.then(() => fire(now + milliseconds, isAsleep))
    moving = moved
    return moved
  }
  return {
    now: () => now,
    /** Time passes, and every timer fires at its own time. */
    pass: (milliseconds: number) => move(milliseconds, false),
    /** The machine sleeps: timers that ended meanwhile fire when it wakes. */
    sleep: (milliseconds: number) => move(milliseconds, true),
    /** Time until the first timer fires, in milliseconds; undefined where there is none. */
    untilTimer: (): number | undefined => {
      const [, timer] = nextTimer() ?? []
      return timer && Math.max(timer.at - now, 0)
    },
    /** Forgets every timer, as the process that set them is gone. */
    dropTimers: () => timers.clear(),
    uninstall: (): void => {
      Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout })
      timersPromises.setTimeout = realPause
      performance.now = real.now
      crypto.randomUUID = real.randomUUID
      syncBuiltinESMExports()
    },
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { isServed } from '../../client/http-exchange.ts'
import { stopwatch } from '../../client/wall-clock.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { isAwaitingShopper } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { ShopperDriverParts } from './shopper-driver-types.ts'

const DEFAULT_SECONDS = 10
/** Time between two reads, in seconds, where the profile asks for none: first short, as a mock acts soon, then twice the last. */
const PAUSE_SECONDS = { first: 0.1, longest: 1 }

/** Returns the longest time that the profile gives a shopper, in milliseconds. */
export const shopperDeadlineMs = ({ shopper }: Profile): number => (shopper?.withinSeconds ?? DEFAULT_SECONDS) * 1000

/**
 * Whether a deployment's status response tells that a payment still waits for its shopper, and later that it does not.
 */
export const canSeeShopperWaiting = ({ states, fields }: Profile): boolean =>
  states?.waiting !== undefined &&
  fields?.status?.state !== undefined &&
  !states.waiting.some(word => states.authenticated?.includes(word) || states.authorized?.includes(word))

/**
 * Reads the status of a payment until it shows that its shopper is no longer awaited; throws Blocked if it does not at
 * the deadline. A profile that does not name the waiting state costs the whole time.
 */
export const awaitShopperOutcome = async (
  { profile, merchant, ended }: ShopperDriverParts,
  transactionId: string,
  { line, deadlineMs = shopperDeadlineMs(profile) }: { line: string; deadlineMs?: number },
): Promise<void> => {
  if (!canSeeShopperWaiting(profile)) return pause(deadlineMs, undefined, { signal: ended })
  const elapsed = stopwatch()
  const { pollSeconds } = profile.limits ?? {}
  for (let seconds = PAUSE_SECONDS.first; ; seconds = Math.min(2 * seconds, PAUSE_SECONDS.longest)) {
    const status = await merchant.request('status', { path: { transactionId } })
    if (isServed(status) && !isAwaitingShopper(profile, status)) return
    if (elapsed() > deadlineMs) {
      const time = `${Math.round(deadlineMs / 1000)} s`
      const told = isServed(status)
        ? `payment ${transactionId} still waits for its shopper after ${time}: correct ${line}`
        : `the status of payment ${transactionId} could not be read for ${time}: correct paths.status`
      throw new Blocked(`${told} or raise shopper.withinSeconds in ${profile.file}`, status)
    }
    await pause((pollSeconds ?? seconds) * 1000, undefined, { signal: ended })
  }
}

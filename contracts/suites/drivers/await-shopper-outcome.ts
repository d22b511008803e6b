import { setTimeout as pause } from 'node:timers/promises'
import type { Merchant } from '../../client/merchant-client.ts'
import { stopwatch } from '../../client/wall-clock.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { isAwaitingShopper } from '../../harness/profile/response-fields.ts'

const DEFAULT_SECONDS = 10

/** Longest time that the profile gives a shopper, in milliseconds. */
export const shopperDeadlineMs = ({ shopper }: Profile): number => (shopper?.withinSeconds ?? DEFAULT_SECONDS) * 1000

/** Reads the status of a payment until it no longer waits for its shopper, or the shopper's time is over. */
export const awaitShopperOutcome = async (
  profile: Profile,
  merchant: Merchant,
  transactionId: string,
  deadlineMs = shopperDeadlineMs(profile),
): Promise<void> => {
  const elapsed = stopwatch()
  while (isAwaitingShopper(profile, await merchant.request('status', { path: { transactionId } }))) {
    if (elapsed() > deadlineMs) return
    await pause((profile.limits?.pollSeconds ?? 1) * 1000)
  }
}

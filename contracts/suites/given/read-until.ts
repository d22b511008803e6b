import type { Exchange } from '../../client/http-exchange.ts'
import type { CallOverrides } from '../../client/send-signed-call.ts'
import { realTime, sleep } from '../../client/wall-clock.ts'
import { createExpect } from '../../harness/judge/check-assertions.ts'
import { Mismatch } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import type { Clock } from '../drivers/clock.ts'

/**
 * Longest time, in seconds, in which a check waits for what a call did to show: results are also learned by polling (1,
 * E5).
 */
export const SHOWN_WITHIN_SECONDS = 3
/** Time between two reads, in seconds, where the profile asks for no longer one. */
const INTERVAL_SECONDS = 0.25

/** How long a read is repeated, and by which clock; a scenario that is played on later needs that of its organization. */
type ReadLimits = { withinSeconds?: number; clock?: Pick<Clock, 'now' | 'pause'> }

/** Repeats a read for a check until its response is the wanted one or the time is over; returns the last exchange. */
export const readUntil = async (
  { limits }: Pick<Profile, 'limits'>,
  read: () => Promise<Exchange>,
  isWanted: (exchange: Exchange) => boolean,
  { withinSeconds = SHOWN_WITHIN_SECONDS, clock = { now: realTime, pause: sleep } }: ReadLimits = {},
): Promise<Exchange> => {
  const begun = clock.now()
  const interval = 1000 * Math.max(limits?.pollSeconds ?? 0, INTERVAL_SECONDS)
  for (;;) {
    const exchange = await read()
    if (isWanted(exchange) || clock.now() - begun + interval > withinSeconds * 1000) return exchange
    await clock.pause(interval)
  }
}

/** Whether a status shows one of these lifecycle categories; undefined where the profile cannot tell. */
export const showsCategory = (
  profile: Profile,
  exchange: Exchange,
  ...categories: readonly string[]
): boolean | undefined => {
  try {
    createExpect(profile, { id: 'status' }).inCategory(exchange, ...categories)
    return true
  } catch (error) {
    return error instanceof Mismatch ? false : undefined
  }
}

/** Reads the status of a payment until it is in one of these categories, or the profile cannot tell; returns the last read. */
export const readStatusUntil = (
  profile: Profile,
  { merchant, clock }: TestOrganization,
  transactionId: string,
  categories: readonly string[],
  { alter = {}, withinSeconds }: { alter?: CallOverrides; withinSeconds?: number } = {},
): Promise<Exchange> =>
  readUntil(
    profile,
    () => merchant.request('status', { path: { transactionId } }, alter),
    exchange => showsCategory(profile, exchange, ...categories) !== false,
    { clock, ...(withinSeconds !== undefined && { withinSeconds }) },
  )

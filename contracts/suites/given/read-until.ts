import type { Exchange } from '../../client/http-exchange.ts'
import type { CallOverrides } from '../../client/send-signed-call.ts'
import { createExpect, type Expect } from '../../harness/judge/check-assertions.ts'
import { Inconclusive, Mismatch } from '../../harness/judge/verdict-errors.ts'
import {
  LONGEST_WAIT_SECONDS,
  patienceSeconds,
  webhookSeconds,
} from '../../harness/profile/abilities-from-profile-lines.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import { type Clock, createRealClock } from '../drivers/clock.ts'

/** Time, in seconds, in which what a call did shows on a simulator. */
export const SHOWN_WITHIN_SECONDS = 3
/** Time between two reads, in seconds, where the profile asks for no longer one: of a deployment, and of a simulator. */
const INTERVAL_SECONDS = { deployment: 0.25, simulator: 0.02 }

/**
 * How long a read is repeated, and by which clock, which ends it with the run: for calls that of the organization, as a
 * scenario may be played on later.
 */
type ReadLimits = { withinSeconds?: number; clock: Pick<Clock, 'now' | 'pause'> }

type Patient = Pick<Profile, 'control' | 'limits' | 'patience'>

/**
 * Returns how long, in seconds, a check waits for what a call did to show: results are also learned by polling (1, E5),
 * and no time is stated.
 */
export const shownWithinSeconds = (profile: Patient): number =>
  profile.control
    ? SHOWN_WITHIN_SECONDS
    : Math.min(Math.max(patienceSeconds(profile), SHOWN_WITHIN_SECONDS), LONGEST_WAIT_SECONDS)

/**
 * Repeats a read for a check until its response is the wanted one or the time is over, at least once however long the
 * pause between two reads is; returns the last exchange. A `pollSeconds` of 0, which no profile can have, reads once.
 */
export const readUntil = async (
  profile: Patient,
  read: () => Promise<Exchange>,
  isWanted: (exchange: Exchange) => boolean,
  { withinSeconds = shownWithinSeconds(profile), clock }: ReadLimits,
): Promise<Exchange> => {
  const interval = INTERVAL_SECONDS[profile.control ? 'simulator' : 'deployment']
  const { pollSeconds = interval } = profile.limits ?? {}
  let exchange = await read()
  const until = clock.now() + withinSeconds * 1000
  while (!isWanted(exchange) && pollSeconds > 0 && clock.now() < until) {
    await clock.pause(1000 * Math.max(pollSeconds, interval))
    exchange = await read()
  }
  return exchange
}

/** Limits of repeated looks at the webhooks that have come; an inbox shows them at once. */
export const webhookLimits = ({ profile, ended }: { profile: Patient; ended: AbortSignal }): Required<ReadLimits> => ({
  clock: createRealClock(ended),
  withinSeconds: profile.control ? shownWithinSeconds(profile) : webhookSeconds(profile),
})

/** Whether a status shows one of these lifecycle categories; undefined where the profile cannot tell. */
export const showsCategory = (profile: Profile, exchange: Exchange, ...categories: readonly string[]) =>
  isMet(profile, expect => expect.inCategory(exchange, ...categories))

/** Whether what is expected of evidence holds already; undefined where the profile cannot tell. */
export const isMet = (profile: Profile, judge: (expect: Expect) => void): boolean | undefined => {
  try {
    judge(createExpect(profile, { id: 'status' }))
    return true
  } catch (error) {
    const isTooEarly = error instanceof Inconclusive && error.exchange?.response !== undefined
    return error instanceof Mismatch || isTooEarly ? false : undefined
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

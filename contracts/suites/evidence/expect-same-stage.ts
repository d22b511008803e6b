import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import type { Profile } from '../../harness/profile/profile.ts'

/**
 * Expects a payment to be in the stage in which it was: in the same state, or in another word of its stage by the profile's
 * `states`, or to have settled, which happens by itself (R4).
 */
export const expectSameStage = (then: unknown, now: unknown, exchange: Exchange, expect: Expect): void => {
  if (!isSameStage(expect.profile, String(then), String(now))) expect.equal('state', now, then, exchange)
}

const isSameStage = ({ states = {} }: Profile, then: string, now: string): boolean =>
  Object.entries(states).some(([stage, words]) => {
    const later = stage === 'captured' ? [...words, ...(states.settled ?? [])] : words
    return words.includes(then) && later.includes(now)
  })

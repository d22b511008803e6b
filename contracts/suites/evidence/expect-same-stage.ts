import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'

/**
 * Expects a payment to be in the stage in which it was: in the same state, or in another word of its stage by the profile's
 * `states`, or to have settled, which happens by itself (R4). Throws Blocked where its shopper's time ended meanwhile (R6).
 */
export const expectSameStage = (then: unknown, now: unknown, exchange: Exchange, expect: Expect): void => {
  const [before, after] = [String(then), String(now)]
  if (isSameStage(expect.profile, before, after)) return
  if (hasLapsed(expect.profile, before, after))
    throw new Blocked(`the payment was ${before}, and has lapsed meanwhile: it is ${after}`, exchange)
  expect.equal('state', now, then, exchange)
}

const hasLapsed = ({ states = {} }: Profile, before: string, after: string): boolean => {
  const isIn = (word: string, ...stages: string[]) => stages.some(stage => states[stage]?.includes(word))
  return isIn(before, 'waiting', 'authenticated') && isIn(after, 'expired', 'declined') && !isIn(after, 'canceled')
}

/** Whether a state is another word of the stage of an earlier one, or that of a payment which has settled by itself since (R4). */
export const isSameStage = ({ states = {} }: Profile, then: string, now: string): boolean =>
  Object.entries(states).some(([stage, words]) => {
    const later = stage === 'captured' ? [...words, ...(states.settled ?? [])] : words
    return words.includes(then) && later.includes(now)
  })

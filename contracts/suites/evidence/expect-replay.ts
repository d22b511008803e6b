import { type Exchange, isServed } from '../../client/http-exchange.ts'
import { type Expect, PUT_OFF } from '../../harness/judge/check-assertions.ts'
import { withoutCallId } from '../../harness/profile/response-fields-and-line-advice.ts'
import { statesTheSame } from '../../model/bodies-mean-the-same.ts'
import { expectPremise } from './expect-premise.ts'

/** Statuses by which the later of two calls may be put off: the key is in use, the resource is locked, or ask again (7.1). */
export const LATER_OF_TWO: readonly number[] = [409, ...PUT_OFF]

/** Status of a call that is not yet carried out. */
export const ACCEPTED = 202

/**
 * Expects a replay to be served with the meaning of the first response: all members that both have state the same, and
 * what was done is not merely accepted (I3).
 */
export const expectReplay = (replay: Exchange, first: Exchange, expect: Expect): void => {
  expectPremise(first, 'the first call', expect)
  expect.response(replay)
  expect.holds(isServed(replay), 'the call to be served', expect.describeJudged(replay), replay)
  const isUndone = replay.response?.status === ACCEPTED && first.response?.status !== ACCEPTED
  expect.holds(!isUndone, `HTTP ${first.response?.status}`, expect.describeJudged(replay), replay)
  const [one, other] = [first, replay].map(exchange => withoutCallId(expect.profile, exchange))
  expect.holds(statesTheSame(one, other), `body ${JSON.stringify(one)}`, JSON.stringify(other) ?? 'nothing', replay)
}

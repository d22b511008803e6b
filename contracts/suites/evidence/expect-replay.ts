import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { withoutCallId } from '../../harness/profile/response-fields.ts'

/** Expects a replay to have the status and JSON body of the first response, apart from the call id (I3). */
export const expectReplay = (replay: Exchange, first: Exchange, expect: Expect): void => {
  expect.served(first)
  expect.holds(
    replay.response?.status === first.response?.status,
    `HTTP ${first.response?.status}`,
    expect.describeJudged(replay),
    replay,
  )
  const bare = (exchange: Exchange) => withoutCallId(expect.profile, exchange)
  expect.equal('body', bare(replay), bare(first), replay)
}

import { type Exchange, isServed, responseJson } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { commonJson } from '../../harness/judge/compare-shared-json-members.ts'
import { Inconclusive } from '../../harness/judge/verdict-errors.ts'
import { statesTheSame } from '../../model/bodies-mean-the-same.ts'

/** Reads beside one with a key: another thing's under that key before it, and two without a key, one before and one after it. */
type OtherReads = { earlier: Exchange; plain: readonly [Exchange, Exchange] }

/**
 * Expects a read with a key to be served, and not with what the key was used for earlier (E1). Reads need not equal each
 * other: members such as figures of the moment or the name of a node may vary.
 */
export const expectKeyIgnored = (keyed: Exchange, { earlier, plain }: OtherReads, expect: Expect): void => {
  expect.served(keyed)
  const lost = plain.find(read => expect.response(read).status >= 300)
  if (lost) throw new Inconclusive('a read without a key was not served', lost)
  const [one, other] = plain
  const shared = commonJson(responseJson(one), responseJson(other))
  if (!shared || Object.keys(shared).length === 0)
    throw new Inconclusive('two reads without a key tell nothing alike', other)
  const means = (body: unknown) => statesTheSame(body, responseJson(keyed))
  const isReplay = isServed(earlier) && means(responseJson(earlier)) && !means(shared)
  expect.holds(!isReplay, `body ${JSON.stringify(shared)}`, responseJson(keyed), keyed)
}

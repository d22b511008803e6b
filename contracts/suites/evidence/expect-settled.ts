import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import { showsCategory } from '../given/read-until.ts'
import { expectCategoryUnlessDeclined } from './expect-premise.ts'

/**
 * Expects a captured payment to be settled once `waitForSettlement` is over (R4); throws Untestable where the profile
 * does not say how long that takes, Blocked where the payment was declined.
 */
export const expectSettled = (status: Exchange, expect: Expect): void => {
  const { settlement, file } = expect.profile
  if (!settlement && showsCategory(expect.profile, status, 'settled') === false)
    throw new Untestable(`how long a settlement takes is not known: add to ${file} settlement.withinSeconds`)
  expectCategoryUnlessDeclined(status, expect, 'settled')
}

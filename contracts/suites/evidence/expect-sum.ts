import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { amountOf } from '../../harness/judge/compare-scalars.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields.ts'

/** A sum in the events of a payment: what was captured, or refunded, so far. */
export type SumField = 'events.captured' | 'events.refunded'

/** Whether events show this sum; also where they show none that can be read, for which no reading on helps. */
export const showsSum =
  (profile: Profile, field: SumField, sum: number) =>
  (events: Exchange): boolean => {
    const found = amountOf(findField(profile, events, field))
    return found === undefined || found === sum
  }

/** Expects a sum, be it written as a number or a text. */
export const expectSum = (events: Exchange, field: SumField, sum: number, expect: Expect): void => {
  const found = expect.field(events, field)
  const amount = amountOf(found)
  if (amount === undefined)
    throw new Untestable(`fields.${field} points at no amount: correct it in ${expect.profile.file}`, events)
  expect.holds(amount === sum, `${field.replace('events.', '')} sum ${sum}`, found, events)
}

import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { amountOf } from '../../harness/judge/compare-scalars.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField, profileLine } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import { readUntil } from '../given/read-until.ts'

/** Name of a sum of a payment: what was captured, or what was refunded. */
export type Sum = 'captured' | 'refunded'

/** Returns the read that shows a member of a payment: events, or status where only that has it by the profile. */
export const readThatShows = (profile: Profile, ...members: readonly string[]): 'events' | 'status' => {
  const knows = (read: string) => members.some(member => profileLine(profile, `fields.${read}.${member}`) !== undefined)
  return !knows('events') && knows('status') ? 'status' : 'events'
}

/**
 * Finds a payment's captured or refunded sum in the read that shows it, as the deployment writes it; undefined where
 * there is none.
 */
export const findSum = (profile: Profile, exchange: Exchange, sum: Sum): unknown =>
  findField(profile, exchange, `${readThatShows(profile, sum)}.${sum}`)

/**
 * Creates a predicate for a check that waits for a captured or refunded sum: whether a response shows this amount, or
 * shows no sum at all, so that reading again would not help.
 */
export const showsSum =
  (profile: Profile, sum: Sum, amount: number) =>
  (exchange: Exchange): boolean => {
    const found = amountOf(profile, findSum(profile, exchange, sum))
    return found === undefined || found === amount
  }

/** Reads a payment of a check until it shows this captured or refunded sum, or none: reads may lag (E5). */
export const readSumUntil = (
  context: TestOrganization & { profile: Profile },
  transactionId: string,
  sum: Sum,
  amount: number,
): Promise<Exchange> => {
  const { profile } = context
  const read = operationsOn(context, transactionId)[readThatShows(profile, sum)]
  return readUntil(profile, read, showsSum(profile, sum, amount), context)
}

/** Expects a payment's captured or refunded sum, be it written as a number or a text. */
export const expectSum = (exchange: Exchange, sum: Sum, amount: number, expect: Expect): void => {
  const field = `${readThatShows(expect.profile, sum)}.${sum}`
  const found = expect.field(exchange, field)
  const shown = amountOf(expect.profile, found)
  if (shown === undefined)
    throw new Untestable(`fields.${field} points at no amount: correct it in ${expect.profile.file}`, exchange)
  if (shown < amount) expect.maybeLater(`${sum} sum ${shown}`, exchange)
  expect.holds(shown === amount, `${sum} sum ${amount}`, found, exchange)
}

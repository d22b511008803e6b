import { type Exchange, isServed } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { CheckContext } from '../context/check-context.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import { readUntil } from '../given/read-until.ts'

/** Counts the events in a read of a payment's events; undefined where no list is found. */
export const findEventCount = (profile: Profile, exchange: Exchange): number | undefined => {
  const list = findField(profile, exchange, 'events.list')
  return Array.isArray(list) ? list.length : undefined
}

/** Reads the events of a check's payment until there are more than in an earlier read: reads may lag (E5). */
export const readEventsAfter = (context: CheckContext, transactionId: string, before: Exchange): Promise<Exchange> => {
  const { profile } = context
  const known = findEventCount(profile, before) ?? Infinity
  const isNews = (exchange: Exchange): boolean => known === Infinity || (findEventCount(profile, exchange) ?? 0) > known
  return readUntil(profile, operationsOn(context, transactionId).events, isNews, context)
}

/** Expects more events of a payment than before a step: lifecycle events can be read (4, 6); none in time may come later. */
export const expectMoreEvents = (before: Exchange, after: Exchange, expect: Expect): void => {
  const [known, now] = [before, after].map(exchange => {
    expect.field(exchange, 'events.list')
    const count = findEventCount(expect.profile, exchange)
    if (isServed(exchange) && count !== undefined) return count
    throw new Blocked('the events could not be read', exchange)
  }) as [number, number]
  if (now <= known) expect.maybeLater(`no event beside the ${known} of before`, after)
  expect.holds(now > known, `more than ${known} events`, `${now}`, after)
}

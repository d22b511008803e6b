import { describeExchange, type Exchange, isServed } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import { offersMethod } from '../../harness/profile/capabilities-that-checks-need.ts'
import { driverAdvice, isDecline } from '../../harness/profile/response-fields-and-line-advice.ts'
import { showsCategory } from '../given/read-until.ts'
import { isUnsupported } from './unsupported-operation.ts'

/** Throws Blocked unless a call that a check builds on was served and not declined (rule 14). */
export const expectPremise = (exchange: Exchange, what: string, expect: Expect): void => {
  expect.response(exchange)
  if (isServed(exchange) && !isDecline(expect.profile, exchange)) return
  throw new Blocked(`it builds on "${what}", which was not served: ${describeExchange(exchange)}`, exchange)
}

/** Throws Blocked where a status shows that a payment is not in one of the categories that a check builds on. */
export const expectPremiseState = (exchange: Exchange, expect: Expect, ...categories: string[]): void => {
  expect.response(exchange)
  if (showsCategory(expect.profile, exchange, ...categories) !== false) return
  throw new Blocked(`it builds on a payment that is ${categories.join(' or ')}, and this one is not`, exchange)
}

/**
 * Expects a payment that was let through to be in one of these categories; throws Blocked where it was declined, as any
 * payment may be afterwards (7.2, E5).
 */
export const expectCategoryUnlessDeclined = (status: Exchange, expect: Expect, ...categories: string[]): void => {
  if (showsCategory(expect.profile, status, 'declined') && !showsCategory(expect.profile, status, ...categories))
    throw new Blocked('the payment was declined, so that nothing shows', status)
  expect.inCategory(status, ...categories)
}

/**
 * Expects a capture or cancel by hand to be served; throws Blocked where its payment shows as captured, or where the call was
 * refused and the payment does not show as authorized: `autoCapture` may be read elsewhere (2.1, D-02).
 */
export const expectServedByHand = (call: Exchange, authorized: Exchange, expect: Expect): void => {
  for (const exchange of [call, authorized]) expect.response(exchange)
  const shows = (...categories: string[]) => showsCategory(expect.profile, authorized, ...categories)
  if (shows('captured', 'settled') || (!isServed(call) && !shows('authorized')))
    throw new Blocked(
      `it builds on a payment that is authorized, which does not show: are paymentDetails.autoCapture under requests, fields.status.state and states.authorized of ${expect.profile.file} right?`,
      authorized,
    )
  expect.served(call)
}

/** Throws Blocked where a refund was refused as an operation that is not supported (1, 7.1). */
export const expectRefunds = (exchange: Exchange, expect: Expect): void => {
  expect.response(exchange)
  if (isUnsupported(expect.profile, exchange)) throw new Blocked('there seem to be no refunds', exchange)
}

/** Throws Blocked where a payment that is captured by hand was refused as an operation that is not supported (1, 7.1). */
export const expectManualCapture = (exchange: Exchange, expect: Expect): void => {
  expect.response(exchange)
  if (!isUnsupported(expect.profile, exchange)) return
  const { profile } = expect
  const untried = offersMethod(profile, 'BLIK') ? driverAdvice(profile, 'blik.approve') : undefined
  const what = untried
    ? `IRIS seems to have no capture by hand, and of BLIK it is not known: ${untried.reason}; `
    : 'there seems to be no capture by hand: '
  throw new Blocked(
    `${what}${untried ? 'if it has none either' : 'if so'}, add to ${profile.file} the line capabilities.manualCapture: false`,
    exchange,
  )
}

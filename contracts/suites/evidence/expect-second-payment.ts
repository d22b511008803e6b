import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findReasonCode } from '../../harness/profile/response-fields-and-line-advice.ts'

/** The code of a scheme that knows the reference already, so that no second payment is made (7.3, 7.5). */
const DUPLICATE = '3001'

type Beginning = 'initiate' | 'charge'

/** Whether a call that begins a payment was refused or declined as its reference is known already (7.3, C3). */
export const isReferenceKnown = (profile: Profile, second: Exchange, operation: Beginning = 'initiate'): boolean =>
  findReasonCode(profile, second, `${operation}.reasonCode`) === DUPLICATE

/**
 * Expects a second payment from a call that repeats the reference of the first under a fresh key (2.1), or 3001, in a
 * refusal or a decline: the document has both (C3).
 */
export const expectSecondPayment = (
  first: Exchange,
  second: Exchange,
  expect: Expect,
  operation: Beginning = 'initiate',
): void => {
  if (isReferenceKnown(expect.profile, second, operation)) return
  expect.served(second)
  expectTwoIds(first, second, expect, operation)
}

/** Expects the responses to two calls that begin a payment to name two payments (2.6). */
export const expectTwoIds = (
  first: Exchange,
  second: Exchange,
  expect: Expect,
  operation: Beginning = 'initiate',
): void => {
  const [one, two] = [first, second].map(exchange => String(expect.field(exchange, `${operation}.transactionId`)))
  expect.holds(one !== two, 'another transactionId', `${two} again`, second)
}

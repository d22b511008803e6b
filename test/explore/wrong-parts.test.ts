import { expect, test } from 'vitest'
import { composeCall } from '../../contracts/explore/compose/compose-call.ts'
import type { InvalidRequest } from '../../contracts/explore/invalid-requests.ts'
import { rulesOfProfile } from '../../contracts/explore/model-rules-of-profile.ts'
import { createStage } from '../../contracts/explore/organizations-and-values-of-play.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import type { Call } from '../../contracts/model/model-call-and-judged-response.ts'
import { EMPTY_MODEL_STATE, type Payment, withPayment } from '../../contracts/model/model-state.ts'
import { statesAfter } from '../../contracts/model/permitted-outcomes-of-call.ts'
import type { TestOrganization } from '../../contracts/suites/context/test-organization.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { HELD_PAYMENT } from './sample-model-payment.ts'

const FOREVER = { from: 0, to: Number.POSITIVE_INFINITY }
const PAID: Payment = { ...HELD_PAYMENT, captures: [{ amount: 1000, settled: true, settles: FOREVER }] }
const WAITING: Payment = { ...HELD_PAYMENT, phase: 'waiting' }

const organization = {
  account: 'a',
  merchant: { credentials: { processingAccountIds: ['a'] } },
  clock: { now: () => 10 },
} as unknown as TestOrganization

/** Whether the model permits a status for an act with a wrong sum on a payment of a deployment with these lines. */
const permits = async (
  lines: Partial<Profile>,
  payment: Payment,
  [act, wrong, amount]: [act: 'capture' | 'refund', wrong: InvalidRequest, amount: number | undefined],
  http: number,
): Promise<boolean> => {
  const profile: Profile = { ...readProfile(SIMULATOR_PROFILE), confirmed: [], ...lines }
  const stage = createStage(profile, { first: organization, second: organization })
  stage.payments.set('p', { transactionId: 't', reference: 'r', method: 'BLIK', owner: 'first', account: 'a' })
  const step = { id: 's2', do: act, on: 'p', wrong, ...(amount !== undefined && { amount }) } as const
  const sent = await composeCall(stage, step)
  const call = { ...sent?.call, sentAt: 10, receivedAt: 20 } as Call
  const response = { http, code: http === 501 ? '8003' : '4001', json: {} }
  const states = [withPayment(EMPTY_MODEL_STATE, 'p', payment)]
  return statesAfter(states, call, response, rulesOfProfile(profile)).length > 0
}

const PARTS = { capture: 'partialCaptures', refund: 'partialRefunds' } as const
const SUMS = ['part of 0', 'part below 0'] as const
const cases = (['capture', 'refund'] as const).flatMap(act =>
  SUMS.flatMap(wrong => [undefined, 400].map(amount => [act, wrong, amount] as const)),
)

test.each(cases)('1, 7.1: a %s with %s may be 501 where no part is offered, in place of %j', async (...step) => {
  const lines = { capabilities: { [PARTS[step[0]]]: false } }
  for (const payment of [step[0] === 'capture' ? HELD_PAYMENT : PAID, WAITING]) {
    expect(await permits(lines, payment, [...step], 501)).toBe(true)
    expect(await permits(lines, payment, [...step], 400)).toBe(true)
    expect(await permits(lines, payment, [...step], 200)).toBe(false)
  }
})

test.each(cases)('2.2, 7.1: a %s with %s is no 501 where parts are offered, in place of %j', async (...step) => {
  const payment = step[0] === 'capture' ? HELD_PAYMENT : PAID
  expect(await permits({ confirmed: 'all' }, payment, [...step], 501)).toBe(false)
  expect(await permits({ confirmed: 'all' }, payment, [...step], 422)).toBe(true)
})

import { expect, test } from 'vitest'
import { rulesOfProfile } from '../../contracts/explore/model-rules-of-profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import type { Call, JudgedResponse } from '../../contracts/model/model-call-and-judged-response.ts'
import { EMPTY_MODEL_STATE, type Payment, withPayment } from '../../contracts/model/model-state.ts'
import { statesAfter } from '../../contracts/model/permitted-outcomes-of-call.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { HELD_PAYMENT } from './sample-model-payment.ts'

const SERVED: JudgedResponse = { http: 200, json: {} }
const UNSUPPORTED: JudgedResponse = { http: 501, code: '8003', json: {} }
const FOREVER = { from: 0, to: Number.POSITIVE_INFINITY }

const settled = (...amounts: number[]): Payment => ({
  ...HELD_PAYMENT,
  captures: amounts.map(amount => ({ amount, settled: true, settles: FOREVER })),
})
const made = { by: 'first', sentAt: 10, receivedAt: 20, key: 'k', payload: 'x', account: 'a', payment: 'p' } as const

const FOREIGN: Payment = { ...HELD_PAYMENT, owner: 'second' }

const permits = (
  lacked: string,
  before: Payment,
  call: Pick<Call, 'operation' | 'amount'>,
  response: JudgedResponse,
) => {
  const decisions = { 'D-39': 'waiting' } as const
  const profile = { ...readProfile(SIMULATOR_PROFILE), confirmed: [], decisions, capabilities: { [lacked]: false } }
  const states = [withPayment(EMPTY_MODEL_STATE, 'p', before)]
  return statesAfter(states, { ...made, ...call } as Call, response, rulesOfProfile(profile)).length > 0
}

type Row = [string, string, Payment, Pick<Call, 'operation' | 'amount'>, JudgedResponse, boolean]

// The profile denies parts as a whole: a deployment may offer the first of them, or refuse before it looks at the sum.
test.each<Row>([
  [
    'more than is held, where nothing is captured by hand',
    'manualCapture',
    HELD_PAYMENT,
    { operation: 'capture', amount: 1001 },
    UNSUPPORTED,
    true,
  ],
  [
    'all that is held, where nothing is captured by hand',
    'manualCapture',
    HELD_PAYMENT,
    { operation: 'capture' },
    SERVED,
    false,
  ],
  [
    'one part, where parts are denied',
    'partialCaptures',
    HELD_PAYMENT,
    { operation: 'capture', amount: 400 },
    SERVED,
    true,
  ],
  [
    'one part, where parts are denied',
    'partialCaptures',
    HELD_PAYMENT,
    { operation: 'capture', amount: 400 },
    UNSUPPORTED,
    true,
  ],
  [
    'the rest, where parts are denied',
    'partialCaptures',
    settled(400),
    { operation: 'capture', amount: 600 },
    UNSUPPORTED,
    true,
  ],
  [
    'more than the rest, where parts are denied',
    'partialCaptures',
    settled(400),
    { operation: 'capture', amount: 601 },
    UNSUPPORTED,
    true,
  ],
  [
    'all that is held, where parts are denied',
    'partialCaptures',
    HELD_PAYMENT,
    { operation: 'capture' },
    UNSUPPORTED,
    false,
  ],
  [
    'a part back, where parts are denied',
    'partialRefunds',
    settled(1000),
    { operation: 'refund', amount: 400 },
    SERVED,
    true,
  ],
  [
    'too much back, where parts are denied',
    'partialRefunds',
    settled(1000),
    { operation: 'refund', amount: 1001 },
    UNSUPPORTED,
    true,
  ],
  ['all back, where parts are denied', 'partialRefunds', settled(1000), { operation: 'refund' }, UNSUPPORTED, false],
  [
    "another's payment, where nothing is captured by hand",
    'manualCapture',
    FOREIGN,
    { operation: 'capture' },
    UNSUPPORTED,
    true,
  ],
  [
    "another's payment, where parts are denied",
    'partialCaptures',
    FOREIGN,
    { operation: 'capture' },
    UNSUPPORTED,
    false,
  ],
  ...(['waiting', 'authenticated', 'canceled', 'held'] as const).map(
    (phase): Row => [
      `a cancel of one that is ${phase}, of a method that may lack it`,
      'mocks',
      { ...HELD_PAYMENT, phase },
      { operation: 'cancel' },
      UNSUPPORTED,
      phase !== 'held',
    ],
  ),
  [
    'a cancel of a method whose payments are never held alone',
    'mocks',
    { ...settled(1000), method: 'IRIS' },
    { operation: 'cancel' },
    UNSUPPORTED,
    true,
  ],
])('3, 7.1: %s (%s)', (_, lacked, before, call, response, isPermitted) => {
  expect(permits(lacked, before, call, response)).toBe(isPermitted)
})

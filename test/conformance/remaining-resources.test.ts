import { expect, test } from 'vitest'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { findRemainingResources } from '../../contracts/harness/safety/find-remaining-resources.ts'
import { readWriteCall, type WriteCall } from '../../contracts/harness/safety/parse-write-call.ts'
import { createWriteLedger, type WriteOutcome } from '../../contracts/harness/safety/write-ledger.ts'

type Made = [operation: WriteCall['operation'], became: Omit<WriteOutcome, 'of'> | undefined, more?: Partial<WriteCall>]

const leftBy = (calls: readonly Made[]) => {
  const ledger = createWriteLedger()
  for (const [operation, became, more] of calls) {
    const isStart = operation === 'initiate' || operation === 'charge'
    const record = ledger.record('ours', {
      operation,
      ...(isStart ? { autoCapture: false } : { transactionId: 'tx' }),
      ...more,
    })
    if (became) record(isStart && became.status === 200 ? { transactionId: 'tx', ...became } : became)
  }
  return findRemainingResources(ledger.lines)
}

const SERVED = { status: 200 }
const DECLINED = { ...SERVED, declined: true } as const
const STARTED: Made = ['initiate', SERVED]
const AUTHORIZED: Made[] = [STARTED, ['finalize', SERVED]]

// biome-ignore format: a table reads by its columns
const STAGES: [string, Made[], string | undefined][] = [
  ['finalize answered 504',                              [STARTED, ['finalize', { status: 504 }]],                                 'authorized'],
  ['finalize without a response',                        [STARTED, ['finalize', { fault: 'TIMEOUT' }]],                            'authorized'],
  ['finalize cut off before its outcome',                [STARTED, ['finalize', undefined]],                                       'authorized'],
  ['finalize answered 504, of what it captures as well', [['initiate', SERVED, { autoCapture: true }], ['finalize', { status: 504 }]], 'begun'],
  ['finalize refused',                                   [STARTED, ['finalize', { status: 422 }]],                                 'begun'],
  ['finalize answered 501, which is a refusal',          [STARTED, ['finalize', { status: 501 }]],                                 'begun'],
  ['finalize answered 504, of a payment of nobody',      [['finalize', { status: 504 }]],                                          undefined],
  ['charge answered 502 with the id of its payment',     [['charge', { status: 502, transactionId: 'tx' }]],                       'authorized'],
  ['cancel answered 504',                                [...AUTHORIZED, ['cancel', { status: 504 }]],                             'authorized'],
  ['capture answered 504',                               [...AUTHORIZED, ['capture', { status: 504 }]],                            'authorized'],
  ['cancel refused as it was captured after all',        [...AUTHORIZED, ['capture', { status: 504 }], ['cancel', { status: 422 }]], 'ended'],
  ['cancel refused before it was authorized',            [STARTED, ['cancel', { status: 422 }], ['finalize', SERVED]],             'authorized'],
  ['finalize declined with 200',                         [STARTED, ['finalize', DECLINED]],                                        'begun'],
  ['capture declined with 200',                          [...AUTHORIZED, ['capture', DECLINED]],                                   'authorized'],
  ['cancel declined with 200',                           [...AUTHORIZED, ['cancel', DECLINED]],                                    'authorized'],
  ['initiate replayed after finalize',                   [...AUTHORIZED, STARTED],                                                 'authorized'],
  ['finalize replayed after capture',                    [...AUTHORIZED, ['capture', SERVED], ['finalize', SERVED]],               'captured'],
  ['finalize repeated after capture, answered 504',      [...AUTHORIZED, ['capture', SERVED], ['finalize', { status: 504 }]],      'captured'],
]

test.each(STAGES)('7: clean-up knows the stage of a payment: %s', (_what, calls, stage) => {
  expect(leftBy(calls).payments).toEqual(
    stage === undefined ? [] : [{ organization: 'ours', transactionId: 'tx', stage }],
  )
})

test('7: writes answered 5xx or not at all may have been carried out; those answered 501 or 4xx were not', () => {
  const outcomes = [
    { status: 500 },
    { status: 504 },
    { fault: 'ECONNRESET' },
    undefined,
    { status: 501 },
    { status: 422 },
    SERVED,
  ]
  const { unknown } = leftBy(outcomes.map((became): Made => ['refund', became]))
  expect(unknown.map(({ became }) => became?.status ?? became?.fault)).toEqual([500, 504, 'ECONNRESET', undefined])
})

const initiateAt = (decisions: NonNullable<Profile['decisions']>, paymentDetails: object) => {
  const baseUrl = 'https://api.example'
  const profile: Profile = {
    file: 'ours.yaml',
    name: 'ours',
    target: { baseUrl, environment: 'sandbox' },
    organization: { kit: '.' },
    decisions,
  }
  const body = Buffer.from(JSON.stringify({ paymentDetails }))
  return readWriteCall(profile, { method: 'POST', url: `${baseUrl}/payments/initiate`, headers: {}, body })
}

test.each([
  [{}, {}, true],
  [{ 'D-02': 'on' }, {}, true],
  [{ 'D-02': 'off' }, {}, false],
  [{ 'D-02': 'off' }, { autoCapture: true }, true],
  [{}, { autoCapture: false }, false],
] as const)('D-02: with decisions %j a payment of %j is captured by finalize: %j', (decisions, details, isCaptured) => {
  const call = initiateAt(decisions, details)
  expect(call?.autoCapture).toBe(isCaptured)
  const { payments } = leftBy([
    ['initiate', SERVED, call ?? {}],
    ['finalize', SERVED],
  ])
  expect(payments).toMatchObject([{ stage: isCaptured ? 'captured' : 'authorized' }])
})

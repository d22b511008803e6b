import { expect, test } from 'vitest'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { findRemainingResources } from '../../contracts/harness/safety/find-remaining-resources.ts'
import { readWriteCall, type WriteCall } from '../../contracts/harness/safety/parse-write-call.ts'
import { createWriteLedger, type WriteOutcome } from '../../contracts/harness/safety/write-ledger.ts'

type Loose<Of> = { [Name in keyof Of]?: Of[Name] | undefined }
type Made = [
  operation: WriteCall['operation'],
  became: Loose<Omit<WriteOutcome, 'of'>> | undefined,
  more?: Loose<WriteCall>,
]

const leftBy = (calls: readonly Made[]) => {
  const ledger = createWriteLedger()
  for (const [operation, became, more] of calls) {
    const isStart = operation === 'initiate' || operation === 'charge'
    const call = { operation, ...(isStart ? { autoCapture: false } : { transactionId: 'tx' }), ...more }
    const record = ledger.record('ours', call as WriteCall)
    if (became) record((isStart && became.status === 200 ? { transactionId: 'tx', ...became } : became) as WriteOutcome)
  }
  return findRemainingResources(ledger.lines)
}

const SERVED = { status: 200 }
const DECLINED = { ...SERVED, declined: true } as const
const STARTED: Made = ['initiate', SERVED]
const AUTHORIZED: Made[] = [STARTED, ['finalize', SERVED]]

// biome-ignore format: a table reads by its columns
const STAGES: [string, Made[], string | undefined][] = [
  ['finalize answered 504',                              [STARTED, ['finalize', { status: 504 }]],                                 'perhaps authorized'],
  ['finalize without a response',                        [STARTED, ['finalize', { fault: 'TIMEOUT' }]],                            'perhaps authorized'],
  ['finalize cut off before its outcome',                [STARTED, ['finalize', undefined]],                                       'perhaps authorized'],
  ['finalize answered 504, of what it captures as well', [['initiate', SERVED, { autoCapture: true }], ['finalize', { status: 504 }]], 'begun'],
  ['finalize refused',                                   [STARTED, ['finalize', { status: 422 }]],                                 'begun'],
  ['finalize answered 501, which is a refusal',          [STARTED, ['finalize', { status: 501 }]],                                 'begun'],
  ['finalize answered 504, of a payment of nobody',      [['finalize', { status: 504 }]],                                          undefined],
  ['charge answered 502 with the id of its payment',     [['charge', { status: 502, transactionId: 'tx' }]],                       'perhaps authorized'],
  ['cancel answered 504',                                [...AUTHORIZED, ['cancel', { status: 504 }]],                             'authorized'],
  ['capture answered 504',                               [...AUTHORIZED, ['capture', { status: 504 }]],                            'authorized'],
  ['cancel refused as it was captured after all',        [...AUTHORIZED, ['capture', { status: 504 }], ['cancel', { status: 422 }]], 'ended'],
  ['cancel refused before it was authorized',            [STARTED, ['cancel', { status: 422 }], ['finalize', SERVED]],             'authorized'],
  ['cancel refused while finalize may be under way',     [STARTED, ['finalize', { fault: 'TIMEOUT' }], ['cancel', { status: 422 }]], 'perhaps authorized'],
  ['cancel refused while a charge may be under way',     [['charge', { status: 502, transactionId: 'tx' }], ['cancel', { status: 422 }]], 'perhaps authorized'],
  ['cancel refused after a repeated finalize was served', [STARTED, ['finalize', { status: 504 }], ['finalize', SERVED], ['cancel', { status: 422 }]], 'ended'],
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

test('7: a cancel that was refused as finalize was under way ends no payment that is authorized after it', () => {
  const ledger = createWriteLedger()
  ledger.record('ours', { operation: 'initiate', autoCapture: false })({ status: 200, transactionId: 'tx' })
  const finalized = ledger.record('ours', { operation: 'finalize', transactionId: 'tx' })
  const canceled = ledger.record('ours', { operation: 'cancel', transactionId: 'tx' })
  canceled({ status: 422 })
  finalized({ status: 200 })
  expect(findRemainingResources(ledger.lines).payments).toMatchObject([{ stage: 'authorized' }])
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

const initiateAt = (lines: Partial<Profile>, paymentDetails: object) => {
  const baseUrl = 'https://api.example'
  const profile: Profile = {
    file: 'ours.yaml',
    name: 'ours',
    target: { baseUrl, environment: 'sandbox' },
    organization: { kit: '.' },
    ...lines,
  }
  const body = Buffer.from(JSON.stringify({ clientTransactionId: 'ref', paymentDetails }))
  return readWriteCall(profile, { method: 'POST', url: `${baseUrl}/payments/initiate`, headers: {}, body })
}

// biome-ignore format: a table reads by its columns
const AUTO_CAPTURE: [Partial<Profile>, object, boolean | undefined][] = [
  [{},                                      {},                     undefined],
  [{},                                      { autoCapture: 'yes' }, undefined],
  [{},                                      { autoCapture: true },  true],
  [{},                                      { autoCapture: false }, false],
  [{ decisions: { 'D-02': 'on' } },         {},                     true],
  [{ decisions: { 'D-02': 'off' } },        {},                     false],
  [{ decisions: { 'D-02': 'off' } },        { autoCapture: true },  true],
  [{ capabilities: { manualCapture: false } }, {},                  true],
]

test.each(AUTO_CAPTURE)('D-02: with %j a payment of %j is captured by finalize: %j', (lines, details, isCaptured) => {
  const call = initiateAt(lines, details)
  expect([call?.autoCapture, call?.clientTransactionId]).toEqual([isCaptured, 'ref'])
  const { payments } = leftBy([
    ['initiate', SERVED, { autoCapture: undefined, ...call }],
    ['finalize', SERVED],
  ])
  expect(payments).toMatchObject([{ stage: isCaptured ? 'captured' : 'authorized' }])
})

const ID_UNKNOWN = { transactionId: undefined } as const
const KEY = { key: 'key' }

// biome-ignore format: a table reads by its columns
const NAMELESS: [string, Made[], string[]][] = [
  ['served',                             [['charge', { ...SERVED, ...ID_UNKNOWN }]],                                   ['charge']],
  ['served, as the service captures',    [['charge', { ...SERVED, ...ID_UNKNOWN }, { autoCapture: undefined }]],       ['charge']],
  ['served and captured',                [['charge', { ...SERVED, ...ID_UNKNOWN }, { autoCapture: true }]],            []],
  ['answered 504',                       [['charge', { status: 504 }]],                                                ['charge']],
  ['without a response',                 [['charge', { fault: 'TIMEOUT' }]],                                           ['charge']],
  ['answered 504, then served by its key', [['charge', { status: 504 }, KEY], ['charge', SERVED, KEY]],                []],
  ['answered 504, then declined by its key', [['charge', { status: 504 }, KEY], ['charge', DECLINED, KEY]],            []],
  ['refused',                            [['charge', { status: 400 }]],                                                []],
  ['declined',                           [['charge', { ...DECLINED, ...ID_UNKNOWN }]],                                 []],
  ['served with its id',                 [['charge', SERVED]],                                                         []],
]

test.each(NAMELESS)('7: a charge %s may still be authorized under an id that is not known', (_what, calls, charges) => {
  expect(leftBy(calls).nameless.map(({ operation }) => operation)).toEqual(charges)
})

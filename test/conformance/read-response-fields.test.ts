import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { valueAtPointer } from '../../contracts/dialect/json-pointer.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import {
  findField,
  findReasonCode,
  findRefusalCode,
  isDecline,
  readField,
} from '../../contracts/harness/profile/response-fields-and-line-advice.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const profile = readProfile(SIMULATOR_PROFILE)

const answering = (status: number, body: object): Exchange => ({
  request: { method: 'POST', url: 'https://localhost/', headers: {}, endpoint: 'initiate' },
  response: { status, headers: {}, body: Buffer.from(JSON.stringify(body)) },
  durationMs: 1,
})

test('9: a null member counts as absent', () => {
  const empty = answering(200, { transactionId: null, statusInfo: { reasonCode: null } })
  expect(() => readField(profile, empty, 'initiate.transactionId')).toThrow('points at nothing')
  expect(findField(profile, empty, 'initiate.transactionId')).toBeUndefined()
  expect(findRefusalCode(profile, empty)).toBeUndefined()
  expect(findReasonCode(profile, empty, 'initiate.reasonCode')).toBeUndefined()
})

test('7: a refusal has its code at the first of the places that has one', () => {
  const twoForms = { ...profile, errors: { reasonCode: ['/error/code', '/fault/reasonCode'] } }
  expect(findRefusalCode(twoForms, answering(401, { fault: { reasonCode: 4970 } }))).toBe('4970')
  expect(findRefusalCode(twoForms, answering(422, { error: { code: '5000' }, fault: null }))).toBe('5000')
  expect(findRefusalCode(twoForms, answering(422, {}))).toBeUndefined()
})

test('R2: a cancel that says the payment is canceled is no decline, also where declined payments have that word', () => {
  const oneWord = {
    ...profile,
    errors: { declined: { at: '/status', words: ['GONE'] } },
    states: { canceled: ['GONE'] },
  }
  const gone = answering(200, { status: 'GONE' })
  expect(isDecline(oneWord, gone)).toBe(true)
  expect(isDecline(oneWord, { ...gone, request: { ...gone.request, endpoint: 'cancel' } })).toBe(false)
})

test.each([
  [200, true],
  [422, false],
  [500, false],
])('S44: DECLINED is a decline only in a successful response: HTTP %i', (status, expected) => {
  expect(isDecline(profile, answering(status, { status: 'DECLINED' }))).toBe(expected)
})

test.each<[string, object, Exchange['request']['endpoint'], boolean]>([
  ['a payment that is declined', { transactionId: 't', statusInfo: { reasonCode: '4000' } }, 'initiate', true],
  ['a refusal, which shows no payment', { statusInfo: { reasonCode: '4000' } }, 'initiate', false],
  ['a lifecycle refusal', { transactionId: 't', statusInfo: { reasonCode: '5002' } }, 'refund', false],
])(
  'D-07: where declines and refusals have one status and one place for the code: %s',
  (_, body, endpoint, expected) => {
    const chosen = { ...profile, decisions: { 'D-07': '422' } } as const
    const { request, ...answer } = answering(422, { status: 'DECLINED', ...body })
    expect(isDecline(chosen, { ...answer, request: { ...request, ...(endpoint && { endpoint }) } })).toBe(expected)
  },
)

test('the segment - of a pointer is the last item of a list', () => {
  expect(valueAtPointer({ list: [{ a: 1 }, { a: 2 }], '-': 3 }, '/list/-/a')).toBe(2)
  expect(valueAtPointer({ list: [] }, '/list/-/a')).toBeUndefined()
  expect(valueAtPointer({ '-': 3 }, '/-')).toBe(3)
})

import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { valueAtPointer } from '../../contracts/harness/profile/json-pointer.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import {
  findField,
  findReasonCode,
  findRefusalCode,
  isDecline,
  readField,
} from '../../contracts/harness/profile/response-fields.ts'
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

test.each([
  [200, true],
  [422, false],
  [500, false],
])('S44: DECLINED is a decline only in a successful response: HTTP %i', (status, expected) => {
  expect(isDecline(profile, answering(status, { status: 'DECLINED' }))).toBe(expected)
})

test('the segment - of a pointer is the last item of a list', () => {
  expect(valueAtPointer({ list: [{ a: 1 }, { a: 2 }], '-': 3 }, '/list/-/a')).toBe(2)
  expect(valueAtPointer({ list: [] }, '/list/-/a')).toBeUndefined()
  expect(valueAtPointer({ '-': 3 }, '/-')).toBe(3)
})

import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/exchange.ts'
import { readProfile } from '../../contracts/harness/profile.ts'
import { findField, isDecline, readField, reasonCodeOf, toldCode } from '../../contracts/harness/slots.ts'
import { SIMULATOR_PROFILE } from './certify.ts'

const profile = readProfile(SIMULATOR_PROFILE)

const answering = (status: number, body: object): Exchange => ({
  request: { method: 'POST', url: 'https://localhost/', headers: {}, endpoint: 'initiate' },
  answer: { status, headers: {}, body: Buffer.from(JSON.stringify(body)) },
  durationMs: 1,
})

test('9: a member that holds nothing is none, wherever a profile points at it', () => {
  const empty = answering(200, { transactionId: null, statusInfo: { reasonCode: null } })
  expect(() => readField(profile, empty, 'initiate.transactionId')).toThrow('points at nothing')
  expect(findField(profile, empty, 'initiate.transactionId')).toBeUndefined()
  expect(reasonCodeOf(profile, empty)).toBeUndefined()
  expect(toldCode(profile, empty, 'initiate.reasonCode')).toBeUndefined()
})

test.each([
  [200, true],
  [422, false],
  [500, false],
])('S44: only a success tells a decline: HTTP %i', (status, expected) => {
  expect(isDecline(profile, answering(status, { status: 'DECLINED' }))).toBe(expected)
})

import { expect, test } from 'vitest'
import {
  epochOf,
  isTokenRevoked,
  newTokenRecord,
  parseTokenRecord,
  type TokenRecord,
  withAllRevoked,
  withSetBack,
} from '../../simulator/organizations/access-token-revocation-record.ts'

const tokenOf = (record: TokenRecord, issuedAt: number) => ({ id: 't', state: 'now', epoch: epochOf(record), issuedAt })

test('D-58: a token of before stays valid, however often a suite resets, and one of later does not', () => {
  let record = parseTokenRecord(newTokenRecord('now'))
  const before = tokenOf(record, 1_000)
  record = withSetBack(record, 2_000)
  const between = tokenOf(record, 5_000)
  for (let resets = 0; resets < 300; resets += 1) record = withSetBack(record, 2_000 + resets)
  expect([isTokenRevoked(record, before), isTokenRevoked(record, between)]).toEqual([false, true])
  expect(record.setBack.length).toBeLessThanOrEqual(100)
  for (let resets = 0; resets < 300; resets += 1) record = withSetBack(withAllRevoked(record), 9_000)
  expect(isTokenRevoked(record, before)).toBe(true)
  expect(isTokenRevoked(record, tokenOf(record, 8_000))).toBe(false)
})

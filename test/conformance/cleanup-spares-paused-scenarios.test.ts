import { expect, test } from 'vitest'
import { linesBeside } from '../../contracts/commands/save-paused-scenarios.ts'
import { findRemainingResources } from '../../contracts/harness/safety/find-remaining-resources.ts'
import type { WriteLedgerLine } from '../../contracts/harness/safety/write-ledger.ts'

const authorized = (line: number, key: string): WriteLedgerLine[] => [
  { line, at: '2026-01-01T00:00:00Z', organization: 'ours', operation: 'initiate', key, autoCapture: false },
  { of: line, status: 200, transactionId: `payment of ${key}` },
  {
    line: line + 2,
    at: '2026-01-01T00:00:00Z',
    organization: 'ours',
    operation: 'finalize',
    key: `${key}, finalize`,
    transactionId: `payment of ${key}`,
  },
  { of: line + 2, status: 200 },
]
const call = (key: string) => ({
  organization: 'ours',
  exchange: {
    request: { method: 'POST', url: 'https://api.example/', headers: { 'idempotency-key': key } },
    durationMs: 1,
  },
})

test('cleanup leaves the payments of scenarios that wait, such as an authorization until it expires', () => {
  const lines = [...authorized(1, 'done'), ...authorized(5, 'waits')]
  const log = { calls: [call('waits'), call('waits, finalize')], times: [0], acts: [], missed: [] }
  const waiting = { name: 'any', asked: [], wait: { from: '2026-01-08T00:00:00Z' }, given: {}, log }
  const left = (...scenarios: (typeof waiting)[]) =>
    findRemainingResources(linesBeside(scenarios, lines)).payments.map(({ transactionId }) => transactionId)
  expect(left()).toEqual(['payment of done', 'payment of waits'])
  expect(left(waiting)).toEqual(['payment of done'])
})

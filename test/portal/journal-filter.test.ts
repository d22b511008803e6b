import { expect, test } from 'vitest'
import type { JournalEntry } from '../../simulator/journal/journal-entry.ts'
import { type JournalFilter, matchesJournalFilter } from '../../simulator/journal/journal-filter.ts'

const CALL: JournalEntry = {
  callId: 'c-1',
  at: '2026-03-02T09:30:00.000Z',
  durationMilliseconds: 3,
  operation: 'capture',
  request: {
    method: 'POST',
    target: '/payments/capture',
    headers: { 'user-agent': 'Shop/7.1 (Łódź)' },
    body: '{"transactionId":"t-77"}',
  },
  response: {
    status: 422,
    headers: {},
    body: '{"statusInfo":{"reasonCode":"5002","message":"no"},"providerStatusInfo":{"reasonCode":"3001"}}',
  },
  refused: { layer: 'operation', reason: 'A payment that is CAPTURED does not allow capture.' },
}

// biome-ignore format: a table reads by its columns
test.each([
  [{},                                      true],
  [{ q: '  ' },                             true],
  [{ path: '/payments/CAPTURE' },           true],
  [{ path: 'capture' },                     true],
  [{ path: '/payments/refund' },            false],
  [{ status: '422' },                       true],
  [{ status: '4xx' },                       true],
  [{ status: '5XX' },                       false],
  [{ status: '42' },                        true],
  [{ transactionId: 't-77' },               true],
  [{ transactionId: 't-78' },               false],
  [{ reasonCode: '5002' },                  true],
  [{ reasonCode: '3001' },                  true],
  [{ reasonCode: '500' },                   false],
  [{ q: 'łódź captured' },                  true],
  [{ q: 'łódź refunded' },                  false],
  [{ q: 'user-agent' },                     false],
  [{ q: 'shop/7.1' },                       true],
  [{ status: 'error' },                     true],
  [{ method: 'post' },                      true],
  [{ method: 'GET' },                       false],
  [{ layer: 'any' },                        true],
  [{ layer: 'operation' },                  true],
  [{ layer: 'signature' },                  false],
  [{ webhooks: 'sent' },                    false],
  [{ q: '-token' },                         true],
  [{ q: 'capture -post' },                  false],
  [{ q: '(' },                              true],
  [{ q: '.*' },                             false],
  [{ q: 'capture', status: '2xx' },         false],
] satisfies [JournalFilter, boolean][])('%j: %s', (wish, fits) => {
  expect(matchesJournalFilter(wish)(CALL)).toBe(fits)
})

test('webhooks: sent finds calls that changed a payment, and neither reads, refusals nor replays', () => {
  const matches = matchesJournalFilter({ webhooks: 'sent' })
  const { refused: _, ...call } = { ...CALL, response: { ...CALL.response, status: 200 } }
  expect(matches(call)).toBe(true)
  expect(matches({ ...call, replayed: true })).toBe(false)
  expect(matches({ ...call, operation: 'status' })).toBe(false)
})

import { expect, test } from 'vitest'
import { createCallCounts, withCallCounts } from '../../simulator/journal/call-counts.ts'
import { createJournal } from '../../simulator/journal/journal.ts'
import type { JournalEntry } from '../../simulator/journal/journal-entry.ts'

const MINUTE = 60_000
const entry = (
  clock: number,
  status: number,
  layer?: 'token' | 'signature',
  organizationId = 'shop',
): JournalEntry => ({
  callId: `${clock}`,
  at: '2030-01-01T00:00:00.000Z',
  clock: new Date(clock).toISOString(),
  durationMilliseconds: 0,
  organizationId,
  request: { method: 'GET', target: '/', headers: {}, body: '' },
  response: { status, headers: {}, body: '' },
  ...(layer ? { refused: { layer, reason: '' } } : {}),
})
const NONE = { accepted: 0, failed: 0, refused: {} }

test('calls are counted by period of the clock, by layer that refused, for each organization, beyond the journal', () => {
  const counts = createCallCounts(() => 7)
  const journal = withCallCounts(createJournal(1), counts)
  for (const one of [
    entry(0, 200),
    entry(MINUTE + 1, 201),
    entry(2 * MINUTE - 1, 401, 'token'),
    entry(2 * MINUTE, 401, 'token'),
    entry(3 * MINUTE, 400, 'signature'),
    entry(3 * MINUTE, 503),
    entry(4 * MINUTE, 200),
    entry(0, 200, undefined, 'other'),
  ])
    journal.add(one)
  const range = { from: MINUTE, to: 4 * MINUTE, width: 2 * MINUTE }
  expect(counts.byPeriod('shop', range)).toEqual([
    { accepted: 1, failed: 0, refused: { token: 2 } },
    { accepted: 0, failed: 1, refused: { signature: 1 } },
  ])
  journal.clear('shop')
  expect(counts.byPeriod('shop', range)).toEqual([NONE, NONE])
  expect(counts.byPeriod('other', { from: 0, to: MINUTE, width: MINUTE })).toEqual([{ ...NONE, accepted: 1 }])
})

test('the counts of an organization are bounded: the oldest minutes go first', () => {
  const counts = createCallCounts(() => 7)
  for (let minute = 0; minute <= 15_000; minute += 1) counts.add(entry(minute * MINUTE, 200))
  const first = (from: number) => counts.byPeriod('shop', { from, to: from + MINUTE, width: MINUTE })
  expect([first(0), first(MINUTE)]).toEqual([[NONE], [{ ...NONE, accepted: 1 }]])
})

test('it is known since when calls are counted: the start of the process, or the last reset', () => {
  let now = 5
  const counts = createCallCounts(() => now)
  now = 9
  counts.add(entry(0, 200))
  expect(counts.since('shop')).toBe(5)
  counts.clear('shop')
  expect([counts.since('shop'), counts.since('other')]).toEqual([9, 5])
})

import { describe, expect, test } from 'vitest'
import { CAUSES, type CauseId } from '../../contracts/protocol/lab/causes.ts'
import { causesOf, lab, request } from './signed-wrongly.ts'
import { WAYS } from './wrong-ways.ts'

test('5.2: what is signed well verifies, in either reading and encoding', async () => {
  const { verdict, faults } = await lab(request())
  expect({ verdict, faults }).toEqual({ verdict: 'verifies', faults: [] })
})

describe('a request really signed in this wrong way is told by its name', () => {
  test.each(WAYS.map(way => [way[0], way] as const))('%s', { timeout: 60_000 }, async (_, [cause, changes, more]) => {
    const { faults, alternatives } = await causesOf(changes, more)
    expect({ faults: faults.slice(0, 1), alternatives }).toMatchObject({ faults: [cause] })
  })
})

test('every cause has a wrong way that proves it', () => {
  const proven = new Set<CauseId>(WAYS.map(([cause]) => cause))
  const elsewhere: readonly CauseId[] = [
    'created-stale',
    'not-found',
    'base-differs',
    'base-not-signed',
    'key-unregistered',
  ]
  expect(
    Object.keys(CAUSES).filter(cause => !proven.has(cause as CauseId) && !elsewhere.includes(cause as CauseId)),
  ).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { CAUSES, type CauseId } from '../../contracts/protocol/signature-lab/signature-error-causes.ts'
import { SIGNING_MISTAKES } from './all-signing-mistakes.ts'
import { causesOf, diagnoseWithKeys } from './diagnose-signed-requests.ts'
import { signedRequest } from './sign-requests-with-mistakes.ts'

test('5.2: a correctly signed request verifies in both readings and encodings', async () => {
  const { verdict, faults } = await diagnoseWithKeys(signedRequest())
  expect({ verdict, faults }).toEqual({ verdict: 'verifies', faults: [] })
})

describe('a request signed with one deviation is diagnosed with its cause', () => {
  test.each(SIGNING_MISTAKES.map(way => [way[0], way] as const))(
    '%s',
    { timeout: 60_000 },
    async (_, [cause, changes, more]) => {
      const { faults, alternatives } = await causesOf(changes, more)
      expect({ faults: faults.slice(0, 1), alternatives }).toMatchObject({ faults: [cause] })
    },
  )
})

test('every cause has a deviation that is tested', () => {
  const proven = new Set<CauseId>(SIGNING_MISTAKES.map(([cause]) => cause))
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

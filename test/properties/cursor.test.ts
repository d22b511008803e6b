import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReadingContext } from '../../simulator/operations/operation.ts'
import { search } from '../../simulator/operations/search.ts'
import { openCore, START } from '../support/core.ts'
import { startIris } from '../support/payments.ts'
import { runs } from './runs.ts'

const RUNS = runs(200)

const placeOf = (cursor: string) => search.needs({ cursor }, { organizationId: 'shop', accountIds: [], now: START })

describe('D-73: the cursor of a search', () => {
  test('what a page ends with is where the next one begins', () => {
    fc.assert(
      fc.property(fc.uuid(), next => {
        const { answer } = search.decide({}, { found: { payments: [], next } } as unknown as ReadingContext)
        const { nextCursor } = answer as { nextCursor: string }
        expect(nextCursor).toMatch(/^[\w-]+$/)
        expect(placeOf(nextCursor)).toMatchObject({ payments: { after: next } })
      }),
      RUNS,
    )
  })

  test('any other text is refused with 400', async () => {
    const core = await openCore()
    await startIris(core)
    const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.uuid(), fc.base64String())
    const property = fc.asyncProperty(texts, async cursor => {
      expect((await core.call('search', { cursor })).http).toBe(400)
    })
    await fc.assert(property, RUNS)
  })
})

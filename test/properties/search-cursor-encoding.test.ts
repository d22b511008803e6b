import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { QueryContext } from '../../simulator/operations/operation-types.ts'
import { searchPayments } from '../../simulator/operations/search-payments.ts'
import { startIris } from '../support/create-test-payments.ts'
import { openCore, START } from '../support/simulator-core.ts'
import { propertyRuns } from './property-run-counts.ts'

const RUNS = propertyRuns(200)

const CONTEXT = { organizationId: 'shop', accountIds: [], now: START, rules: { choices: decisionChoices() } }
const placeOf = (cursor: string) => searchPayments.needs({ cursor }, CONTEXT)

describe('D-73: the cursor of a search', () => {
  test('a cursor decodes to the position that it encodes', () => {
    fc.assert(
      fc.property(fc.uuid(), next => {
        const { answer } = searchPayments.decide({}, { found: { payments: [], next } } as unknown as QueryContext)
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

import { expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { createPaymentIn } from '../support/create-test-payments.ts'
import { openCore } from '../support/simulator-core.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SHORT = /^[0-9A-Z]{12}$/

test.each([
  ['uuid', UUID],
  ['short', SHORT],
] as const)('2.6, D-121: %s: ids of payments, captures and refunds have that form', async (choice, form) => {
  const core = await openCore({ choices: decisionChoices({ 'D-121': choice }) })
  const ids = [await createPaymentIn(core, 'REFUNDED'), await createPaymentIn(core, 'REFUNDED')]
  const events = await Promise.all(ids.map(async id => (await core.events(id)).body))
  const all = events.flatMap(({ transactionId, paymentDetails: { captures, refunds } }) => [
    transactionId,
    captures[0].transactionId,
    refunds[0].transactionId,
  ])
  expect(new Set(all).size).toBe(6)
  for (const id of all) expect(id).toMatch(form)
})

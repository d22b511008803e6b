import { describe, expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { MINUTE } from '../../simulator/support/duration.ts'
import { createPaymentIn, startIris } from '../support/create-test-payments.ts'
import { SHOP } from '../support/simulator-core.ts'
import { openWebhookCore } from '../webhooks/simulator-core-with-webhooks.ts'

const EVERY = ['PAYMENT_INITIATE', 'PAYMENT_INITIATE', 'PAYMENT_FINALIZE', 'PAYMENT_CAPTURE', 'PAYMENT_CAPTURE']
const BY_FINALIZE = ['PAYMENT_INITIATE', 'PAYMENT_FINALIZE', 'PAYMENT_FINALIZE', 'PAYMENT_CAPTURE', 'PAYMENT_CAPTURE']

describe('D-99: what webhooks tell', () => {
  test.each([
    ['every-event', EVERY],
    ['shopper-as-finalize', BY_FINALIZE],
    ['settlement-untold', EVERY.slice(0, -1)],
    ['shopper-as-finalize-settlement-untold', BY_FINALIZE.slice(0, -1)],
  ] as const)('%s: the types of a payment up to its settlement', async (value, types) => {
    const desk = await openWebhookCore({ choices: decisionChoices({ 'D-99': value }) })
    await createPaymentIn(desk, 'SETTLED')
    const told = await desk.told()
    expect(told.map(({ body }) => body.notificationType)).toEqual(types)
    expect(told.at(-1)?.body.status).toBe('APPROVED')
  })

  test.each([
    ['every-event', 'PAYMENT_INITIATE'],
    ['shopper-as-finalize', 'PAYMENT_FINALIZE'],
  ] as const)('%s: a payment whose time is over', async (value, type) => {
    const desk = await openWebhookCore({ choices: decisionChoices({ 'D-99': value }) })
    await startIris(desk)
    desk.pass(31 * MINUTE)
    await desk.jobs.runDue(SHOP)
    expect((await desk.told()).at(-1)?.body).toMatchObject({ notificationType: type, status: 'DECLINED' })
  })
})

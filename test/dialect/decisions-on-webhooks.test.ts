import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { MINUTE } from '../../simulator/support/duration.ts'
import { createPaymentIn, startIris } from '../support/create-test-payments.ts'
import { irisInitiateBody, openRawSandbox } from '../support/raw-request-sandbox.ts'
import { SHOP } from '../support/simulator-core.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openWebhookCore } from '../webhooks/simulator-core-with-webhooks.ts'

const ONCE = ['PAYMENT_INITIATE', 'PAYMENT_FINALIZE', 'PAYMENT_FINALIZE', 'PAYMENT_CAPTURE']
const BY_INITIATE = ['PAYMENT_INITIATE', 'PAYMENT_INITIATE', 'PAYMENT_FINALIZE', 'PAYMENT_CAPTURE']

describe('D-99, D-116: what webhooks tell', () => {
  test.each([
    ['finalize', 'once', ONCE],
    ['initiate', 'once', BY_INITIATE],
    ['finalize', 'settlements', [...ONCE, 'PAYMENT_CAPTURE']],
    ['initiate', 'every-event', [...BY_INITIATE, 'PAYMENT_CAPTURE']],
  ] as const)('%s, %s: the types of a payment up to its settlement', async (shopper, told, types) => {
    const desk = await openWebhookCore({ choices: decisionChoices({ 'D-99': shopper, 'D-116': told }) })
    await createPaymentIn(desk, 'SETTLED')
    const notifications = await desk.told()
    expect(notifications.map(({ body }) => body.notificationType)).toEqual(types)
    expect(notifications.at(-1)?.body.status).toBe('APPROVED')
  })

  test.each([
    ['initiate', 'PAYMENT_INITIATE'],
    ['finalize', 'PAYMENT_FINALIZE'],
  ] as const)('%s: a payment whose time is over', async (value, type) => {
    const desk = await openWebhookCore({ choices: decisionChoices({ 'D-99': value }) })
    await startIris(desk)
    desk.pass(31 * MINUTE)
    await desk.jobs.runDue(SHOP)
    expect((await desk.told()).at(-1)?.body).toMatchObject({ notificationType: type, status: 'DECLINED' })
  })
})

test('6: a dialect has words of its own for the types; control keeps ours', async () => {
  const dialect = join(temporaryFolder(), 'ours.yaml')
  writeFileSync(dialect, stringify({ enums: { notificationType: { PAYMENT_INITIATE: 'payment.started' } } }))
  const sandbox = await openRawSandbox({ config: { dialect } })
  try {
    await sandbox.send(await sandbox.sign({ body: irisInitiateBody() }))
    const inbox = `${sandbox.simulator.pagesUrl}/control/organizations/demo-merchant/inbox?type=PAYMENT_INITIATE`
    const { messages } = (await (await fetch(inbox)).json()) as { messages: { body: string }[] }
    expect(messages.map(({ body }) => JSON.parse(body).notificationType)).toEqual(['payment.started'])
  } finally {
    await sandbox.close()
  }
})

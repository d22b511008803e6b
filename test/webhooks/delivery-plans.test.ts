import { describe, expect, test } from 'vitest'
import { DELIVERY_DEVIATIONS, type DeliveryRule } from '../../simulator/payments/delivery-plan-rule.ts'
import { applyDeliveryPlans } from '../../simulator/webhooks/apply-delivery-plans.ts'
import { createPaymentIn, startBlik, startIris } from '../support/create-test-payments.ts'
import { actionRequest } from '../support/payment-requests.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import { SHOP } from '../support/simulator-core.ts'
import { openWebhookCore, type WebhookCore } from './simulator-core-with-webhooks.ts'
import { verifyInboxSignatures } from './verify-inbox-signatures.ts'

const typesOf = async (desk: WebhookCore) => (await desk.told()).map(({ body }) => body.notificationType)

/** Creates an approved payment whose finalize also captures: one change with two notifications. */
const readyToPay = async (desk: WebhookCore): Promise<string> => {
  const id = await startBlik(desk)
  await desk.decide(id, 'approve')
  await desk.inbox.clear(SHOP)
  return id
}

describe('6: the actions of a delivery plan', () => {
  test('duplicate: the same notification twice, at once or later', async () => {
    const desk = await openWebhookCore()
    await desk.plans.arm(SHOP, { do: 'duplicate', after: 'PT30S' })
    await startIris(desk)
    expect(await desk.told()).toHaveLength(1)
    desk.pass(30_000)
    const [first, second] = await desk.told()
    expect([second?.id, second?.text]).toEqual([first?.id, first?.text])
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  })

  test('reorder: notifications of one change come in reverse order', async () => {
    const desk = await openWebhookCore()
    const id = await readyToPay(desk)
    await desk.plans.arm(SHOP, { do: 'reorder', match: { transactionId: id } })
    await desk.call('finalize', actionRequest(id))
    expect(await typesOf(desk)).toEqual(['PAYMENT_CAPTURE', 'PAYMENT_FINALIZE'])
  })

  test('reorder of a single notification: it comes after the following one', async () => {
    const desk = await openWebhookCore()
    await desk.plans.arm(SHOP, { do: 'reorder' })
    const id = await startBlik(desk)
    await desk.decide(id, 'approve')
    expect((await desk.told()).map(({ body }) => body.status)).toEqual(['ACCEPTED'])
    desk.pass(60_000)
    expect((await desk.told()).map(({ body }) => body.status)).toEqual(['ACCEPTED', 'PENDING'])
  })

  test('drop: the notification is never sent', async () => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver()
    await desk.endpoints.add(SHOP, { url })
    const id = await readyToPay(desk)
    await desk.deliver()
    const before = received.length
    await desk.plans.arm(SHOP, { do: 'drop', on: 'PAYMENT_FINALIZE' })
    await desk.call('finalize', actionRequest(id))
    await desk.control.drain(SHOP)
    expect(await typesOf(desk)).toEqual(['PAYMENT_CAPTURE'])
    expect(received).toHaveLength(before + 1)
  })

  test('delay: the notification comes later', async () => {
    const desk = await openWebhookCore()
    await desk.plans.arm(SHOP, { do: 'delay', after: 'PT10M' })
    await startIris(desk)
    desk.pass(599_999)
    expect(await desk.told()).toEqual([])
    desk.pass(1)
    expect(await desk.told()).toHaveLength(1)
  })

  // biome-ignore format: a table reads by its columns
  test.each([
    ['wrong-key',       { hmac: false, service: false }],
    ['stale-timestamp', { hmac: false, service: false }],
    ['unknown-type',    { hmac: true,  service: true  }],
    ['extra-field',     { hmac: true,  service: true  }],
  ] as const)('%s: which signatures verify: %o', async (deviation, verdict) => {
    const desk = await openWebhookCore()
    await desk.plans.arm(SHOP, { do: deviation })
    await startIris(desk)
    const [told] = await desk.told()
    expect(await verifyInboxSignatures(desk, told)).toEqual(verdict)
    await startIris(desk)
    expect(await verifyInboxSignatures(desk, (await desk.told()).at(-1))).toEqual({ hmac: true, service: true })
  })

  test('stale-timestamp: the signatures verify as of ten minutes ago', async () => {
    const desk = await openWebhookCore()
    await desk.plans.arm(SHOP, { do: 'stale-timestamp' })
    await startIris(desk)
    const [told] = await desk.told()
    expect(await verifyInboxSignatures(desk, told, 600)).toEqual({ hmac: true, service: true })
  })

  test('unknown-type and extra-field change only the type and add a member', async () => {
    const desk = await openWebhookCore()
    await desk.plans.arm(SHOP, { do: 'unknown-type' })
    await desk.plans.arm(SHOP, { do: 'extra-field' })
    const id = await startIris(desk)
    const { body } = (await desk.told())[0] ?? {}
    expect(body).toMatchObject({ notificationType: 'PAYMENT_SOMETHING_NEW', transactionId: id, status: 'PENDING' })
    expect(body.somethingNew).toBeDefined()
    await startIris(desk)
    const plain = (await desk.told()).at(-1)?.body
    expect([plain.notificationType, 'somethingNew' in plain]).toEqual(['PAYMENT_INITIATE', false])
  })

  test('before-response: the call responds after the receiver, which may read the payment meanwhile', async () => {
    const desk = await openWebhookCore()
    const order: string[] = []
    const asked: string[] = []
    const { url } = await openWebhookReceiver(async (_nth, { json }) => {
      asked.push((await desk.status(String(json.transactionId))).body.status)
      await new Promise(resolve => setTimeout(resolve, 30))
      order.push('told')
      return {}
    })
    await desk.endpoints.add(SHOP, { url })
    await desk.plans.arm(SHOP, { do: 'before-response' })
    await startIris(desk)
    order.push('answered')
    await startIris(desk)
    order.push('answered')
    await desk.deliver()
    expect(order.slice(0, 3)).toEqual(['told', 'answered', 'answered'])
    expect(asked).toEqual(['PENDING', 'PENDING'])
  })

  test('before-return: the shopper is redirected after the receiver was notified', async () => {
    const desk = await openWebhookCore()
    const order: string[] = []
    const { url } = await openWebhookReceiver(async (_nth, { json }) => {
      await new Promise(resolve => setTimeout(resolve, 30))
      order.push(String(json.status))
      return {}
    })
    const id = await startIris(desk)
    await desk.endpoints.add(SHOP, { url })
    await desk.plans.arm(SHOP, { do: 'before-return', match: { payerId: 'shopper-1' } })
    await desk.decide(id, 'approve')
    order.push('back')
    expect(order).toEqual(['ACCEPTED', 'back'])
  })

  test('before-response waits for one attempt only, also when it fails', async () => {
    const desk = await openWebhookCore()
    const { url } = await openWebhookReceiver(() => ({ status: 500 }))
    await desk.endpoints.add(SHOP, { url })
    await desk.plans.arm(SHOP, { do: 'before-response' })
    await startIris(desk)
    expect((await desk.allDeliveries())[0]).toMatchObject({ attemptCount: 1, state: 'waiting' })
  })
})

describe('6: the notifications that a plan applies to', () => {
  test('as many as given, of its type only', async () => {
    const desk = await openWebhookCore()
    await desk.plans.arm(SHOP, { do: 'drop', on: 'PAYMENT_FINALIZE', times: 2 })
    await createPaymentIn(desk, 'SETTLED')
    expect(await typesOf(desk)).toEqual(['PAYMENT_INITIATE', 'PAYMENT_CAPTURE'])
    expect(await desk.plans.list(SHOP)).toEqual([])
    await startIris(desk)
    expect(await typesOf(desk)).toHaveLength(3)
  })

  test.each([{ transactionId: 'another' }, { clientTransactionId: 'order-9' }, { payerId: 'shopper-2' }])(
    'only those that match %o',
    async match => {
      const desk = await openWebhookCore()
      await desk.plans.arm(SHOP, { do: 'drop', match })
      await startIris(desk)
      expect(await desk.told()).toHaveLength(1)
      expect(await desk.plans.list(SHOP)).toHaveLength(1)
      expect(await desk.plans.clear('other')).toBe(0)
      expect(await desk.plans.clear(SHOP)).toBe(1)
    },
  )

  test('one of two notifications of the same change', async () => {
    const desk = await openWebhookCore()
    const id = await readyToPay(desk)
    await desk.plans.arm(SHOP, { do: 'drop' })
    await desk.call('finalize', actionRequest(id))
    expect(await typesOf(desk)).toEqual(['PAYMENT_CAPTURE'])
  })

  test('all of a payment with a plan of its own', async () => {
    const desk = await openWebhookCore()
    const id = await startBlik(desk)
    const plan: DeliveryRule[] = [{ on: 'PAYMENT_CAPTURE', do: 'duplicate' }]
    await desk.store.transact({
      organizationId: SHOP,
      now: desk.time.now,
      needs: { transactionId: id },
      decide: ({ payment }) => {
        if (!payment) throw new Error('There is no payment.')
        const { statusInfo, state } = payment
        const event = { type: 'payment.initiated', cause: 'initiate' as const, at: desk.time.now, state, statusInfo }
        return {
          result: undefined,
          save: { change: { payment: { ...payment, plan }, events: [event], deadlines: [], ledgerEntries: [] } },
        }
      },
    })
    await desk.inbox.clear(SHOP)
    await desk.decide(id, 'approve')
    await desk.call('finalize', actionRequest(id))
    expect(await typesOf(desk)).toEqual(['PAYMENT_FINALIZE', 'PAYMENT_FINALIZE', 'PAYMENT_CAPTURE', 'PAYMENT_CAPTURE'])
  })

  test('all actions at once do not affect the payment', async () => {
    const desk = await openWebhookCore()
    for (const deviation of DELIVERY_DEVIATIONS) await desk.plans.arm(SHOP, { do: deviation })
    const id = await startIris(desk)
    expect((await desk.status(id)).body.status).toBe('PENDING')
    expect(applyDeliveryPlans([], { plan: [] } as never, []).drafts).toEqual([])
  })

  test('no more than 1000 of an organization, whose notifications all read them, however fast they come', async () => {
    const { store, plans } = await openWebhookCore()
    const plan = { match: {}, do: 'drop', left: 1 } as const
    await Promise.all(Array.from({ length: 999 }, (_, nth) => store.addPlan(SHOP, { planId: `${nth}`, ...plan })))
    const armed = await Promise.allSettled(Array.from({ length: 5 }, () => plans.arm(SHOP, { do: 'drop' })))
    expect(armed.map(({ status }) => status).sort()).toEqual(['fulfilled', ...Array(4).fill('rejected')])
    await expect(plans.arm(SHOP, { do: 'drop' })).rejects.toThrow(/^There are 1000 delivery plans: disarm them/)
    await plans.arm('other', { do: 'drop' })
    await plans.clear(SHOP)
    await plans.arm(SHOP, { do: 'drop', match: { payerId: 'x'.repeat(255) } })
    await expect(plans.arm(SHOP, { do: 'drop', match: { payerId: 'x'.repeat(256) } })).rejects.toThrow(/^match is/)
  })

  // biome-ignore format: a table reads by its columns
  test.each([
    [{},                                         'do'],
    [{ do: 'explode' },                          'do'],
    [{ do: 'drop', on: 'PAYMENT_NOTHING' },      'on'],
    [{ do: 'drop', times: 0 },                   'times'],
    [{ do: 'delay', after: 'soon' },             'after'],
    [{ do: 'drop', match: { amount: '1' } },     'match'],
    [{ do: 'drop', match: { payerId: 1 } },      'match'],
    [{ do: 'drop', match: 'all' },               'match'],
    [{ do: 'drop', match: [] },                  'match'],
    [{ do: 'drop', match: null },                'match'],
    [{ do: 'drop', match: { transactionId: '' } }, 'match'],
    [{ do: 'delay', after: 'PT0S' },             'after'],
    [{ do: 'drop', after: 'PT5S' },              'after'],
    [{ do: 'wrong-key', after: 'PT5S' },         'after'],
    [{ do: 'before-response', after: 'PT5S' },   'after'],
  ])('the plan %j is refused with a message about %s', async (wish, member) => {
    const desk = await openWebhookCore()
    await expect(desk.plans.arm(SHOP, wish)).rejects.toThrow(new RegExp(`^${member} is`))
  })
})

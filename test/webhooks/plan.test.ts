import { describe, expect, test } from 'vitest'
import { PLAN_DEEDS, type PlanRule } from '../../simulator/payments/delivery-plan.ts'
import { planned } from '../../simulator/webhooks/plan.ts'
import { SHOP } from '../support/core.ts'
import { act, paymentIn, startBlik, startIris } from '../support/payments.ts'
import { type Desk, openDesk } from './desk.ts'
import { openReceiver } from './receiver.ts'
import { judged } from './verdict.ts'

const typesOf = async (desk: Desk) => (await desk.told()).map(({ body }) => body.notificationType)

/** A payment ready for a finalize that also captures: one change, two notifications. */
const readyToPay = async (desk: Desk): Promise<string> => {
  const id = await startBlik(desk)
  await desk.decide(id, 'approve')
  await desk.inbox.clear(SHOP)
  return id
}

describe('6: what a delivery plan does', () => {
  test('duplicate: the same notification twice, at once or later', async () => {
    const desk = await openDesk()
    await desk.plans.arm(SHOP, { do: 'duplicate', after: 'PT30S' })
    await startIris(desk)
    expect(await desk.told()).toHaveLength(1)
    desk.pass(30_000)
    const [first, second] = await desk.told()
    expect([second?.id, second?.text]).toEqual([first?.id, first?.text])
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  })

  test('reorder: what belongs together comes the other way round', async () => {
    const desk = await openDesk()
    const id = await readyToPay(desk)
    await desk.plans.arm(SHOP, { do: 'reorder', match: { transactionId: id } })
    await desk.call('finalize', act(id))
    expect(await typesOf(desk)).toEqual(['PAYMENT_CAPTURE', 'PAYMENT_FINALIZE'])
  })

  test('reorder of one alone: it comes after what follows soon', async () => {
    const desk = await openDesk()
    await desk.plans.arm(SHOP, { do: 'reorder' })
    const id = await startBlik(desk)
    await desk.decide(id, 'approve')
    expect((await desk.told()).map(({ body }) => body.status)).toEqual(['ACCEPTED'])
    desk.pass(60_000)
    expect((await desk.told()).map(({ body }) => body.status)).toEqual(['ACCEPTED', 'PENDING'])
  })

  test('drop: it never comes', async () => {
    const desk = await openDesk()
    const { url, received } = await openReceiver()
    await desk.endpoints.add(SHOP, { url })
    const id = await readyToPay(desk)
    await desk.deliver()
    const before = received.length
    await desk.plans.arm(SHOP, { do: 'drop', on: 'PAYMENT_FINALIZE' })
    await desk.call('finalize', act(id))
    await desk.control.drain(SHOP)
    expect(await typesOf(desk)).toEqual(['PAYMENT_CAPTURE', 'PAYMENT_CAPTURE'])
    expect(received).toHaveLength(before + 2)
  })

  test('delay: it comes so much later', async () => {
    const desk = await openDesk()
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
  ] as const)('%s: signatures that verify: %o', async (deed, verdict) => {
    const desk = await openDesk()
    await desk.plans.arm(SHOP, { do: deed })
    await startIris(desk)
    const [told] = await desk.told()
    expect(await judged(desk, told)).toEqual(verdict)
    await startIris(desk)
    expect(await judged(desk, (await desk.told()).at(-1))).toEqual({ hmac: true, service: true })
  })

  test('stale-timestamp is signed as it says, ten minutes ago', async () => {
    const desk = await openDesk()
    await desk.plans.arm(SHOP, { do: 'stale-timestamp' })
    await startIris(desk)
    const [told] = await desk.told()
    expect(await judged(desk, told, 600)).toEqual({ hmac: true, service: true })
  })

  test('unknown-type and extra-field change what is said and nothing else', async () => {
    const desk = await openDesk()
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

  test('before-answer: the call answers after the receiver did, and the receiver may ask back meanwhile', async () => {
    const desk = await openDesk()
    const order: string[] = []
    const asked: string[] = []
    const { url } = await openReceiver(async (_nth, { json }) => {
      asked.push((await desk.status(String(json.transactionId))).body.status)
      await new Promise(resolve => setTimeout(resolve, 30))
      order.push('told')
      return {}
    })
    await desk.endpoints.add(SHOP, { url })
    await desk.plans.arm(SHOP, { do: 'before-answer' })
    await startIris(desk)
    order.push('answered')
    await startIris(desk)
    order.push('answered')
    await desk.deliver()
    expect(order.slice(0, 3)).toEqual(['told', 'answered', 'answered'])
    expect(asked).toEqual(['PENDING', 'PENDING'])
  })

  test('before-return: the shopper comes back after the receiver was told', async () => {
    const desk = await openDesk()
    const order: string[] = []
    const { url } = await openReceiver(async (_nth, { json }) => {
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

  test('before-answer waits for one try only, whatever became of it', async () => {
    const desk = await openDesk()
    const { url } = await openReceiver(() => ({ status: 500 }))
    await desk.endpoints.add(SHOP, { url })
    await desk.plans.arm(SHOP, { do: 'before-answer' })
    await startIris(desk)
    expect((await desk.allDeliveries())[0]).toMatchObject({ tries: 1, state: 'waiting' })
  })
})

describe('6: for which notifications a plan is', () => {
  test('as often as it was armed for, and for its type only', async () => {
    const desk = await openDesk()
    await desk.plans.arm(SHOP, { do: 'drop', on: 'PAYMENT_INITIATE', times: 2 })
    await paymentIn(desk, 'SETTLED')
    expect(await typesOf(desk)).toEqual(['PAYMENT_FINALIZE', 'PAYMENT_CAPTURE', 'PAYMENT_CAPTURE'])
    expect(await desk.plans.list(SHOP)).toEqual([])
    await startIris(desk)
    expect(await typesOf(desk)).toHaveLength(4)
  })

  test.each([{ transactionId: 'another' }, { clientTransactionId: 'order-9' }, { payerId: 'shopper-2' }])(
    'waits for what it matches: %o',
    async match => {
      const desk = await openDesk()
      await desk.plans.arm(SHOP, { do: 'drop', match })
      await startIris(desk)
      expect(await desk.told()).toHaveLength(1)
      expect(await desk.plans.list(SHOP)).toHaveLength(1)
      expect(await desk.plans.clear('other')).toBe(0)
      expect(await desk.plans.clear(SHOP)).toBe(1)
    },
  )

  test('once is once, where one change is told by two', async () => {
    const desk = await openDesk()
    const id = await readyToPay(desk)
    await desk.plans.arm(SHOP, { do: 'drop' })
    await desk.call('finalize', act(id))
    expect(await typesOf(desk)).toEqual(['PAYMENT_CAPTURE'])
  })

  test('a payment that has a plan of its own keeps to it all along', async () => {
    const desk = await openDesk()
    const id = await startBlik(desk)
    const plan: PlanRule[] = [{ on: 'PAYMENT_FINALIZE', do: 'duplicate' }]
    await desk.store.perform({
      organizationId: SHOP,
      now: desk.time.now,
      needs: { transactionId: id },
      decide: ({ payment }) => {
        if (!payment) throw new Error('There is no payment.')
        const { statusInfo, state } = payment
        const event = { type: 'payment.initiated', cause: 'initiate' as const, at: desk.time.now, state, statusInfo }
        return {
          result: undefined,
          save: { change: { payment: { ...payment, plan }, events: [event], deadlines: [], postings: [] } },
        }
      },
    })
    await desk.inbox.clear(SHOP)
    await desk.decide(id, 'approve')
    await desk.call('finalize', act(id))
    expect(await typesOf(desk)).toEqual(['PAYMENT_INITIATE', 'PAYMENT_FINALIZE', 'PAYMENT_FINALIZE', 'PAYMENT_CAPTURE'])
  })

  test('every deed is done without a payment coming to harm', async () => {
    const desk = await openDesk()
    for (const deed of PLAN_DEEDS) await desk.plans.arm(SHOP, { do: deed })
    const id = await startIris(desk)
    expect((await desk.status(id)).body.status).toBe('PENDING')
    expect(planned([], { plan: [] } as never, []).drafts).toEqual([])
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
  ])('%j is refused and says what is wrong with %s', async (wish, member) => {
    const desk = await openDesk()
    await expect(desk.plans.arm(SHOP, wish)).rejects.toThrow(new RegExp(`^${member} is`))
  })
})

import { describe, expect, test } from 'vitest'
import { organizationControl } from '../support/control-client.ts'
import {
  createSecondMerchant,
  initiateIris,
  merchantOf,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

describe('6: the inbox', () => {
  test('lists signed notifications newest first, filters them, and can be cleared', async () => {
    const simulator = await startScopedSimulator()
    const control = organizationControl(simulator)
    const merchant = merchantOf(simulator)
    const [first, second] = [await initiateIris(merchant), await initiateIris(merchant)]
    const { secret, messages } = (await control.get('inbox')).body
    expect(messages.map((message: Message) => message.notification.transactionId)).toEqual([second, first])
    const [newest] = messages
    const webhook = { ...newest, header: (name: string) => newest.headers[name], body: Buffer.from(newest.body) }
    expect(await merchant.verifyWebhook(webhook, [secret])).toMatchObject({ ok: true })
    expect((await control.get(`inbox?transactionId=${first}`)).body.messages).toHaveLength(1)
    expect((await control.get('inbox?type=PAYMENT_REFUND')).body.messages).toEqual([])
    expect((await control.get('inbox?clientTransactionId=order-1&limit=1')).body.messages).toHaveLength(1)
    expect((await control.delete('inbox')).body).toEqual({ cleared: 2 })
    expect((await control.get('inbox')).body.messages).toEqual([])
    const other = await createSecondMerchant(simulator)
    await initiateIris(other)
    expect((await control.get('inbox')).body.messages).toEqual([])
    const theirs = (await organizationControl(simulator, 'other-merchant').get('inbox')).body
    expect([theirs.messages.length, theirs.secret === secret]).toEqual([1, false])
  })

  test('wait returns an existing notification at once, or the next one, and continues after a given one', async () => {
    const simulator = await startScopedSimulator()
    const control = organizationControl(simulator)
    const merchant = merchantOf(simulator)
    const waiting = control.get('inbox/wait?type=PAYMENT_INITIATE&atMost=PT10S')
    const id = await initiateIris(merchant)
    const { body: first } = await waiting
    expect(first.notification).toMatchObject({ transactionId: id, status: 'PENDING' })
    expect((await control.get(`inbox/wait?transactionId=${id}`)).body.id).toBe(first.id)
    const next = control.get(`inbox/wait?transactionId=${id}&after=${first.id}&atMost=PT10S`)
    await control.post(`payments/${id}/shopper`, { action: 'approve' })
    expect((await next).body.notification.status).toBe('ACCEPTED')
  })

  test('wait returns a notification that an advance of the clock makes due', async () => {
    const simulator = await startScopedSimulator()
    const control = organizationControl(simulator)
    await control.post('delivery-plans', { do: 'delay', after: 'PT10M' })
    const id = await initiateIris(merchantOf(simulator))
    const waiting = control.get(`inbox/wait?transactionId=${id}&atMost=PT10S`)
    await control.advance('PT10M')
    expect((await waiting).body.notification.transactionId).toBe(id)
  })

  test('whoever waits after a message learns at once that a reset has removed it', async () => {
    const simulator = await startScopedSimulator()
    const control = organizationControl(simulator)
    await initiateIris(merchantOf(simulator))
    const [{ id }] = (await control.get('inbox')).body.messages
    const waiting = control.get(`inbox/wait?type=PAYMENT_REFUND&after=${id}&atMost=PT1M`)
    await control.delete('inbox')
    expect((await control.get(`inbox?after=${id}`)).body.messages).toEqual([])
    await control.post('reset', {})
    await initiateIris(merchantOf(simulator))
    const refused =
      'after names no message of this organization: leave it out, or give the id of one since the last reset.'
    expect(await waiting).toMatchObject({ status: 400, body: { error: refused } })
    expect(await control.get(`inbox?after=${id}`)).toMatchObject({ status: 400, body: { error: refused } })
  }, 30_000) // shorter than the wait

  test('wait ends with 404 and one sentence after its limit, and at once when the sandbox closes', async () => {
    const simulator = await startScopedSimulator()
    const control = organizationControl(simulator)
    const { status, body } = await control.get('inbox/wait?type=PAYMENT_REFUND&transactionId=t-1&atMost=PT0.05S')
    expect([status, body.error]).toEqual([
      404,
      'No PAYMENT_REFUND of this payment came within 0.05 s: the inbox is empty.',
    ])
    const id = await initiateIris(merchantOf(simulator))
    const another = await control.get('inbox/wait?type=PAYMENT_REFUND&atMost=PT0.05S')
    expect(another.body.error).toContain(`came within 0.05 s: the newest of the inbox are PAYMENT_`)
    expect(another.body.error).toContain(` of ${id}.`)
    for (const atMost of ['PT2M', 'soon', 'PT'])
      expect((await control.get(`inbox/wait?atMost=${atMost}`)).status).toBe(400)
    const { inbox } = simulator.controlPlane
    const waiting = inbox.wait(
      simulator.kit.organizationId,
      { type: 'PAYMENT_REFUND' },
      60_000,
      new AbortController().signal,
    )
    const refused = expect(waiting).rejects.toThrow('The sandbox stops: wait again once it runs.')
    await simulator.stop()
    await refused
  }, 30_000) // shorter than the wait
})

type Message = { notification: { transactionId: string } }

describe('6: many who wait for an inbox', () => {
  test('a hundred wait at once and share one look at what becomes due; one more is refused; who goes costs nothing', async () => {
    const simulator = await startScopedSimulator()
    const { controlPlane, kit } = simulator
    const { inbox } = controlPlane
    const gone = new AbortController()
    const wait = (filter: { type?: string }, signal = gone.signal) =>
      inbox.wait(kit.organizationId, filter, 60_000, signal)
    const waiting = Array.from({ length: 99 }, () => wait({ type: 'PAYMENT_REFUND' }).catch(error => error))
    const first = wait({ type: 'PAYMENT_INITIATE' })
    await expect(wait({})).rejects.toThrow('100 calls wait')
    const id = await initiateIris(merchantOf(simulator))
    expect((await first).message.transactionId).toBe(id)
    gone.abort()
    for (const ended of await Promise.all(waiting)) expect(ended).toBeInstanceOf(Error)
    expect((await wait({}, new AbortController().signal)).message.transactionId).toBe(id)
  })
})

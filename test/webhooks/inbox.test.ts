import { describe, expect, test } from 'vitest'
import { controlOf } from '../support/identities.ts'
import { initiated, merchantOf, otherMerchantOf, runningSimulator } from '../support/running.ts'

describe('6: the inbox', () => {
  test('holds what a receiver would have got, signed, newest first, and is emptied', async () => {
    const simulator = await runningSimulator()
    const control = controlOf(simulator)
    const merchant = merchantOf(simulator)
    const [first, second] = [await initiated(merchant), await initiated(merchant)]
    const { secret, messages } = (await control.get('inbox')).body
    expect(messages.map((message: Message) => message.notification.transactionId)).toEqual([second, first])
    const [newest] = messages
    const webhook = { ...newest, header: (name: string) => newest.headers[name], body: Buffer.from(newest.body) }
    expect(await merchant.verifyWebhook(webhook, [secret])).toEqual({ ok: true })
    expect((await control.get(`inbox?transactionId=${first}`)).body.messages).toHaveLength(1)
    expect((await control.get('inbox?type=PAYMENT_REFUND')).body.messages).toEqual([])
    expect((await control.get('inbox?clientTransactionId=order-1&limit=1')).body.messages).toHaveLength(1)
    expect((await control.delete('inbox')).body).toEqual({ cleared: 2 })
    expect((await control.get('inbox')).body.messages).toEqual([])
    const other = await otherMerchantOf(simulator)
    await initiated(other)
    expect((await control.get('inbox')).body.messages).toEqual([])
    const theirs = (await controlOf(simulator, 'other-merchant').get('inbox')).body
    expect([theirs.messages.length, theirs.secret === secret]).toEqual([1, false])
  })

  test('wait answers at once with what is there, as soon as it comes, and walks on with after', async () => {
    const simulator = await runningSimulator()
    const control = controlOf(simulator)
    const merchant = merchantOf(simulator)
    const waiting = control.get('inbox/wait?type=PAYMENT_INITIATE&atMost=PT10S')
    const id = await initiated(merchant)
    const { body: first } = await waiting
    expect(first.notification).toMatchObject({ transactionId: id, status: 'PENDING' })
    expect((await control.get(`inbox/wait?transactionId=${id}`)).body.id).toBe(first.id)
    const next = control.get(`inbox/wait?transactionId=${id}&after=${first.id}&atMost=PT10S`)
    await control.post(`payments/${id}/shopper`, { action: 'approve' })
    expect((await next).body.notification.status).toBe('ACCEPTED')
  })

  test('wait sees what the clock brings', async () => {
    const simulator = await runningSimulator()
    const control = controlOf(simulator)
    await control.post('delivery-plans', { do: 'delay', after: 'PT10M' })
    const id = await initiated(merchantOf(simulator))
    const waiting = control.get(`inbox/wait?transactionId=${id}&atMost=PT10S`)
    await control.advance('PT10M')
    expect((await waiting).body.notification.transactionId).toBe(id)
  })

  test('wait gives up in one sentence, and at once where the sandbox closes', async () => {
    const simulator = await runningSimulator()
    const control = controlOf(simulator)
    const { status, body } = await control.get('inbox/wait?type=PAYMENT_REFUND&transactionId=t-1&atMost=PT0.05S')
    expect([status, body.error]).toEqual([404, expect.stringMatching(/^No PAYMENT_REFUND of t-1 came within 0.05 s/)])
    for (const atMost of ['PT2M', 'soon', 'PT'])
      expect((await control.get(`inbox/wait?atMost=${atMost}`)).status).toBe(400)
    const waiting = control.get('inbox/wait?atMost=PT1M').catch(() => ({ status: 404 }))
    await new Promise(resolve => setImmediate(resolve))
    const begun = performance.now()
    await simulator.stop()
    await waiting
    expect(performance.now() - begun).toBeLessThan(5_000)
  })
})

type Message = { notification: { transactionId: string } }

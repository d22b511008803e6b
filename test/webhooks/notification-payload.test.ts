import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { State } from '../../simulator/payments/lifecycle.ts'
import { createPaymentIn, startIris } from '../support/create-test-payments.ts'
import { actionRequest, chargeRequest, irisRequest } from '../support/payment-requests.ts'
import { openWebhookCore, type WebhookCore } from './simulator-core-with-webhooks.ts'

const call = (operation: string, amount?: number) => (desk: WebhookCore, id: string) =>
  desk.call(operation, actionRequest(id, amount))
const refused = (operation: string) => async (desk: WebhookCore, id: string) => {
  await desk.arm({ operation, kind: 'decline', code: '3003' })
  await desk.call(operation, actionRequest(id))
}
const pass = (milliseconds: number) => async (desk: WebhookCore, id: string) => {
  desk.pass(milliseconds)
  await desk.status(id)
}
const DAY = 86_400_000

// biome-ignore format: a table reads by its columns
const ROWS: readonly (readonly [from: State, what: string, act: (desk: WebhookCore, id: string) => unknown, told: readonly object[]])[] = [
  ['AWAITING_SHOPPER',   'approved',  (desk, id) => desk.decide(id, 'approve'), [{ notificationType: 'PAYMENT_FINALIZE', status: 'ACCEPTED' }]],
  ['AWAITING_SHOPPER',   'declined',  (desk, id) => desk.decide(id, 'decline'), [{ notificationType: 'PAYMENT_FINALIZE', status: 'DECLINED', statusInfo: { reasonCode: '2001' } }]],
  ['AWAITING_SHOPPER',   'lapsed',    pass(45_000),         [{ notificationType: 'PAYMENT_FINALIZE', status: 'DECLINED', statusInfo: { reasonCode: '2000' } }]],
  ['AWAITING_SHOPPER',   'cancel',    call('cancel'),       [{ notificationType: 'PAYMENT_FINALIZE', status: 'CANCELED' }]],
  ['AUTHENTICATED',      'lapsed',    pass(DAY),            [{ notificationType: 'PAYMENT_FINALIZE', status: 'DECLINED', statusInfo: { reasonCode: '2000' } }]],
  ['AUTHENTICATED',      'finalize',  call('finalize'),     [{ notificationType: 'PAYMENT_FINALIZE', status: 'APPROVED' }]],
  ['AUTHENTICATED',      'finalize no', refused('finalize'), [{ notificationType: 'PAYMENT_FINALIZE', status: 'DECLINED', statusInfo: { reasonCode: '2000' } }]],
  ['AUTHORIZED',         'cancel',    call('cancel'),       [{ notificationType: 'PAYMENT_FINALIZE', status: 'CANCELED' }]],
  ['AUTHORIZED',         'cancel no', refused('cancel'),    []],
  ['AUTHORIZED',         'hold',      pass(7 * DAY),        [{ notificationType: 'PAYMENT_FINALIZE', status: 'DECLINED' }]],
  ['AUTHORIZED',         'capture part', call('capture', 400), [{ notificationType: 'PAYMENT_CAPTURE', status: 'APPROVED', amount: 400, capturedAmount: 400 }]],
  ['PARTIALLY_CAPTURED', 'capture rest', call('capture'),   [{ notificationType: 'PAYMENT_CAPTURE', status: 'APPROVED', amount: 600, capturedAmount: 1000 }]],
  ['AUTHORIZED',         'capture no', refused('capture'),  [{ notificationType: 'PAYMENT_CAPTURE', status: 'DECLINED', amount: 1000, capturedAmount: 0 }]],
  ['CAPTURED',           'settle',    pass(2_000),          []],
  ['PARTIALLY_CAPTURED', 'hold',      pass(7 * DAY),        []],
  ['SETTLED',            'refund part', call('refund', 300), [{ notificationType: 'PAYMENT_REFUND', status: 'APPROVED', amount: 300, refundedAmount: 300 }]],
  ['PARTIALLY_REFUNDED', 'refund rest', call('refund'),     [{ notificationType: 'PAYMENT_REFUND', status: 'APPROVED', amount: 700, refundedAmount: 1000 }]],
  ['SETTLED',            'refund no', refused('refund'),    [{ notificationType: 'PAYMENT_REFUND', status: 'DECLINED', amount: 1000, refundedAmount: 0 }]],
]

type Example = { value: Record<string, unknown> }

const EXAMPLES: Readonly<Record<string, Example>> = parse(
  readFileSync(new URL('../../contracts/openapi.yaml', import.meta.url), 'utf8'),
).components.examples

/** Dotted paths of the members of a message, without values. */
const memberPaths = (message: unknown, path = ''): string[] =>
  message !== null && typeof message === 'object'
    ? Object.entries(message)
        .flatMap(([name, inner]) => memberPaths(inner, `${path}.${name}`))
        .sort()
    : [path]

describe('6, D-116: every step of a payment has one notification', () => {
  test.each(ROWS)('%s, %s', async (from, _what, then, expected) => {
    const desk = await openWebhookCore()
    const id = await createPaymentIn(desk, from)
    const before = (await desk.told()).length
    await then(desk, id)
    const told = (await desk.told()).slice(before)
    expect(told.map(({ body }) => body)).toMatchObject(expected)
    expect(told).toHaveLength(expected.length)
    for (const { body } of told) expect(body).toMatchObject({ transactionId: id, clientTransactionId: 'order-1' })
  })

  test('with exactly the fields of its type and the lifecycle', async () => {
    const desk = await openWebhookCore()
    await createPaymentIn(desk, 'REFUNDED')
    const fields = (await desk.told()).map(({ body }) => [body.notificationType, Object.keys(body).slice(6).join()])
    expect(fields).toEqual([
      ['PAYMENT_INITIATE', 'lifecycle'],
      ['PAYMENT_FINALIZE', 'lifecycle'],
      ['PAYMENT_FINALIZE', 'lifecycle'],
      ['PAYMENT_CAPTURE', 'capture,amount,capturedAmount,providerDetails,lifecycle'],
      ['PAYMENT_REFUND', 'refund,amount,refundedAmount,providerDetails,lifecycle'],
    ])
  })

  test.each([
    ['NotifiedConsent', 'AUTHENTICATED', 'PAYMENT_FINALIZE'],
    ['NotifiedCapture', 'CAPTURED', 'PAYMENT_CAPTURE'],
    ['NotifiedRefund', 'PARTIALLY_REFUNDED', 'PAYMENT_REFUND'],
    ['NotifiedToken', 'TOKENIZED', 'PAYMENT_FINALIZE'],
  ] as const)('the example %s of the description has the members that are sent', async (name, state, type) => {
    const desk = await openWebhookCore()
    await createPaymentIn(desk, state)
    const sent = (await desk.told()).filter(({ body }) => body.notificationType === type).at(-1)?.body
    const { value } = EXAMPLES[name] ?? {}
    expect(memberPaths(value)).toEqual(memberPaths(sent))
    expect([value?.notificationType, value?.status, value?.statusInfo]).toEqual([type, sent.status, sent.statusInfo])
  })

  test('D-04: without the lifecycle when that is switched off', async () => {
    const desk = await openWebhookCore({ showLifecycle: false })
    await startIris(desk)
    const [{ text } = { text: '' }] = await desk.told()
    expect(Object.keys(JSON.parse(text))).toEqual([
      'notificationId',
      'notificationType',
      'transactionId',
      'clientTransactionId',
      'status',
      'statusInfo',
    ])
  })

  test('D-62: with the payment token after finalize; a charge has notifications too', async () => {
    const desk = await openWebhookCore()
    await createPaymentIn(desk, 'TOKENIZED')
    expect((await desk.told()).at(-1)?.body).toMatchObject({
      notificationType: 'PAYMENT_FINALIZE',
      payerDetails: { paymentToken: expect.any(String) },
    })
    await desk.call('charge', chargeRequest())
    expect((await desk.told()).slice(-2).map(({ body }) => body.notificationType)).toEqual([
      'PAYMENT_FINALIZE',
      'PAYMENT_CAPTURE',
    ])
  })

  test('calls that are refused, replayed or change nothing have none', async () => {
    const desk = await openWebhookCore()
    const id = (await desk.call('initiate', irisRequest(), { key: 'key' })).body.transactionId
    await desk.call('initiate', irisRequest(), { key: 'key' })
    await desk.call('capture', actionRequest(id))
    await desk.call('finalize', actionRequest(id))
    await desk.status(id)
    expect(await desk.told()).toHaveLength(1)
  })

  test('each has its own id and the time of its event', async () => {
    const desk = await openWebhookCore()
    const id = await startIris(desk)
    const initiated = desk.time.now
    desk.pass(60 * 60_000)
    await desk.status(id)
    const told = await desk.told()
    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
    expect(told.at(-1)?.at).toBe(initiated + 30 * 60_000)
  })
})

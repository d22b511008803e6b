import { expect, test } from 'vitest'
import { irisRequest } from '../support/payment-requests.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`

/** Starts a sandbox without layers, so that a test sends what headers it likes; `initiate` returns the payment's id. */
const startTraced = async () => {
  const simulator = await startScopedSimulator({ plainPort: 0, layers: [] })
  const receiver = await openWebhookReceiver()
  await simulator.controlPlane.endpoints.add('demo-merchant', { url: receiver.url })
  const initiate = async (traceparent: string): Promise<string> => {
    const processingAccountId = simulator.kit.processingAccountIds[0] ?? ''
    const response = await fetch(`${simulator.plainUrl}/payments/initiate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': traceparent, traceparent },
      body: JSON.stringify({ ...irisRequest(), processingAccountId }),
    })
    return (await response.json()).transactionId
  }
  const expire = () => simulator.controlPlane.clock.advance('demo-merchant', 31 * 60_000)
  return { ...simulator, receiver, initiate, expire }
}

test('the trace of the call that made a payment is in its timeline, and its webhooks carry it on', async () => {
  const { controlPlane, receiver, initiate, expire } = await startTraced()
  const transactionId = await initiate(TRACEPARENT)
  await expire()
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
  expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual(receiver.received.map(() => TRACEPARENT))
  const { marks } = await controlPlane.payments.timeline('demo-merchant', transactionId)
  expect(marks.filter(({ lane }) => lane === 'call')).toEqual([expect.objectContaining({ traceId: TRACE })])
})

test.each(['gibberish', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `01-${TRACE}-00f067aa0ba902b7-01`])(
  'a traceparent such as %s is as good as none',
  async traceparent => {
    const { controlPlane, receiver, initiate, expire } = await startTraced()
    const transactionId = await initiate(traceparent)
    await expire()
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
    expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual(receiver.received.map(() => undefined))
    const { marks } = await controlPlane.payments.timeline('demo-merchant', transactionId)
    expect(marks.filter(mark => 'traceId' in mark)).toEqual([])
  },
)

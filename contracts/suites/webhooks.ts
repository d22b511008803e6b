import type { Exchange } from '../client/exchange.ts'
import { EITHER, keysOf } from '../client/key-set.ts'
import { nowSeconds } from '../client/real-time.ts'
import type { Check, Journey } from '../harness/check.ts'
import type { Expect } from '../harness/expect.ts'
import { Inconclusive } from '../harness/signals.ts'
import { verifyWebhook, verifyWebhookSignature } from '../protocol/verify-webhook.ts'
import { WEBHOOK } from '../protocol/webhook-signature.ts'
import { finalizeOf } from './bodies.ts'
import { consented, initiate, transactionIdOf } from './given.ts'
import { openReceiver } from './receiver.ts'
import type { World } from './world.ts'

type Pushed = 'pushed' | 'events' | 'key set' | 'first of two' | 'second of two'

/** A notification as the inbox hands it on. */
type Message = { id: string; target: string; headers: Record<string, string>; body: string; secret: string }

/** What the inbox holds; its answer is the evidence. */
const pushedBy = (exchange: Exchange, expect: Expect) => {
  expect.holds(expect.answered(exchange).status === 200, 'a notification in the inbox', expect.told(exchange), exchange)
  const message = expect.json(exchange) as Message
  const answer = { status: 200, headers: {}, body: Buffer.from(message.body) }
  return { ...message, notification: { ...exchange, answer } }
}

const checks: readonly Check<Pushed>[] = [
  {
    id: 'EVT-01',
    clause: '6, E5',
    title: 'the outcome of a payment is pushed to the merchant',
    needs: ['fields.webhook.transactionId', 'fields.events.transactionId'],
    judge: (evidence, expect) => {
      const pushed = evidence.of('pushed')
      const { notification } = pushedBy(pushed, expect)
      const transactionId = expect.field(evidence.of('events'), 'events.transactionId')
      expect.equal('the transactionId', expect.field(notification, 'webhook.transactionId'), transactionId, pushed)
    },
  },
  {
    id: 'EVT-02',
    clause: '6',
    title: 'what was pushed can be read from the events too',
    control: 'EVT-01',
    needs: ['fields.webhook.status', 'fields.webhook.reasonCode', 'fields.events.status', 'fields.events.reasonCode'],
    judge: (evidence, expect) => {
      const pushed = evidence.of('pushed')
      const { notification } = pushedBy(pushed, expect)
      for (const name of ['status', 'reasonCode']) {
        const told = expect.field(evidence.of('events'), `events.${name}`)
        expect.equal(`the ${name}`, expect.field(notification, `webhook.${name}`), told, pushed)
      }
    },
  },
  {
    id: 'EVT-03',
    clause: '6',
    title: 'a webhook is signed, with its secret and with the key of the service',
    basis: 'assumed',
    decisions: ['D-100'],
    control: 'EVT-01',
    judge: async (evidence, expect) => {
      const pushed = evidence.of('pushed')
      const { target, headers, body, secret } = pushedBy(pushed, expect)
      const webhook = { target, header: (name: string) => headers[name], body: Buffer.from(body) }
      expect.served(evidence.of('key set'))
      const keys = keysOf(evidence.of('key set'))
      const time = { nowSeconds: nowSeconds() }
      const own = verifyWebhook(webhook, [secret], time)
      const service = await verifyWebhookSignature(webhook, keyId => keys.get(keyId), EITHER, time)
      for (const verdict of [own, service])
        expect.holds(verdict.ok, 'a signature that verifies', verdict.ok ? '' : verdict.message, pushed)
    },
  },
  {
    id: 'EVT-04',
    clause: '6',
    title: 'what is delivered twice can be told by its id',
    basis: 'assumed',
    decisions: ['D-100', 'D-101'],
    control: 'EVT-01',
    judge: (evidence, expect) => {
      const [first, second] = [evidence.of('first of two'), evidence.of('second of two')]
      const [one, other] = [pushedBy(first, expect), pushedBy(second, expect)]
      expect.equal('the id', other.headers[WEBHOOK.id], one.headers[WEBHOOK.id], second)
      expect.equal('the body', other.body, one.body, second)
    },
  },
]

/** What reaches a merchant by webhook, seen through the inbox of the control address (6). */
const pushed: Journey<World, Pushed> = {
  name: 'webhooks',
  tier: 3,
  needs: ['control.url', 'fields.initiate.transactionId'],
  play: async (world, keep) => {
    const { profile, merchant, operator, account } = world
    const transactionId = await consented(profile, world, false)
    await merchant.request('finalize', { json: finalizeOf(account, transactionId) })
    await keep('events', merchant.request('events', { path: { transactionId } }))
    await keep('key set', merchant.request('keySet'))
    const outcome = await keep('pushed', operator.notification({ transactionId, type: 'PAYMENT_FINALIZE' }))
    if (outcome.answer?.status !== 200) return // nothing is pushed: what follows would wait in vain

    const twice = transactionIdOf(profile, await initiate(world))
    const before = await operator.notification({ transactionId: twice })
    await operator.plan({ match: { transactionId: twice }, do: 'duplicate' })
    await operator.shopper(twice, 'approve')
    const after = (exchange: Exchange) => ({ transactionId: twice, after: idOf(exchange) })
    const first = await keep('first of two', operator.notification(after(before)))
    await keep('second of two', operator.notification(after(first)))
  },
  checks,
}

const idOf = ({ answer }: Exchange): string => {
  const { id = '' } = JSON.parse(answer?.body.toString() || '{}') as { id?: string }
  return id
}

const webhookIdOf = ({ request }: Exchange) => request.headers[WEBHOOK.id]

type Receiver = Awaited<ReturnType<typeof openReceiver>>

/** A later call with the webhook of the first, among those about other payments of the run. */
const sameAgain = async (first: Exchange, receiver: Receiver): Promise<Exchange | undefined> => {
  for (let number = 2; ; number += 1) {
    const call = await receiver.call(number, 200)
    if (!call || webhookIdOf(call) === webhookIdOf(first)) return call
  }
}

/** A receiver of our own, which fails at first. */
const retried: Journey<World, 'first try' | 'second try'> = {
  name: 'webhooks to a receiver that fails',
  tier: 3,
  needs: ['control.url', 'webhooks.receiver'],
  play: async (world, keep) => {
    const { profile, operator } = world
    const receiver = await openReceiver(profile.webhooks?.receiver ?? '', [500, 204])
    try {
      const unsubscribe = await operator.subscribe(receiver.url, ['PAYMENT_INITIATE'])
      try {
        await initiate(world)
        const never = new Inconclusive(`no webhook has come to ${receiver.url}: does the service reach it there?`)
        const first = await keep(
          'first try',
          receiver.call(1).then(call => call ?? Promise.reject(never)),
        )
        const again = () => sameAgain(first, receiver)
        for (let looks = 0; looks < LOOKS && !(await again()); looks += 1) await operator.advance('PT10S')
        const missed = { request: { method: 'POST', url: receiver.url, headers: {} }, durationMs: 0 }
        await keep(
          'second try',
          again().then(call => call ?? missed),
        )
      } finally {
        await unsubscribe()
      }
    } finally {
      receiver.close()
    }
  },
  checks: [
    {
      id: 'EVT-05',
      clause: '6',
      title: 'a receiver that fails is called again with the same webhook',
      basis: 'assumed',
      decisions: ['D-101'],
      control: 'EVT-01',
      judge: (evidence, expect) => {
        const [first, second] = [evidence.of('first try'), evidence.of('second try')]
        expect.answered(first)
        expect.holds(second.answer !== undefined, 'a second try soon', 'none', first)
        expect.equal('the id', webhookIdOf(second), webhookIdOf(first), second)
        const textOf = ({ request }: Exchange) => Buffer.from(request.body ?? []).toString()
        expect.equal('the body', textOf(second), textOf(first), second)
      },
    },
  ],
}

/** The clock is moved meanwhile, less than it takes for the payment to expire and a webhook of that to come. */
const LOOKS = 4

export const webhooks = [pushed, retried] as const

import type { Exchange } from '../client/http-exchange.ts'
import { readVerifyingKeys } from '../client/service-key-set.ts'
import { nowSeconds } from '../client/wall-clock.ts'
import { assumed, type Check, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { Inconclusive } from '../harness/judge/verdict-errors.ts'
import { acceptedResponseDialect } from '../protocol/match-signature-dialect.ts'
import { verifyWebhook, verifyWebhookSignature } from '../protocol/verify-webhook.ts'
import { WEBHOOK_HEADERS } from '../protocol/webhook-hmac.ts'
import type { CheckContext } from './context/check-context.ts'
import { createApprovedPayment, initiate, letShopper, readTransactionId } from './given/payments.ts'
import { finalizeBody } from './given/request-bodies.ts'
import { openWebhookReceiver } from './given/webhook-receiver.ts'

type Pushed = 'pushed' | 'events' | 'key set' | 'first of two' | 'second of two'

/** A notification as the inbox of the control API returns it. */
type InboxNotification = { id: string; target: string; headers: Record<string, string>; body: string; secret: string }

/** Reads the notification from an inbox response; expects status 200. */
const readNotification = (exchange: Exchange, expect: Expect) => {
  expect.holds(
    expect.response(exchange).status === 200,
    'a notification in the inbox',
    expect.describeJudged(exchange),
    exchange,
  )
  const message = expect.json(exchange) as InboxNotification
  const response = { status: 200, headers: {}, body: Buffer.from(message.body) }
  return { ...message, notification: { ...exchange, response } }
}

const checks: readonly Check<Pushed>[] = [
  {
    id: 'EVT-01',
    clause: '6, E5',
    title: 'the outcome of a payment is pushed to the merchant',
    needs: ['fields.webhook.transactionId', 'fields.events.transactionId'],
    judge: (evidence, expect) => {
      const pushed = evidence.of('pushed')
      const { notification } = readNotification(pushed, expect)
      const transactionId = expect.field(evidence.of('events'), 'events.transactionId')
      expect.equalText('the transactionId', expect.field(notification, 'webhook.transactionId'), transactionId, pushed)
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
      const { notification } = readNotification(pushed, expect)
      for (const name of ['status', 'reasonCode']) {
        const stated = expect.field(evidence.of('events'), `events.${name}`)
        expect.equalText(`the ${name}`, expect.field(notification, `webhook.${name}`), stated, pushed)
      }
    },
  },
  {
    id: 'EVT-03',
    clause: '6',
    title: 'a webhook is signed, with its secret and with the key of the service',
    ...assumed('D-100'),
    control: 'EVT-01',
    judge: async (evidence, expect) => {
      const pushed = evidence.of('pushed')
      const { target, headers, body, secret } = readNotification(pushed, expect)
      const webhook = { target, header: (name: string) => headers[name], body: Buffer.from(body) }
      const time = { nowSeconds: nowSeconds() }
      const { webhooks: { signature = 'both' } = {}, responses } = expect.profile
      const accepted = acceptedResponseDialect(responses)
      if (signature !== 'hmac') expect.served(evidence.of('key set'))
      const keys = readVerifyingKeys(evidence.of('key set'))
      const own = signature === 'rfc9421' ? [] : [verifyWebhook(webhook, [secret], time)]
      const service =
        signature === 'hmac' ? [] : [await verifyWebhookSignature(webhook, keyId => keys.get(keyId), accepted, time)]
      for (const verdict of [...own, ...service])
        expect.holds(verdict.ok, 'a signature that verifies', verdict.ok ? '' : verdict.message, pushed)
    },
  },
  {
    id: 'EVT-04',
    clause: '6',
    title: 'a duplicate delivery is recognizable by its id',
    ...assumed('D-100', 'D-101'),
    control: 'EVT-01',
    judge: (evidence, expect) => {
      const [first, second] = [evidence.of('first of two'), evidence.of('second of two')]
      const [one, other] = [readNotification(first, expect), readNotification(second, expect)]
      expect.equal('the id', other.headers[WEBHOOK_HEADERS.id], one.headers[WEBHOOK_HEADERS.id], second)
      expect.equal('the body', other.body, one.body, second)
    },
  },
]

/** Checks of the webhooks of a payment, read through the inbox of the control API (6). */
const pushed: CheckScenario<CheckContext, Pushed> = {
  name: 'webhooks',
  tier: 3,
  needs: ['control.url', 'fields.initiate.transactionId'],
  play: async (context, keep) => {
    const { profile, merchant, control, account } = context
    const transactionId = await createApprovedPayment(profile, context, false)
    await merchant.request('finalize', { json: finalizeBody(account, transactionId) })
    await keep('events', merchant.request('events', { path: { transactionId } }))
    await keep('key set', merchant.request('keySet'))
    const outcome = await keep('pushed', control.notification({ transactionId, type: 'PAYMENT_FINALIZE' }))
    if (outcome.response?.status !== 200) return // nothing was pushed: the next waits would time out

    const initiated = await initiate(context)
    const twice = readTransactionId(profile, initiated)
    const before = await control.notification({ transactionId: twice })
    await control.plan({ match: { transactionId: twice }, do: 'duplicate' })
    await letShopper(profile, context, initiated)
    const after = (exchange: Exchange) => ({ transactionId: twice, after: idOf(exchange) })
    const first = await keep('first of two', control.notification(after(before)))
    await keep('second of two', control.notification(after(first)))
  },
  checks,
}

const idOf = ({ response }: Exchange): string => {
  const { id = '' } = JSON.parse(response?.body.toString() || '{}') as { id?: string }
  return id
}

const webhookIdOf = ({ request }: Exchange) => request.headers[WEBHOOK_HEADERS.id]

type Receiver = Awaited<ReturnType<typeof openWebhookReceiver>>

/** Finds a later call with the webhook id of the first. */
const sameAgain = async (first: Exchange, receiver: Receiver): Promise<Exchange | undefined> => {
  for (let number = 2; ; number += 1) {
    const call = await receiver.call(number, 200)
    if (!call || webhookIdOf(call) === webhookIdOf(first)) return call
  }
}

/** Checks of the webhooks to a receiver that responds 500 at first (6). */
const retried: CheckScenario<CheckContext, 'first try' | 'second try'> = {
  name: 'webhooks to a receiver that fails',
  tier: 3,
  needs: ['control.url', 'webhooks.receiver'],
  play: async (context, keep) => {
    const { profile, control, clock } = context
    const receiver = await openWebhookReceiver(profile.webhooks?.receiver ?? '', [500, 204])
    try {
      const unsubscribe = await control.subscribe(receiver.url, ['PAYMENT_INITIATE'])
      try {
        await initiate(context)
        const never = new Inconclusive(`no webhook has come to ${receiver.url}: does the service reach it there?`)
        const first = await keep(
          'first try',
          receiver.call(1).then(call => call ?? Promise.reject(never)),
        )
        const again = () => sameAgain(first, receiver)
        for (let looks = 0; looks < LOOKS && !(await again()); looks += 1) await clock.pass('PT10S')
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
      ...assumed('D-101'),
      control: 'EVT-01',
      judge: (evidence, expect) => {
        const [first, second] = [evidence.of('first try'), evidence.of('second try')]
        expect.response(first)
        expect.holds(second.response !== undefined, 'a second try soon', 'none', first)
        expect.equal('the id', webhookIdOf(second), webhookIdOf(first), second)
        const textOf = ({ request }: Exchange) => Buffer.from(request.body ?? []).toString()
        expect.equal('the body', textOf(second), textOf(first), second)
      },
    },
  ],
}

/** Clock advances of 10 s while waiting for the retry: fewer than would expire the payment. */
const LOOKS = 4

/** Checks of webhooks: content, signatures, duplicates, retries (6, E5). */
export const webhooks = [pushed, retried] as const

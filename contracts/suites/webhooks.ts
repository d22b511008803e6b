import type { Exchange } from '../client/http-exchange.ts'
import { realTime, sleep } from '../client/wall-clock.ts'
import { assumed, type Check, type CheckScenario } from '../harness/judge/check.ts'
import type { KeepStep } from '../harness/judge/scenario-evidence.ts'
import { Inconclusive } from '../harness/judge/verdict-errors.ts'
import { webhookSeconds } from '../harness/profile/abilities-from-profile-lines.ts'
import { hasCapability } from '../harness/profile/capabilities-that-checks-need.ts'
import { WEBHOOK_HEADERS } from '../protocol/webhook-hmac.ts'
import { PAYMENT_NEEDS } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { webhookKey } from './drivers/delivered-webhook.ts'
import { isOf, openWebhookSource, toWebhook } from './drivers/open-webhook-source.ts'
import { openPublicReceiver } from './drivers/public-webhook-receiver.ts'
import { findStep } from './evidence/expect-refused-or-declined.ts'
import { expectToldByBoth } from './evidence/expect-told-by-webhook-and-events.ts'
import { expectWebhookSigned } from './evidence/expect-webhook-signed.ts'
import { type KeySetStep, readKeySets } from './evidence/key-set-before-and-after.ts'
import { readNotification } from './evidence/read-notification.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { initiate, letShopper, readTransactionId } from './given/create-payments.ts'
import { readKeySet } from './given/harmless-calls.ts'
import { isMet, readUntil } from './given/read-until.ts'
import { openWebhookReceiver } from './given/webhook-receiver.ts'

type Pushed = KeySetStep | 'initiated' | 'pushed' | 'events before' | 'events' | 'first of two' | 'second of two'

const checks: readonly Check<Pushed>[] = [
  {
    id: 'EVT-01',
    clause: '6, E5',
    title: 'the outcome of a payment is pushed to the merchant',
    needs: ['fields.webhook.transactionId'],
    judge: (evidence, expect) => {
      const pushed = evidence.of('pushed')
      const { notification } = readNotification(pushed, expect)
      const transactionId = expect.field(evidence.of('initiated'), 'initiate.transactionId')
      expect.equalText('the transactionId', expect.field(notification, 'webhook.transactionId'), transactionId, pushed)
    },
  },
  {
    id: 'EVT-02',
    clause: '6',
    title: 'what was pushed can be read from the events too',
    control: 'EVT-01',
    needs: ['fields.webhook.status', 'fields.webhook.reasonCode', 'fields.events.status', 'fields.events.reasonCode'],
    judge: (evidence, expect) =>
      expectToldByBoth(evidence.of('pushed'), evidence.of('events'), findStep(evidence, 'events before'), expect),
  },
  {
    id: 'EVT-03',
    clause: '6',
    title: 'a webhook is signed, with its secret and with the key of the service',
    ...assumed('D-100'),
    control: 'EVT-01',
    judge: (evidence, expect) => {
      const pushed = evidence.of('pushed')
      return expectWebhookSigned(readNotification(pushed, expect), () => readKeySets(evidence), expect, pushed)
    },
  },
  {
    id: 'EVT-04',
    clause: '6',
    title: 'a duplicate delivery is recognizable by its id',
    ...assumed('D-100', 'D-101'),
    control: 'EVT-01',
    needs: ['webhooks.repeat'],
    judge: (evidence, expect) => {
      const [first, second] = [evidence.of('first of two'), evidence.of('second of two')]
      const [one, other] = [readNotification(first, expect), readNotification(second, expect)]
      expect.equal('the id', other.headers[WEBHOOK_HEADERS.id], one.headers[WEBHOOK_HEADERS.id], second)
      expect.equal('the body', other.body, one.body, second)
    },
  },
]

/** Checks of the webhooks of a payment, by whichever source the profile offers (6). */
const pushed: CheckScenario<CheckContext, Pushed> = {
  name: 'webhooks',
  tier: 3,
  needs: ['webhooks.receive', ...PAYMENT_NEEDS],
  play: async (context, keep, chosen) => {
    const { profile } = context
    const source = await openWebhookSource(context)
    try {
      await keep('keys before', readKeySet(context))
      const isByHand = hasCapability(profile, 'manualCapture')
      const initiated = await keep('initiated', initiate(context, { autoCapture: !isByHand }))
      const { finalize, capture, events } = operationsOn(context, readTransactionId(profile, initiated))
      const before = await keep('events before', events())
      const transactionId = await letShopper(profile, context, initiated)
      await finalize()
      const early = await events()
      const push = () => keep('pushed', source.outcomeOf(transactionId))
      const pushedIfAny = async () => {
        const come = await push().catch(() => undefined)
        return come?.response?.status === 200 ? come : undefined
      }
      let come = await pushedIfAny()
      if (come === undefined && isByHand && !profile.control) {
        await capture() // a service may push only what follows a capture (D-116)
        come = await pushedIfAny()
      }
      if (come === undefined) return // nothing was pushed: the next waits would time out
      let outcome = come
      const isSame = (told: Exchange) =>
        isMet(profile, expect => expectToldByBoth(outcome, told, before, expect)) === true
      const readBoth = async () => {
        const told = await events()
        outcome = await push()
        return told
      }
      await keep('events', isSame(early) ? Promise.resolve(early) : readUntil(profile, readBoth, isSame, context))
      await keep('keys', readKeySet(context))
    } finally {
      source.close()
    }
    if (chosen.has('EVT-04')) await deliverTwice(context, keep)
  },
  checks,
}

/** Has a webhook delivered twice, which only a simulator does on demand. */
const deliverTwice = async (context: CheckContext, keep: KeepStep<Pushed>): Promise<void> => {
  const { profile, control } = context
  const initiated = await initiate(context)
  const twice = readTransactionId(profile, initiated)
  const before = await control.notification({ transactionId: twice })
  await control.plan({ match: { transactionId: twice }, do: 'duplicate' })
  await letShopper(profile, context, initiated)
  const after = (exchange: Exchange) => ({ transactionId: twice, after: idOf(exchange) })
  const first = await keep('first of two', control.notification(after(before)))
  await keep('second of two', control.notification(after(first)))
}

const idOf = ({ response }: Exchange): string => {
  const { id = '' } = JSON.parse(response?.body.toString() || '{}') as { id?: string }
  return id
}

const webhookIdOf = ({ request }: Exchange) => request.headers[WEBHOOK_HEADERS.id]

/** Fails the first delivery of each webhook. */
const failingFirst: Parameters<typeof openWebhookReceiver>[1] = (call, earlier) =>
  earlier.some(({ request }) => webhookKey(request) === webhookKey(call)) ? 204 : 500

/** Opens a receiver that fails at first: subscribed by control, else where the deployment is configured to call. */
const openFailingReceiver = async ({ profile, control, webhooks, ended }: CheckContext) => {
  if (webhooks) return webhooks.failingReceiver
  if (!profile.control) return openPublicReceiver(profile, ended, failingFirst)
  const receiver = await openWebhookReceiver(profile.webhooks?.receiver ?? '', failingFirst, ended)
  const unsubscribe = await control.subscribe(receiver.url, ['PAYMENT_INITIATE']).catch(error => {
    receiver.close()
    throw error
  })
  const close = async () => {
    receiver.close()
    await unsubscribe()
  }
  return { ...receiver, close }
}

const receiverAdvice = ({ control, file }: CheckContext['profile']): string =>
  control
    ? `let webhooks.receiver of ${file} name an address by which the service reaches this machine, such as http://shop:0`
    : 'does the service reach it there?'

/** Polls until there is a value; undefined where there is none in time. */
const found = async <Value>(
  look: () => Value | undefined,
  withinMs: number,
  ended: AbortSignal,
): Promise<Value | undefined> => {
  const until = realTime() + withinMs
  for (;;) {
    const value = look()
    if (value !== undefined || realTime() > until) return value
    await sleep(POLLING_INTERVAL_MS, ended)
  }
}

/** Checks of the webhooks to a receiver that responds 500 at first (6). */
const retried: CheckScenario<CheckContext, 'first try' | 'second try'> = {
  name: 'webhooks to a receiver that fails',
  tier: 3,
  needs: ['webhooks.refuse', 'webhooks.receiver', ...PAYMENT_NEEDS],
  play: async (context, keep) => {
    const { profile, clock, ended } = context
    const withinMs = webhookSeconds(profile) * 1000
    const receiver = await openFailingReceiver(context)
    try {
      const isByHand = hasCapability(profile, 'manualCapture')
      const initiated = await initiate(context, { autoCapture: !isByHand })
      const id = readTransactionId(profile, initiated)
      if (!profile.control) {
        const { finalize, capture } = operationsOn(context, await letShopper(profile, context, initiated))
        await finalize()
        if (isByHand) await capture()
      }
      const never = new Inconclusive(`no webhook has come to ${receiver.url}: ${receiverAdvice(profile)}`)
      const isOwn = (call: Exchange) => profile.control !== undefined || isOf(profile, toWebhook(call), id)
      const come = found(() => receiver.calls.find(isOwn), withinMs, ended)
      const first = await keep(
        'first try',
        come.then(call => call ?? Promise.reject(never)),
      )
      const again = () =>
        receiver.calls.find(call => call !== first && webhookKey(call.request) === webhookKey(first.request))
      if (!profile.control) await found(again, withinMs, ended) // time passes by itself alone
      for (let looks = 0; looks < LOOKS && !(await found(again, LOOK_MS, ended)); looks += 1) await clock.pass('PT10S')
      const missed = { request: { method: 'POST', url: receiver.url, headers: {} }, durationMs: 0 }
      await keep('second try', Promise.resolve(again() ?? missed))
    } finally {
      await receiver.close()
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
        if (second.response === undefined) expect.maybeLater('no second try', first)
        expect.holds(second.response !== undefined, 'a second try soon', 'none', first)
        expect.equal('the id', webhookIdOf(second), webhookIdOf(first), second)
        const textOf = ({ request }: Exchange) => Buffer.from(request.body ?? []).toString()
        expect.equal('the body', textOf(second), textOf(first), second)
      },
    },
  ],
}

const POLLING_INTERVAL_MS = 20
const LOOK_MS = 200

/** Clock advances of 10 s while waiting for the retry: fewer than would expire the payment. */
const LOOKS = 4

/** Scenarios with checks of webhooks: content, signatures, duplicates, retries (6, E5). */
export const webhooks = [pushed, retried] as const

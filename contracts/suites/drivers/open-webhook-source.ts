import { setTimeout as pause } from 'node:timers/promises'
import { type Exchange, isServed, responseJson } from '../../client/http-exchange.ts'
import { nowIso, stopwatch } from '../../client/wall-clock.ts'
import { choiceOf } from '../../dialect/decision-choices.ts'
import { valueAtPointer } from '../../dialect/json-pointer.ts'
import { Inconclusive, Untestable } from '../../harness/judge/verdict-errors.ts'
import { patienceSeconds } from '../../harness/profile/abilities-from-profile-lines.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { readWebhookSecret } from '../../harness/profile/read-profile-credentials.ts'
import { driverAdvice } from '../../harness/profile/response-fields-and-line-advice.ts'
import { parseJson } from '../../protocol/parse-json-keeping-big-integers.ts'
import type { CheckContext } from '../context/check-context.ts'
import { hasWord } from '../evidence/shows-id.ts'
import type { Webhook } from './delivered-webhook.ts'
import { openPublicReceiver } from './public-webhook-receiver.ts'
import { readDeliveredByCommand } from './read-webhooks-from-profile-command.ts'

/** One way for checks to see the webhooks of an organization. */
export type WebhookSource = {
  /**
   * Waits for the last webhook of a payment: an exchange whose response has status 200 and a Webhook as JSON, or another
   * status where none came. Throws Inconclusive where no webhook of any payment came.
   */
  outcomeOf(transactionId: string): Promise<Exchange>
  /** Looks once which webhooks of a payment have come: an exchange whose response is DeliveredWebhooks as JSON. */
  deliveriesOf(transactionId: string): Promise<Exchange>
  close(): void
}

/**
 * Webhooks of one payment so far, oldest first; `reached` tells whether a webhook of some payment has come by this
 * source.
 */
export type DeliveredWebhooks = { webhooks: readonly Webhook[]; reached: boolean }

/** Time without a further webhook of a payment, after which the last one counts, in milliseconds. */
const QUIET_MS = 1_000

/** Opens the best source of webhooks that the profile offers: a simulator's inbox, our own receiver, or a command. */
export const openWebhookSource = async ({ profile, control }: CheckContext): Promise<WebhookSource> => {
  if (profile.control)
    return {
      outcomeOf: transactionId => awaitFinalized(profile, control, transactionId),
      deliveriesOf: transactionId => readInbox(control, transactionId),
      close: () => undefined,
    }
  const advice = driverAdvice(profile, 'webhooks.receive')
  if (advice) throw new Untestable(advice.reason, undefined, advice.line)
  if (profile.webhooks?.public === undefined)
    return sourceOf(profile, 'webhooks.command', {
      list: id => readDeliveredByCommand(profile, id),
      close: () => undefined,
    })
  const { calls, close } = await openPublicReceiver(profile)
  return sourceOf(profile, 'webhooks.public', { list: async () => calls.map(toWebhook), close })
}

/** Waits for the notification of finalize; that of the shopper has the same type unless the profile says otherwise (D-99). */
const awaitFinalized = async (profile: Profile, control: CheckContext['control'], transactionId: string) => {
  const filter = { transactionId, type: 'PAYMENT_FINALIZE' }
  const first = await control.notification(filter)
  if (choiceOf(profile, 'D-99') === 'initiate' || !isServed(first)) return first
  const { id } = responseJson(first) as { id: string }
  const second = await control.notification({ ...filter, after: id })
  return isServed(second) ? second : first
}

/** Reads all notifications of a payment from the inbox of a simulator. */
const readInbox = async (control: CheckContext['control'], transactionId: string): Promise<Exchange> => {
  const webhooks: (Webhook & { id: string })[] = []
  for (;;) {
    const after = webhooks.at(-1)?.id
    const next = await control.notification({ transactionId, atMost: 'PT0S', ...(after !== undefined && { after }) })
    if (next.response?.status !== 200)
      return exchangeOf(next.request, 200, { webhooks, reached: true } satisfies DeliveredWebhooks, next.durationMs)
    webhooks.push(JSON.parse(next.response.body.toString()))
  }
}

type Deliveries = { list(transactionId: string): Promise<readonly Webhook[]>; close(): void }

const sourceOf = (profile: Profile, line: string, { list, close }: Deliveries): WebhookSource => ({
  close,
  deliveriesOf: async transactionId => {
    const elapsed = stopwatch()
    const all = await list(transactionId)
    const own = all.filter(webhook => isOf(profile, webhook, transactionId))
    const webhooks = own.map(webhook => ({ ...webhook, ...secretOf(profile) }))
    const told: DeliveredWebhooks = { webhooks, reached: all.length > 0 }
    return exchangeOf(requestOf(profile, line), 200, told, elapsed())
  },
  outcomeOf: async transactionId => {
    const elapsed = stopwatch()
    const request = requestOf(profile, line)
    const limit = patienceSeconds(profile) * 1000
    for (;;) {
      const all = await list(transactionId)
      const own = all.filter(webhook => isOf(profile, webhook, transactionId))
      if (own.length > 0) {
        await pause(QUIET_MS)
        const last =
          (await list(transactionId)).findLast(webhook => isOf(profile, webhook, transactionId)) ?? own.at(-1)
        return exchangeOf(request, 200, { ...last, ...secretOf(profile) }, elapsed())
      }
      if (elapsed() > limit) {
        if (all.length > 0) return exchangeOf(request, 404, { message: 'no webhook of this payment' }, elapsed())
        const seconds = Math.round(limit / 1000)
        throw new Inconclusive(
          `no webhook has come within ${seconds} s: does the service reach ${line} of ${profile.file}?`,
        )
      }
      await pause((profile.limits?.pollSeconds ?? 1) * 1000)
    }
  },
})

const requestOf = ({ file }: Profile, line: string) => ({ method: 'GET', url: `${line} of ${file}`, headers: {} })

const exchangeOf = (request: Exchange['request'], status: number, json: unknown, durationMs: number): Exchange => ({
  at: nowIso(),
  request,
  response: { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(json)) },
  durationMs,
})

/** Converts a call to a webhook receiver to the webhook that it brought. */
export const toWebhook = ({ request: { url, headers, body }, at }: Exchange): Webhook => ({
  ...(at === undefined ? {} : { receivedAt: at }),
  target: url,
  headers: headers as Record<string, string>,
  body: Buffer.from(body ?? []).toString(),
})

/**
 * Whether a webhook is about a payment: by `fields.webhook.transactionId`, or by an id anywhere where the profile lacks
 * that.
 */
export const isOf = ({ fields }: Profile, { body }: Pick<Webhook, 'body'>, transactionId: string): boolean => {
  const pointer = fields?.webhook?.transactionId
  if (pointer === undefined) return hasWord(body, transactionId)
  try {
    return String(valueAtPointer(parseJson(body), pointer)) === transactionId
  } catch {
    return false
  }
}

const secretOf = (profile: Profile): { secret?: string } => {
  const secret = readWebhookSecret(profile)
  return secret === undefined ? {} : { secret }
}

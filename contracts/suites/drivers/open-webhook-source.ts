import { type Exchange, isServed, responseJson } from '../../client/http-exchange.ts'
import { nowIso, realTime, sleep, stopwatch } from '../../client/wall-clock.ts'
import { choiceOf } from '../../dialect/decision-choices.ts'
import { valueAtPointer } from '../../dialect/json-pointer.ts'
import { Inconclusive, Untestable } from '../../harness/judge/verdict-errors.ts'
import { webhookSeconds } from '../../harness/profile/abilities-from-profile-lines.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { readWebhookSecret } from '../../harness/profile/read-profile-credentials.ts'
import { driverAdvice } from '../../harness/profile/response-fields-and-line-advice.ts'
import { parseJson } from '../../protocol/parse-json-keeping-big-integers.ts'
import type { CheckContext } from '../context/check-context.ts'
import { hasWord } from '../evidence/shows-id.ts'
import type { DeliveredWebhooks, Webhook, WebhookSource } from './delivered-webhook.ts'
import { openPublicReceiver } from './public-webhook-receiver.ts'
import { readDeliveredByCommand } from './read-webhooks-from-profile-command.ts'

/** Time without a further webhook of a payment, after which the last one counts, in milliseconds. */
const QUIET_MS = 1_000

/** Opens the best source of webhooks that the profile offers: a simulator's inbox, our own receiver, or a command. */
export const openWebhookSource = async ({
  profile,
  control,
  webhooks,
  ended,
}: CheckContext): Promise<WebhookSource> => {
  if (webhooks) return webhooks.source
  if (profile.control)
    return {
      outcomeOf: transactionId => awaitFinalized(profile, control, transactionId),
      deliveriesOf: transactionId => readInbox(control, transactionId),
      close: () => undefined,
    }
  const advice = driverAdvice(profile, 'webhooks.receive')
  if (advice) throw new Untestable(advice.reason, undefined, advice.line)
  if (profile.webhooks?.public === undefined)
    return sourceOf(profile, 'webhooks.command', ended, {
      list: id => readDeliveredByCommand(profile, id, ended),
      close: () => undefined,
    })
  const { calls, close } = await openPublicReceiver(profile, ended)
  return sourceOf(profile, 'webhooks.public', ended, { list: async () => calls.map(toWebhook), close })
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

const sourceOf = (profile: Profile, line: string, ended: AbortSignal, { list, close }: Deliveries): WebhookSource => ({
  close,
  deliveriesOf: async transactionId => {
    const elapsed = stopwatch()
    const all = await list(transactionId)
    const own = all.filter(webhook => isOf(profile, webhook, transactionId))
    const webhooks = own.map(webhook => ({ ...webhook, ...secretOf(profile) }))
    const told: DeliveredWebhooks = {
      webhooks,
      reached: all.length > 0,
      ...(areUntied(profile, all, transactionId) && { untied: true as const }),
    }
    return exchangeOf(requestOf(profile, line), 200, told, elapsed())
  },
  outcomeOf: async transactionId => {
    const elapsed = stopwatch()
    const request = requestOf(profile, line)
    const seconds = webhookSeconds(profile)
    const until = realTime() + seconds * 1000
    for (;;) {
      const all = await list(transactionId)
      const own = all.filter(webhook => isOf(profile, webhook, transactionId))
      if (own.length > 0) {
        await sleep(QUIET_MS, ended)
        const now = (await list(transactionId)).filter(webhook => isOf(profile, webhook, transactionId))
        const others = now.length > 0 ? now : own
        const last = others.pop()
        return exchangeOf(request, 200, { ...last, others, ...secretOf(profile) }, elapsed())
      }
      if (realTime() > until) {
        if (areUntied(profile, all, transactionId)) throw untiedWebhooks(profile)
        if (all.length > 0) return exchangeOf(request, 404, { message: 'no webhook of this payment' }, elapsed())
        throw new Inconclusive(
          `no webhook has come within ${Math.round(seconds)} s: does the service reach ${line} of ${profile.file}?`,
        )
      }
      await sleep((profile.limits?.pollSeconds ?? 1) * 1000, ended)
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
export const isOf = (profile: Profile, webhook: Pick<Webhook, 'body'>, transactionId: string): boolean =>
  profile.fields?.webhook?.transactionId === undefined
    ? hasWord(webhook.body, transactionId)
    : String(idIn(profile, webhook)) === transactionId

const idIn = ({ fields }: Profile, { body }: Pick<Webhook, 'body'>): unknown => {
  try {
    return valueAtPointer(parseJson(body), fields?.webhook?.transactionId ?? '')
  } catch {
    return undefined
  }
}

/**
 * Whether webhooks came and `fields.webhook.transactionId` ties none to this payment, as it points elsewhere: one has
 * the id in another place, or none has anything there.
 */
const areUntied = (profile: Profile, all: readonly Webhook[], transactionId: string): boolean =>
  profile.fields?.webhook?.transactionId !== undefined &&
  all.length > 0 &&
  !all.some(webhook => isOf(profile, webhook, transactionId)) &&
  (all.some(({ body }) => hasWord(body, transactionId)) || all.every(it => idIn(profile, it) === undefined))

/** Creates the error of webhooks that the profile ties to no payment: verdict untestable. */
export const untiedWebhooks = ({ file }: Profile): Untestable => {
  const line = 'fields.webhook.transactionId'
  return new Untestable(
    `webhooks came, and ${line} ties none of them to the payment: correct it in ${file}`,
    undefined,
    line,
  )
}

const secretOf = (profile: Profile): { secret?: string } => {
  const secret = readWebhookSecret(profile)
  return secret === undefined ? {} : { secret }
}

import { BLIK_CHECKOUT_PAGE_RULES } from '../../contracts/conduct/blik-checkout-page-rules.ts'
import type { JudgedConductRule } from '../../contracts/conduct/conduct-rule.ts'
import { CONDUCT_RULES, judgeConduct } from '../../contracts/conduct/judge-conduct.ts'
import {
  type ClientCall,
  type ClientDelivery,
  type ClientPayment,
  type MerchantTraffic,
  operationAt,
} from '../../contracts/conduct/merchant-traffic.ts'
import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { REFUSALS } from '../../contracts/protocol/reason-codes.ts'
import type { JobScheduler } from '../jobs/job-scheduler.ts'
import type { Journal } from '../journal/journal.ts'
import { documentBodies, type JournalEntry } from '../journal/journal-entry.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import { isOpenForRetry } from '../payments/temporary-decline.ts'
import { APPROVE_AND_LEAVE } from '../shoppers/shopper-actions.ts'
import type { Activity } from '../store/shopper-click-and-clock-move-store.ts'
import type { Store } from '../store/store.ts'
import type { DeliveryWithAttempts } from '../store/webhook-store.ts'
import type { Clock } from '../support/clock.ts'
import { parseInstant } from '../support/clock.ts'
import { inTurns } from '../support/slices-across-event-loop-turns.ts'
import { endpointsLeftBehind } from '../webhooks/endpoints-on-other-ports-of-same-machine.ts'

type Parts = {
  store: Store
  clock: Clock
  jobs: JobScheduler
  journal: Journal
  /** What the deployment of an organization does where the document is silent. */
  choicesOf(organizationId: string): DecisionChoices
}

/** Maximum number of payments, and of deliveries, that are judged: the newest ones. */
const MAX_ITEMS = 500
/** Payments that are loaded concurrently: few, so that calls of merchants get the database first. */
const CONCURRENCY = 4

/**
 * Creates the judge of conduct of an organization's integration, by its traffic since creation, reset or start of a
 * drill.
 */
export const createConductJudge = ({ store, clock, jobs, journal, choicesOf }: Parts) => {
  const paymentOf = async (organizationId: string, payment: Payment): Promise<ClientPayment> => {
    const { transactionId } = payment
    const [events, activities] = await Promise.all([
      store.transact({
        organizationId,
        now: clock.now(organizationId),
        needs: { transactionId, events: true },
        decide: loaded => ({ result: loaded.events }),
      }),
      store.activities(organizationId, transactionId, payment.createdAt),
    ])
    return clientPayment(payment, events, activities)
  }

  /** Calls and deliveries since an instant of real time, and the payments that they concern. */
  const traffic = async (organizationId: string, since = 0): Promise<MerchantTraffic> => {
    await jobs.catchUp(organizationId)
    const found = await store.transact({
      organizationId,
      now: clock.now(organizationId),
      needs: { payments: { limit: MAX_ITEMS } },
      decide: loaded => ({ result: loaded.paymentPage }),
    })
    const [deliveries, keys, endpoints] = await Promise.all([
      store.deliveries(organizationId, { limit: MAX_ITEMS }),
      store.signingKeys(organizationId),
      store.endpoints(organizationId),
    ])
    const heard = deliveries.filter(isHeard(endpointsLeftBehind(endpoints)))
    const calls: ClientCall[] = []
    for await (const entry of inTurns(journal.newestFirst(organizationId))) calls.push(clientCall(entry))
    const recent = calls.toReversed().filter(({ startedAt }) => startedAt >= since)
    const recentDeliveries = heard.toReversed().map(clientDelivery).filter(isSince(since))
    const concerned = new Set([...recent, ...recentDeliveries].map(({ transactionId }) => transactionId))
    const judged = found?.payments.filter(({ transactionId }) => since === 0 || concerned.has(transactionId)) ?? []
    const payments: ClientPayment[] = []
    for (let at = 0; at < judged.length; at += CONCURRENCY) {
      const some = judged.slice(at, at + CONCURRENCY)
      payments.push(...(await Promise.all(some.map(payment => paymentOf(organizationId, payment)))))
    }
    return {
      calls: recent,
      deliveries: recentDeliveries,
      payments: payments.toReversed(),
      replaysDeclines: !isOpenForRetry(REFUSALS.PROVIDER_ERROR.reasonCode, choicesOf(organizationId)),
      keys: keys.map(({ keyId, registeredAt }) => ({ keyId, registeredAt })),
      until: clock.real(),
    }
  }

  return {
    checkoutRules: BLIK_CHECKOUT_PAGE_RULES,
    traffic,
    /** What an id of evidence refers to: a call or a delivery, described in a line, else a payment. */
    evidence: async (organizationId: string, id: string): Promise<Evidence> => {
      const call = journal.find(organizationId, id)
      if (call) return { kind: 'call', id, line: callLine(call) }
      const delivery = await store.delivery(organizationId, id)
      return delivery ? { kind: 'delivery', id, line: deliveryLine(delivery) } : { kind: 'payment', id }
    },
    /** A verdict for every rule of conduct; a rule without an occasion is not exercised. */
    judge: async (organizationId: string, since?: number): Promise<readonly JudgedConductRule[]> => {
      const seen = await traffic(organizationId, since)
      const judged: JudgedConductRule[] = []
      for await (const rule of inTurns(CONDUCT_RULES)) judged.push(...judgeConduct(seen, [rule]))
      return judged
    },
  }
}

type Evidence = { kind: 'call' | 'delivery' | 'payment'; id: string; line?: string }

/** Describes a call in a line: its operation, idempotency key and status. */
const callLine = ({ request, response }: JournalEntry): string => {
  const key = request.headers['idempotency-key']
  const asked = operationAt(request.method, request.target) ?? request.target
  return `${asked}${key ? ` (${key.slice(0, 8)})` : ''} → ${response.status}`
}

/** Describes a webhook delivery in a line: its type and the status of each attempt. */
const deliveryLine = ({ message, attempts }: DeliveryWithAttempts): string =>
  `${message.type} → ${attempts.map(({ response, error }) => response?.status ?? error).join(', ')}`

const clientCall = (entry: JournalEntry): ClientCall => {
  const { callId, at, durationMilliseconds, request, response, signature, injectedFault, refused } = entry
  const endedAt = parseInstant(at)
  const operation = entry.operation ?? operationAt(request.method, request.target)
  const bodies = documentBodies(entry)
  const sent = toObject(bodies.request)
  const got = toObject(bodies.response)
  const transactionId = textIn(sent, 'transactionId') ?? inPath(request.target) ?? textIn(got, 'transactionId')
  const clientTransactionId = textIn(sent, 'clientTransactionId')
  const reasonCode = textIn(toObject(got?.statusInfo), 'reasonCode')
  const idempotencyKey = request.headers['idempotency-key']
  const retryAfter = Number(response.headers['retry-after'])
  return {
    callId,
    startedAt: endedAt - durationMilliseconds,
    endedAt,
    status: response.status,
    ...(entry.clock === undefined ? {} : { clock: parseInstant(entry.clock) }),
    ...(operation === undefined ? {} : { operation }),
    ...(sent === undefined ? {} : { body: sent }),
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(clientTransactionId === undefined ? {} : { clientTransactionId }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(reasonCode === undefined ? {} : { reasonCode }),
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
    ...(signature === undefined ? {} : { keyId: signature.keyId }),
    ...(refused === undefined ? {} : { refusedBy: refused.layer, refusal: refused.reason }),
    ...(refused?.ended === undefined || refused.keyId === undefined ? {} : { endedKey: refused.keyId }),
    ...(injectedFault === undefined ? {} : { injectedFault }),
  }
}

const clientDelivery = ({ deliveryId, endpointId, message, attempts }: DeliveryWithAttempts): ClientDelivery => ({
  deliveryId,
  endpointId,
  notificationId: message.notificationId,
  transactionId: message.transactionId,
  clientTransactionId: message.clientTransactionId,
  injected: (message.variation.deviations ?? []).filter(deviation => deviation !== 'drop' && deviation !== 'delay'),
  attempts: attempts.map(({ at, real = at, durationMilliseconds, response, error }) => ({
    startedAt: real,
    endedAt: real + durationMilliseconds,
    ...(response === undefined ? {} : { status: response.status }),
    ...(error === undefined ? {} : { error }),
  })),
})

/** Whether a delivery is the shop's to judge: one that met nobody, at an address of a shop that has another since, is not. */
const isHeard =
  (leftBehind: ReadonlySet<string>) =>
  ({ endpointId, attempts }: DeliveryWithAttempts): boolean =>
    !leftBehind.has(endpointId) || attempts.some(({ response }) => response !== undefined)

const isSince =
  (since: number) =>
  ({ attempts }: ClientDelivery): boolean =>
    since === 0 || attempts.some(({ startedAt }) => startedAt >= since)

const clientPayment = (
  { transactionId, clientTransactionId }: Payment,
  events: readonly PaymentEvent[],
  activities: readonly Activity[],
): ClientPayment => {
  const clicks = activities.filter(activity => activity.kind === 'shopper')
  const last = clicks.at(-1)
  return {
    transactionId,
    clientTransactionId,
    states: events.map(({ state }) => state),
    neverReturned: clicks.some(({ action, late }) => action === APPROVE_AND_LEAVE && !late),
    ...(last === undefined ? {} : { lastShopperActionAt: last.real }),
  }
}

type Members = Readonly<Record<string, unknown>>

const toObject = (value: unknown): Members | undefined => {
  try {
    const read: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return typeof read === 'object' && read !== null ? (read as Members) : undefined
  } catch {
    return undefined
  }
}

const textIn = (members: Members | undefined, name: string): string | undefined => {
  const value = members?.[name]
  return typeof value === 'string' ? value : undefined
}

/** The transactionId in a path such as `/payments/ID/status`. */
const inPath = (target: string): string | undefined => /\/payments\/([^/?]+)\/(?:status|events)/.exec(target)?.[1]

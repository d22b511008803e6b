import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { Payment, PaymentChange } from '../payments/payment.ts'
import type { Store } from '../store/store.ts'
import type { OutboxEntries, Subscriptions, UnitOfWork, WriteSet } from '../store/unit-of-work.ts'
import type { Delivery, Endpoint, Message } from '../store/webhook-store.ts'
import type { Ids } from '../support/ids.ts'
import { applyDeliveryPlans, type NotificationDraft } from './apply-delivery-plans.ts'
import type { CommitListeners } from './commit-listeners.ts'
import { createNotificationBody, type NotificationBody, notificationOf } from './notification-body.ts'

type OutboxParts = {
  ids: Pick<Ids, 'orderedUuid' | 'uuid'>
  real(): number
  /** How the webhooks of an organization are written. */
  formOf(organizationId: string): WebhookForm
  commits: Pick<CommitListeners, 'publish'>
}

/** How the bodies of an organization's webhooks are written: what they tell (D-04, D-99, D-116), and in which dialect. */
export type WebhookForm = {
  showLifecycle: boolean
  choices: DecisionChoices
  write(body: NotificationBody): unknown
}

/** Outbox entries that are saved with a change, and the deliveries whose first attempt the caller waits for. */
type OutboxPlan = { outbox?: OutboxEntries; awaitedDeliveryIds: readonly string[] }

/**
 * Wraps a store with a transactional outbox: every unit of work that changes a payment also saves its webhooks (6), and
 * publishes what it committed. The only place where changes become notifications.
 */
export const withOutbox = (store: Store, parts: OutboxParts): Store => ({
  ...store,
  transact: async <Result>({ organizationId, ...unit }: UnitOfWork<Result>): Promise<Result> => {
    let written: WriteSet = {}
    let awaitedDeliveryIds: readonly string[] = []
    const result = await store.transact<Result>({
      ...unit,
      organizationId,
      needs: { ...unit.needs, subscriptions: !unit.needs.isReadOnly },
      decide: loaded => {
        const { result, save } = unit.decide(loaded)
        if (!save) return { result }
        const form = parts.formOf(organizationId)
        const { outbox, ...plan } = toOutbox(save.change, loaded.subscriptions, { ...parts, form })
        written = { ...withRealTime(save, parts.real()), ...(outbox ? { outbox } : {}) }
        awaitedDeliveryIds = save.finishedJobId === undefined ? plan.awaitedDeliveryIds : [] // a job has no caller that waits
        return { result, save: written }
      },
    })
    const hasMessages = written.outbox !== undefined
    await parts.commits.publish({ organizationId, dueTimes: dueTimesOf(written), hasMessages, awaitedDeliveryIds })
    return result
  },
})

/** Adds the real time to the events of a change. */
const withRealTime = (save: WriteSet, real: number): WriteSet =>
  save.change
    ? { ...save, change: { ...save.change, events: save.change.events.map(event => ({ ...event, real })) } }
    : save

const dueTimesOf = ({ change, lateCall, outbox }: WriteSet): number[] => {
  const deliveries = outbox?.deliveries ?? []
  const deadlines = change?.deadlines ?? []
  return [...deadlines, ...(lateCall ? [lateCall] : []), ...deliveries].flatMap(({ dueAt }) =>
    dueAt === undefined ? [] : [dueAt],
  )
}

type WritingParts = OutboxParts & { form: WebhookForm }

const toOutbox = (
  change: PaymentChange | undefined,
  subscriptions: Subscriptions | undefined,
  parts: WritingParts,
): OutboxPlan => {
  if (!change || change.events.length === 0 || !subscriptions) return { awaitedDeliveryIds: [] }
  const { payment } = change
  const { drafts, waiting, spent } = applyDeliveryPlans(draftsOf(change, parts), payment, subscriptions.plans)
  const entries = drafts.map(draft => {
    const message = createMessage(draft, payment, parts)
    return { draft, message, deliveries: deliveriesOf(message, subscriptions.endpoints, parts.ids) }
  })
  return {
    outbox: {
      messages: entries.map(({ message }) => message),
      deliveries: entries.flatMap(({ deliveries }) => deliveries),
      spentPlans: [...spent].map(([planId, times]) => ({ planId, times })),
    },
    awaitedDeliveryIds: entries.flatMap(({ draft, deliveries }) =>
      waiting.includes(draft) ? deliveries.map(({ deliveryId }) => deliveryId) : [],
    ),
  }
}

const draftsOf = ({ payment, events }: PaymentChange, { ids, form }: WritingParts): NotificationDraft[] => {
  const { showLifecycle, choices } = form
  return events.flatMap(event => {
    const kind = notificationOf(event, choices)
    if (!kind) return []
    const { cause, at: dueAt } = event
    const body = createNotificationBody(payment, event, { kind, notificationId: ids.orderedUuid(dueAt), showLifecycle })
    return { type: kind.type, cause, body, dueAt, variation: {} }
  })
}

const createMessage = (
  { type, body, dueAt, variation }: NotificationDraft,
  { transactionId, clientTransactionId, traceparent }: Payment,
  { ids, form }: WritingParts,
): Message => ({
  messageId: ids.orderedUuid(dueAt),
  notificationId: body.notificationId,
  type,
  transactionId,
  clientTransactionId,
  body: JSON.stringify(form.write(body)),
  dueAt,
  variation: traceparent === undefined ? variation : { ...variation, traceparent },
})

/** Creates the deliveries of a message: one for each enabled endpoint subscribed to its type. */
const deliveriesOf = (message: Message, endpoints: readonly Endpoint[], ids: OutboxParts['ids']): Delivery[] =>
  endpoints
    .filter(({ disabled, types }) => !disabled && (!types || types.some(type => type === message.type)))
    .map(endpoint => createDelivery(message.messageId, endpoint.endpointId, message.dueAt, ids))

/** Creates a webhook delivery without attempts, due at `dueAt`. */
export const createDelivery = (
  messageId: string,
  endpointId: string,
  dueAt: number,
  ids: Pick<Ids, 'orderedUuid'>,
): Delivery => ({
  deliveryId: ids.orderedUuid(dueAt),
  endpointId,
  messageId,
  firstDueAt: dueAt,
  dueAt,
  attemptCount: 0,
  state: 'waiting',
})

import type { Ids } from '../ids.ts'
import type { Change } from '../payments/payment.ts'
import type { Save, Store, Unit } from '../store/port.ts'
import type { Delivery, Endpoint, Listeners, Sending, Told } from './notification.ts'
import { notificationBody, TOLD_AS } from './payload.ts'
import { type Draft, planned } from './plan.ts'

/** How it is told, and who hears of it in turn once everything is saved. */
export type Telling = {
  ids: Pick<Ids, 'orderedUuid' | 'uuid'>
  real(): number
  showLifecycle: boolean
  /** Something is due then, of whatever kind. */
  scheduled(organizationId: string, dueAt: number): void
  /** There is something new to be told. */
  told(organizationId: string): void
  /** Makes the first try of these deliveries now and waits for it. */
  deliver(organizationId: string, deliveryIds: readonly string[]): Promise<void>
}

type Plan = { told: Told | undefined; awaited: readonly string[] }

/**
 * The store with ears: whatever changes a payment is told to its merchant, in the same unit of work, and whoever keeps
 * time hears what was scheduled. The one place where a change becomes notifications (6).
 */
export const telling = (store: Store, teller: Telling): Store => ({
  ...store,
  perform: async <Result>(unit: Unit<Result>): Promise<Result> => {
    let left: Save = {}
    let awaited: readonly string[] = []
    const result = await store.perform<Result>({
      ...unit,
      needs: { ...unit.needs, listeners: true },
      decide: loaded => {
        const { result, save } = unit.decide(loaded)
        if (!save) return { result }
        const plan = tell(save.change, loaded.listeners, teller)
        left = { ...dated(save, teller.real()), ...(plan.told ? { told: plan.told } : {}) }
        awaited = save.finishedJobId === undefined ? plan.awaited : [] // nobody waits for what the clock does
        return { result, save: left }
      },
    })
    for (const dueAt of dueTimes(left)) teller.scheduled(unit.organizationId, dueAt)
    if (left.told) teller.told(unit.organizationId)
    if (awaited.length > 0) await teller.deliver(unit.organizationId, awaited)
    return result
  },
})

/** The same with real time on its events. */
const dated = (save: Save, real: number): Save =>
  save.change
    ? { ...save, change: { ...save.change, events: save.change.events.map(event => ({ ...event, real })) } }
    : save

const dueTimes = ({ change, late, told }: Save): number[] => {
  const deliveries = told?.deliveries ?? []
  const deadlines = change?.deadlines ?? []
  return [...deadlines, ...(late ? [late] : []), ...deliveries].flatMap(({ dueAt }) =>
    dueAt === undefined ? [] : [dueAt],
  )
}

const tell = (change: Change | undefined, listeners: Listeners | undefined, teller: Telling): Plan => {
  if (!change || change.events.length === 0 || !listeners) return { told: undefined, awaited: [] }
  const { payment } = change
  const { drafts, waiting, spent } = planned(draftsOf(change, teller), payment, listeners.plans)
  const pairs = drafts.map(draft => {
    const sending = sendingOf(draft, payment.transactionId, payment.clientTransactionId, teller)
    return { draft, sending, deliveries: deliveriesOf(sending, listeners.endpoints, teller.ids) }
  })
  return {
    told: {
      sendings: pairs.map(({ sending }) => sending),
      deliveries: pairs.flatMap(({ deliveries }) => deliveries),
      spentPlans: [...spent].map(([planId, times]) => ({ planId, times })),
    },
    awaited: pairs.flatMap(({ draft, deliveries }) =>
      waiting.includes(draft) ? deliveries.map(({ deliveryId }) => deliveryId) : [],
    ),
  }
}

const draftsOf = ({ payment, events }: Change, { ids, showLifecycle }: Telling): Draft[] =>
  events.map(event => ({
    type: TOLD_AS[event.cause].type,
    cause: event.cause,
    body: notificationBody(payment, event, { notificationId: ids.orderedUuid(event.at), showLifecycle }),
    dueAt: event.at,
    variant: {},
  }))

const sendingOf = (
  { type, body, dueAt, variant }: Draft,
  transactionId: string,
  clientTransactionId: string,
  { ids }: Telling,
): Sending => ({
  sendingId: ids.orderedUuid(dueAt),
  notificationId: body.notificationId,
  type,
  transactionId,
  clientTransactionId,
  body: JSON.stringify(body),
  dueAt,
  variant,
})

/** One for each endpoint that is on and wants this type. */
const deliveriesOf = (sending: Sending, endpoints: readonly Endpoint[], ids: Telling['ids']): Delivery[] =>
  endpoints
    .filter(({ disabled, types }) => !disabled && (!types || types.some(type => type === sending.type)))
    .map(endpoint => newDelivery(sending.sendingId, endpoint.endpointId, sending.dueAt, ids))

/** A delivery that has yet to be tried. */
export const newDelivery = (
  sendingId: string,
  endpointId: string,
  dueAt: number,
  ids: Pick<Ids, 'orderedUuid'>,
): Delivery => ({
  deliveryId: ids.orderedUuid(dueAt),
  endpointId,
  sendingId,
  firstDueAt: dueAt,
  dueAt,
  tries: 0,
  state: 'waiting',
})

import type { Payment, PaymentChange, PaymentEvent } from '../../../simulator/payments/payment.ts'
import type { WriteSet } from '../../../simulator/store/unit-of-work.ts'
import type { Message } from '../../../simulator/store/webhook-store.ts'
import { isCharge } from './lifecycle-mutants.ts'
import type { Mutant, Mutation } from './mutant.ts'
import { mutateLoaded, mutateStore, mutateWriteSet } from './simulator-mutations.ts'

type Told = NonNullable<WriteSet['outbox']>

/** Changes what merchants are told on its way into the store. */
const telling = (change: (told: Told) => Told | undefined): Mutation =>
  mutateWriteSet(save => save.outbox && { ...save, outbox: change(save.outbox) })

const sending = (change: (sending: Message, index: number, all: readonly Message[]) => Message) =>
  telling(told => ({ ...told, messages: told.messages.map(change) }))

/** The second of two that are the same gets an id of its own. */
const renumbered = (one: Message, index: number, all: readonly Message[]): Message => {
  const again = all.slice(0, index).some(({ notificationId }) => notificationId === one.notificationId)
  return again ? { ...one, notificationId: one.messageId } : one
}

const givingUp = mutateStore((store, hits) => ({
  saveAttempt: (organizationId, { delivery: { dueAt, ...delivery }, attempt }) => {
    hits.count += 1
    const over = dueAt === undefined ? delivery : { ...delivery, state: 'dropped' as const }
    return store.saveAttempt(organizationId, { delivery: over, attempt })
  },
}))

const tellsOf = (state: string, { body }: Message): boolean => JSON.parse(body).lifecycle?.state === state

/** Changes the messages about one state; does nothing where there are none. */
const tellingOf = (state: string, change: (messages: readonly Message[]) => readonly Message[]): Mutation =>
  mutateWriteSet(({ outbox, ...save }) =>
    outbox?.messages.some(one => tellsOf(state, one))
      ? { ...save, outbox: { ...outbox, messages: change(outbox.messages) } }
      : undefined,
  )

/** Tells nobody of some changes of payments. */
const untold = (isMeant: (change: PaymentChange) => boolean): Mutation =>
  mutateWriteSet(({ outbox, ...save }) => (outbox && save.change && isMeant(save.change) ? save : undefined))

// biome-ignore format: a table reads by its columns
export const WEBHOOK_MUTANTS: readonly Mutant[] = [
  { does: 'tells of other payments',            caughtBy: ['EVT-01'], mutation: sending(one => ({ ...one, body: one.body.replace(/"transactionId":"./, '"transactionId":"x') })) },
  { does: 'tells of an outcome that was none',  caughtBy: ['EVT-02'], mutation: sending(one => ({ ...one, body: one.body.replace('"APPROVED"', '"DECLINED"') })) },
  { does: 'signs webhooks with a lost key',     caughtBy: ['EVT-03'], mutation: sending(one => ({ ...one, variation: { wrongKey: true } })) },
  { does: 'numbers what it repeats anew',       caughtBy: ['EVT-04'], mutation: sending(renumbered) },
  { does: 'tries every webhook once',           caughtBy: ['EVT-05'], mutation: givingUp },
  { does: 'tells a decline as an approval',     caughtBy: ['EVT-06', 'GRD-92'], mutation: tellingOf('DECLINED', all => all.map(one => ({ ...one, body: one.body.replace('"DECLINED"', '"APPROVED"') }))) },
  { does: 'tells nobody of declines',           caughtBy: ['EVT-06', 'GRD-92'], mutation: tellingOf('DECLINED', all => all.filter(one => !tellsOf('DECLINED', one))) },
  { does: 'tells nobody of lapses',             caughtBy: ['EVT-07', 'EVT-08', 'EVT-09', 'GRD-93'], mutation: tellingOf('EXPIRED', all => all.filter(one => !tellsOf('EXPIRED', one))) },
  { does: 'tells a lapse as an approval',       caughtBy: ['EVT-07', 'EVT-08', 'EVT-09', 'GRD-93'], mutation: tellingOf('EXPIRED', all => all.map(one => ({ ...one, body: one.body.replace('"EXPIRED"', '"AUTHORIZED"').replace(/"status":"[A-Z]+"/, '"status":"APPROVED"') }))) },
  { does: 'tells a decline by the reason of a lapse', caughtBy: ['EVT-06', 'GRD-92'], mutation: tellingOf('DECLINED', all => all.map(one => ({ ...one, body: one.body.replace('"2001"', '"2000"') }))) },
  { does: 'tells a lapse by a reason of its own', caughtBy: ['EVT-07', 'EVT-09', 'GRD-93'], mutation: tellingOf('EXPIRED', all => all.map(one => ({ ...one, body: one.body.replace('"2000"', '"9999"') }))) },
  { does: 'tells nobody of declines of mandates', caughtBy: ['GRD-92'], mutation: untold(({ payment }) => payment.state === 'DECLINED' && payment.transactionType === 'RECURRING') },
  { does: 'tells nobody of declines of IRIS',   caughtBy: ['GRD-92'], mutation: untold(({ payment }) => payment.state === 'DECLINED' && payment.providerId === 'IRIS') },
  { does: 'tells nobody of lapses of mandates', caughtBy: ['GRD-93'], mutation: untold(({ payment }) => payment.state === 'EXPIRED' && payment.transactionType === 'RECURRING') },
  { does: 'tells nobody of lapses for a token', caughtBy: ['GRD-93'], mutation: untold(({ payment }) => payment.state === 'EXPIRED' && payment.transactionType === 'TOKEN_ONLY') },
  { does: 'tells nobody of lapses of IRIS',     caughtBy: ['EVT-09'], mutation: untold(({ payment }) => payment.state === 'EXPIRED' && payment.providerId === 'IRIS') },
  { does: 'tells nobody of authorizations that expire', caughtBy: ['EVT-08'], mutation: mutateWriteSet(({ outbox, ...save }) => (outbox && save.change?.events.some(({ cause }) => cause === 'hold') ? { ...save } : undefined)) },
  { does: 'tells nobody',                       caughtBy: ['EVT-01', 'EVT-08'], mutation: telling(() => undefined) },
]

/** Steps of a payment by the state in what is told of them; of a settlement nothing is, as long as D-116 stays as it is. */
// biome-ignore format: a table reads by its columns
const STEPS = { finalize: 'AUTHORIZED', capture: 'CAPTURED', refund: 'REFUNDED', cancel: 'CANCELED' } as const

/** Changes the messages that a charge sends. */
const tellingOfCharges = (change: (messages: readonly Message[]) => readonly Message[]): Mutation =>
  mutateWriteSet(({ outbox, ...save }, { needs }) =>
    needs.providerCall === 'charge' && outbox
      ? { ...save, outbox: { ...outbox, messages: change(outbox.messages) } }
      : undefined,
  )

const hasEvent = ({ events }: PaymentChange, type: string) => events.some(event => event.type === type)

/** Steps of other kinds of payment, and of parts, that a mutant tells nobody of. */
const UNTOLD: Readonly<Record<string, (change: PaymentChange) => boolean>> = {
  'payments of IRIS': ({ payment }) => payment.providerId === 'IRIS',
  'payments that make a mandate': ({ payment }) => payment.transactionType === 'RECURRING' && !isCharge(payment),
  'payments that make a token': ({ payment }) => payment.transactionType === 'TOKEN_ONLY',
  'a part that is captured': change => change.payment.state === 'PARTIALLY_CAPTURED',
  'a second capture': change => change.payment.captures.length > 1 && hasEvent(change, 'payment.captured'),
  'a part that is refunded': change => change.payment.state === 'PARTIALLY_REFUNDED',
  'a second refund': change => change.payment.refunds.length > 1 && hasEvent(change, 'payment.refunded'),
}

/** Further rows that catch a mutant of these. */
const UNTOLD_ALSO: Readonly<Record<string, readonly string[]>> = {
  'payments of IRIS': ['GRD-92'],
  'payments that make a mandate': ['GRD-92', 'GRD-93'],
  'payments that make a token': ['GRD-92', 'GRD-93'],
}

type Events = readonly PaymentEvent[]

/** Events that a mutant keeps of a payment. */
const FORGOTTEN: Readonly<Record<string, (payment: Payment, events: Events) => Events>> = {
  charges: (payment, events) => (isCharge(payment) ? [] : events),
  'payments of IRIS': ({ providerId }, events) => (providerId === 'IRIS' ? events.slice(0, 1) : events),
  'all captures and refunds but the last': (_payment, events) =>
    events.filter(
      ({ type }, at) =>
        !['payment.captured', 'payment.refunded'].includes(type) ||
        !events.slice(at + 1).some(later => later.type === type),
    ),
}

/** Shows every organization the messages of all. */
const sharedInbox = mutateStore((store, hits) => ({
  inbox: async (organizationId, query) => {
    const own = await store.inbox(organizationId, query)
    if (own.length > 0 || query.transactionId === undefined) return own
    const all = await store.organizations()
    const seen = await Promise.all(all.map(other => store.inbox(other.organizationId, query)))
    if (seen.flat().length > 0) hits.count += 1
    return seen.flat()
  },
}))

/** Mutants of the grid rows of step × webhook, tried against the grids alone. */
export const WEBHOOK_GRID_MUTANTS: readonly Mutant[] = [
  ...Object.entries(STEPS).flatMap(([step, state]): Mutant[] => [
    {
      does: `tells nobody of the ${step}`,
      caughtBy: ['GRD-52'],
      only: ['GRD'],
      mutation: tellingOf(state, messages => messages.filter(one => !tellsOf(state, one))),
    },
    {
      does: `signs what it tells of the ${step} with a lost key`,
      caughtBy: ['GRD-54'],
      only: ['GRD'],
      mutation: tellingOf(state, messages =>
        messages.map(one => (tellsOf(state, one) ? { ...one, variation: { wrongKey: true } } : one)),
      ),
    },
  ]),
  ...Object.entries(UNTOLD).map(
    ([what, isMeant]): Mutant => ({
      does: `tells nobody of ${what}`,
      caughtBy: ['GRD-52', ...(UNTOLD_ALSO[what] ?? [])],
      only: ['GRD'],
      mutation: mutateWriteSet(({ outbox, ...save }) =>
        outbox && save.change && isMeant(save.change) ? save : undefined,
      ),
    }),
  ),
  ...Object.entries(FORGOTTEN).map(
    ([what, kept]): Mutant => ({
      does: `tells no events of ${what}`,
      caughtBy: ['GRD-52'],
      only: ['GRD'],
      mutation: mutateLoaded((loaded, hits) => {
        const events = loaded.payment ? kept(loaded.payment, loaded.events) : loaded.events
        if (events.length === loaded.events.length) return loaded
        hits.count += 1
        return { ...loaded, events }
      }),
    }),
  ),
  { does: 'tells nobody of charges', caughtBy: ['GRD-52'], only: ['GRD'], mutation: tellingOfCharges(() => []) },
  {
    does: 'signs what it tells of charges with a lost key',
    caughtBy: ['GRD-54'],
    only: ['GRD'],
    mutation: tellingOfCharges(all => all.map(one => ({ ...one, variation: { wrongKey: true } }))),
  },
  { does: 'tells everybody of all payments', caughtBy: ['GRD-53'], only: ['GRD'], mutation: sharedInbox },
]

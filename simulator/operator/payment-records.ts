import type { PaymentRow, TimelineView } from '../../hosted-pages/portal/live-port.ts'
import type { Clock } from '../clock.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Journal } from '../journal/journal.ts'
import { STATES } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import type { Needs, Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'
import { timelineOf } from './timeline.ts'

type Parts = { store: Store; clock: Clock; jobs: Jobs; journal: Journal }

/** What payments are looked for by; every member narrows. */
export type PaymentWish = {
  transactionId?: string | undefined
  clientTransactionId?: string | undefined
  status?: string | undefined
  /** The transactionId at which the page before ended. */
  before?: string | undefined
  limit: number
}

export type PaymentPage = { payments: readonly PaymentRow[]; next?: string }

/** How much of what hangs on one payment a timeline shows at most. */
const MOST = 500

/** Payments as an operator looks at them: lists, and one with all that happened to it. */
export const createPaymentRecords = ({ store, clock, jobs, journal }: Parts) => {
  const load = (organizationId: string, needs: Needs) =>
    store.perform({
      organizationId,
      now: clock.now(organizationId),
      needs,
      decide: ({ payment, events, found }) => ({ result: { payment, events, found } }),
    })

  const list = async (organizationId: string, wish: PaymentWish): Promise<PaymentPage> => {
    await jobs.catchUp(organizationId)
    const { transactionId, before: after, ...query } = wish
    if (transactionId !== undefined) {
      const { payment } = await load(organizationId, { transactionId })
      return { payments: payment && isWished(payment, wish) ? [rowOf(payment)] : [] }
    }
    const { found } = await load(organizationId, { payments: { ...query, after } })
    if (!found) throw new OperatorError('invalid', 'before names no payment of this organization.')
    return { payments: found.payments.map(rowOf), ...(found.next === undefined ? {} : { next: found.next }) }
  }

  /** Everything that is kept about a payment, on one axis. */
  const timeline = async (organizationId: string, transactionId: string): Promise<TimelineView> => {
    await jobs.catchUp(organizationId)
    const { payment, events } = await load(organizationId, { transactionId, events: true })
    if (!payment)
      throw new OperatorError('unknown', `There is no payment ${transactionId} in organization ${organizationId}.`)
    const now = clock.now(organizationId)
    const about = { transactionId, limit: MOST }
    const [deliveries, inbox, deeds, coming] = await Promise.all([
      store.deliveries(organizationId, about),
      store.inbox(organizationId, { ...about, now, order: 'oldest' }),
      store.deeds(organizationId, transactionId, payment.createdAt),
      store.agenda(organizationId, about),
    ])
    const calls = journal.list(organizationId, Number.MAX_SAFE_INTEGER).toReversed()
    const marks = timelineOf({ payment, events, calls, deliveries, inbox, deeds, coming })
    return { ...rowOf(payment), now, marks }
  }

  return { list, timeline }
}

const isWished = (payment: Payment, { clientTransactionId, status }: PaymentWish): boolean =>
  (clientTransactionId === undefined || payment.clientTransactionId === clientTransactionId) &&
  (status === undefined || STATES[payment.state].status === status)

const rowOf = (payment: Payment): PaymentRow => ({
  transactionId: payment.transactionId,
  clientTransactionId: payment.clientTransactionId,
  providerId: payment.providerId,
  state: payment.state,
  status: STATES[payment.state].status,
  amount: payment.amount,
  currency: payment.currency,
  description: payment.description,
  createdAt: payment.createdAt,
})

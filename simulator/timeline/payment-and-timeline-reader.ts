import type { JobScheduler } from '../jobs/job-scheduler.ts'
import type { Journal } from '../journal/journal.ts'
import { STATES } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import type { Store } from '../store/store.ts'
import type { ReadSet } from '../store/unit-of-work.ts'
import type { Clock } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import type { Mark } from './mark.ts'
import { buildTimeline } from './timeline.ts'

type Parts = { store: Store; clock: Clock; jobs: JobScheduler; journal: Journal }

/** Filter and page of a list of payments; every given member must match. */
type PaymentListQuery = {
  transactionId?: string | undefined
  clientTransactionId?: string | undefined
  status?: string | undefined
  /** The last transactionId of the page before. */
  before?: string | undefined
  limit: number
}

/** A payment as a row of a list; its amount in minor units. */
export type PaymentRow = ReturnType<typeof rowOf>

/** A payment with the marks of its timeline; `now` is what its organization's clock shows. */
export type PaymentTimeline = PaymentRow & { now: number; marks: readonly Mark[] }

/** One page of payments; `next` is the `before` of the following page. */
export type PaymentPage = { payments: readonly PaymentRow[]; next?: string }

/** Maximum number of deliveries, messages and scheduled items that a timeline shows. */
const MAX_ITEMS = 500

/** Creates the reader of payments for portal and control: lists of payments, and the timeline of one. */
export const createPaymentAndTimelineReader = ({ store, clock, jobs, journal }: Parts) => {
  const load = (organizationId: string, needs: ReadSet) =>
    store.transact({
      organizationId,
      now: clock.now(organizationId),
      needs,
      decide: ({ payment, events, paymentPage: found }) => ({ result: { payment, events, found } }),
    })

  const list = async (organizationId: string, filter: PaymentListQuery): Promise<PaymentPage> => {
    await jobs.catchUp(organizationId)
    const { transactionId, before: after, ...query } = filter
    if (transactionId !== undefined) {
      const { payment } = await load(organizationId, { transactionId })
      return { payments: payment && isWanted(payment, filter) ? [rowOf(payment)] : [] }
    }
    const { found } = await load(organizationId, { payments: { ...query, after } })
    if (!found) throw new ControlError('invalid', 'before names no payment of this organization.')
    return { payments: found.payments.map(rowOf), ...(found.next === undefined ? {} : { next: found.next }) }
  }

  /** The timeline of a payment: everything that happened to it, and what is scheduled. */
  const timeline = async (organizationId: string, transactionId: string): Promise<PaymentTimeline> => {
    await jobs.catchUp(organizationId)
    const { payment, events } = await load(organizationId, { transactionId, events: true })
    if (!payment)
      throw new ControlError('unknown', `There is no payment ${transactionId} in organization ${organizationId}.`)
    const now = clock.now(organizationId)
    const about = { transactionId, limit: MAX_ITEMS }
    const [deliveries, inbox, activities, coming] = await Promise.all([
      store.deliveries(organizationId, about),
      store.inbox(organizationId, { ...about, now, order: 'oldest' }),
      store.activities(organizationId, transactionId, payment.createdAt),
      store.scheduledItems(organizationId, about),
    ])
    const calls = journal.list(organizationId).toReversed()
    const marks = buildTimeline({ payment, events, calls, deliveries, inbox, activities, coming })
    return { ...rowOf(payment), now, marks }
  }

  return { list, timeline }
}

const isWanted = (payment: Payment, { clientTransactionId, status }: PaymentListQuery): boolean =>
  (clientTransactionId === undefined || payment.clientTransactionId === clientTransactionId) &&
  (status === undefined || STATES[payment.state].status === status)

const rowOf = (payment: Payment) => ({
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

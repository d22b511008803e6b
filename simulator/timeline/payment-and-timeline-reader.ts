import type { Mark } from '../../hosted-pages/portal/timeline/timeline-mark-types.ts'
import type { JobScheduler } from '../jobs/job-scheduler.ts'
import type { Journal } from '../journal/journal.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { collect, inTurns } from '../support/slices-across-event-loop-turns.ts'
import { createPaymentListReader, type PaymentRow, toPaymentRow } from './payment-list-reader.ts'
import { buildTimeline } from './timeline.ts'

type Parts = { store: Store; clock: Clock; jobs: JobScheduler; journal: Journal }

/** A payment with the marks of its timeline, for portal and control; `now` is what its organization's clock shows. */
export type PaymentTimeline = PaymentRow & { now: number; marks: readonly Mark[] }

/** Maximum number of deliveries, messages and scheduled items that a timeline shows. */
const MAX_ITEMS = 500

/** Creates the reader of payments for portal and control: lists and totals of payments, and the timeline of one. */
export const createPaymentAndTimelineReader = ({ store, clock, jobs, journal }: Parts) => {
  /** The timeline of a payment: everything that happened to it, and what is scheduled. */
  const timeline = async (organizationId: string, transactionId: string): Promise<PaymentTimeline> => {
    await jobs.catchUp(organizationId)
    const { payment, events } = await store.transact({
      organizationId,
      now: clock.now(organizationId),
      needs: { transactionId, events: true },
      decide: ({ payment, events }) => ({ result: { payment, events } }),
    })
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
    const calls = (await collect(inTurns(journal.newestFirst(organizationId)))).toReversed()
    const marks = buildTimeline({ payment, events, calls, deliveries, inbox, activities, coming })
    return { ...toPaymentRow(payment), now, marks }
  }

  return { ...createPaymentListReader({ store, clock, jobs }), timeline }
}

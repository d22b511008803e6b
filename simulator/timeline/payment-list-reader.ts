import { setImmediate } from 'node:timers/promises'
import type { JobScheduler } from '../jobs/job-scheduler.ts'
import { STATES } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import type { Store } from '../store/store.ts'
import type { PaymentQuery, PaymentPage as StoredPage } from '../store/unit-of-work.ts'
import type { Clock } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { type PaymentFilter, readPaymentFilter } from './read-payment-filter.ts'

type Parts = { store: Store; clock: Clock; jobs: JobScheduler }

/** Filter and page of a list of payments; `before` is the last transactionId of the page before. */
type PaymentListQuery = PaymentFilter & { before?: string | undefined; limit: number }

/** A payment as a row of a list for portal and control; its amount in minor units. */
export type PaymentRow = ReturnType<typeof toPaymentRow>

/** One page of payments for portal and control; `next` is the `before` of the following page. */
export type PaymentPage = { payments: readonly PaymentRow[]; next?: string }

/** Total of the payments of one currency and status, with the sums of their amounts in minor units. */
export type PaymentTotal = {
  currency: string
  status: string
  payments: number
  amount: number
  captured: number
  refunded: number
}

/**
 * Totals of payments by currency and status; `isComplete` is false where there were more payments than were asked for.
 */
export type PaymentTotals = { payments: number; isComplete: boolean; totals: readonly PaymentTotal[] }

export type PaymentList = ReturnType<typeof createPaymentListReader>

/** Pages of the store that one page of a list reads at most beyond full ones: criteria without an index fit few payments of each. */
const MOST_PAGES = 20
/** Payments that are read in one turn of the event loop. */
const SLICE = 250

/** Creates the reader of lists of payments for portal and control: page by page, as a whole, and their totals. */
export const createPaymentListReader = ({ store, clock, jobs }: Parts) => {
  const pageOf = async (organizationId: string, payments: PaymentQuery): Promise<StoredPage> => {
    const found = await store.transact({
      organizationId,
      now: clock.now(organizationId),
      needs: { payments },
      decide: ({ paymentPage }) => ({ result: paymentPage }),
    })
    if (found) return found
    throw new ControlError('invalid', 'before names no payment of this organization.')
  }
  const one = (organizationId: string, transactionId: string): Promise<Payment | undefined> =>
    store.transact({
      organizationId,
      now: clock.now(organizationId),
      needs: { transactionId },
      decide: ({ payment }) => ({ result: payment }),
    })

  /** All payments that fit, newest first, in slices of one turn of the event loop each. */
  async function* slices(organizationId: string, filter: PaymentFilter): AsyncGenerator<readonly Payment[]> {
    const query = readPaymentFilter(filter)
    await jobs.catchUp(organizationId)
    if (query.transactionId !== undefined) {
      const payment = await one(organizationId, query.transactionId)
      yield payment && query.fits(payment) ? [payment] : []
      return
    }
    for (let after: string | undefined; ; await setImmediate()) {
      const { payments, next } = await pageOf(organizationId, { ...query.criteria, after, limit: SLICE })
      yield payments
      if (next === undefined) return
      after = next
    }
  }

  const list = async (organizationId: string, { before, limit, ...filter }: PaymentListQuery): Promise<PaymentPage> => {
    const query = readPaymentFilter(filter)
    await jobs.catchUp(organizationId)
    if (query.transactionId !== undefined) {
      const payment = await one(organizationId, query.transactionId)
      return { payments: payment && query.fits(payment) ? [toPaymentRow(payment)] : [] }
    }
    const payments: PaymentRow[] = []
    let after = before
    for (let page = 0; page < MOST_PAGES + limit / SLICE && payments.length < limit; page += 1) {
      if (page > 0) await setImmediate()
      const wanted = { ...query.criteria, after, limit: Math.min(SLICE, limit - payments.length) }
      const found = await pageOf(organizationId, wanted)
      payments.push(...found.payments.map(toPaymentRow))
      after = found.next
      if (after === undefined) return { payments }
    }
    return { payments, ...(after === undefined ? {} : { next: after }) }
  }

  const totals = async (organizationId: string, filter: PaymentFilter, most: number): Promise<PaymentTotals> => {
    const sums = new Map<string, PaymentTotal>()
    let payments = 0
    for await (const slice of slices(organizationId, filter)) {
      for (const payment of slice.slice(0, most - payments)) addTo(sums, payment)
      payments += slice.length
      if (payments > most) break
    }
    const totals = [...sums.values()].sort((a, b) => keyOf(a).localeCompare(keyOf(b)))
    return { payments: Math.min(payments, most), isComplete: payments <= most, totals }
  }

  return { list, slices, totals }
}

const keyOf = ({ currency, status }: Pick<PaymentTotal, 'currency' | 'status'>): string => `${currency} ${status}`

const addTo = (sums: Map<string, PaymentTotal>, { currency, state, amount, captured, refunded }: Payment): void => {
  const { status } = STATES[state]
  const key = keyOf({ currency, status })
  const sum = sums.get(key) ?? { currency, status, payments: 0, amount: 0, captured: 0, refunded: 0 }
  sums.set(key, sum)
  sum.payments += 1
  sum.amount += amount
  sum.captured += captured
  sum.refunded += refunded
}

/** Converts a payment to a row of a list for portal and control. */
export const toPaymentRow = (payment: Payment) => ({
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

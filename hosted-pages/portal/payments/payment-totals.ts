import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { money } from '../../money-and-date-format.ts'
import { table } from '../layout/data-table.ts'

/**
 * Sums of payments as the portal shows them, by currency and status, in minor units; incomplete where there are more
 * payments.
 */
export type PaymentTotalsView = {
  payments: number
  isComplete: boolean
  totals: readonly {
    currency: string
    status: string
    payments: number
    amount: number
    captured: number
    refunded: number
  }[]
}

/** Returns the HTML of the sums of a list of payments; where they are not of all, with the link that adds up all. */
export const paymentTotals = ({ payments, isComplete, totals }: PaymentTotalsView, addUpAll: string): Html | '' =>
  payments === 0
    ? ''
    : html`
<section aria-labelledby="totals" data-testid="payments-totals"><h2 id="totals">${isComplete ? `${payments} ${payments === 1 ? 'payment' : 'payments'} in total` : html`The newest ${payments} in total <a class="plain-link" href="${addUpAll}" data-testid="payments-add-up">Add up all</a>`}</h2>
${table(
  'Totals',
  ['Status', 'Payments', 'Amount', 'Captured', 'Refunded'],
  totals.map(({ currency, status, payments, amount, captured, refunded }) => ({
    testId: 'payments-total',
    cells: [status, payments, ...[amount, captured, refunded].map(sum => amountOf(sum, currency))],
  })),
)}</section>`

const amountOf = (sum: number, currency: string): Html =>
  html`<span class="number">${money(sum, currency, 'en')}</span>`

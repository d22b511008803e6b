import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { money } from '../../money-and-date-format.ts'

/** Sums of payments by currency and status, in minor units; incomplete where there are more payments. */
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

/** Returns the sums of a list of payments; where they are not of all, with the link that adds up all. */
export const paymentTotals = ({ payments, isComplete, totals }: PaymentTotalsView, addUpAll: string): Html =>
  payments === 0
    ? html``
    : html`
<section class="totals" aria-labelledby="totals" data-testid="payments-totals"><div class="head"><h2 id="totals">${isComplete ? `${payments} ${payments === 1 ? 'payment' : 'payments'} in total` : `The newest ${payments} in total`}</h2>${isComplete ? '' : html`<a href="${addUpAll}" data-testid="payments-add-up">Add up all</a>`}</div>
<table aria-labelledby="totals"><thead><tr>${['Status', 'Payments', 'Amount', 'Captured', 'Refunded'].map(name => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${totals.map(
        ({ currency, status, payments, amount, captured, refunded }) =>
          html`<tr><th scope="row">${status}</th><td class="number">${payments}</td>${[amount, captured, refunded].map(sum => html`<td class="number">${money(sum, currency, 'en')}</td>`)}</tr>`,
      )}</tbody></table></section>`

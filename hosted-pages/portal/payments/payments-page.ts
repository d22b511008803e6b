import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { money } from '../../money-and-date-format.ts'
import { controlPaths } from '../control-api-paths.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { givenText, timestamp } from '../layout/formatted-values.ts'
import { identifier } from '../layout/identifier-with-copy-button.ts'
import { portalPage } from '../layout/portal-page.ts'
import { shortId } from '../layout/short-id.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { type PaymentCriteria, paymentFilterForm, queryOf } from './payment-filter-form.ts'
import { type PaymentTotalsView, paymentTotals } from './payment-totals.ts'

/** A payment as the portal lists it; the amount in minor units. */
export type PaymentRow = {
  transactionId: string
  clientTransactionId: string
  providerId: string
  state: string
  status: string
  amount: number
  currency: string
  createdAt: number
}

type Shown = {
  organization: Organization
  /** As they were typed. */
  criteria: PaymentCriteria
  /** As control has them: whole ids, amounts in minor units. */
  asked: PaymentCriteria
  /** The transactionId at which the newer page ended. */
  before: string | undefined
  payments: readonly PaymentRow[]
  next?: string | undefined
  /** Undefined where the criteria were refused. */
  totals: PaymentTotalsView | undefined
}

/**
 * Returns the portal page with the list of payments, newest first, a search form, totals, an export and links to their
 * timelines.
 */
export const paymentsPage = (context: PageRequestData, shown: Shown): Html => {
  const { organization, criteria, asked: wanted, before, payments, next, totals } = shown
  const { organizationId, accountIds } = organization
  const here = portalPaths.payments(organizationId)
  const asked = queryOf(wanted)
  const isNarrowed = queryOf(criteria) !== '' || before !== undefined
  const main = html`
<h1>Payments</h1>
<p class="lead">Newest first. A payment opens on its timeline: every call, click, webhook and clock jump on one axis.</p>
${formMessage(context)}
${paymentFilterForm(context, organizationId, accountIds, criteria)}
<div id="payments" data-live="payments">
${
  context.refused !== undefined
    ? ''
    : payments.length === 0
      ? html`<p class="quiet-line" data-testid="payments-none">${isNarrowed ? 'No payment fits.' : 'No payment yet. The first one that a shop initiates shows up here.'}</p>`
      : table(
          'Payments',
          ['Created', 'clientTransactionId', 'Method', 'Amount', 'State', 'transactionId'],
          payments.map(payment => ({ testId: 'payment-row', cells: cellsOf(organizationId, payment) })),
        )
}
<p class="ways">${next === undefined ? '' : html`<a class="button quiet" href="${here}?${queryOf({ ...criteria, before: next })}" data-testid="payments-older">Older</a>`}
${before === undefined ? '' : html`<a class="button quiet" href="${here}?${queryOf(criteria)}" data-testid="payments-newest">Back to the newest</a>`}
${payments.length === 0 ? '' : html`<a class="button quiet" href="${controlPaths.paymentsCsv(organizationId)}?${asked}" download="${organizationId}-payments.csv" data-testid="payments-csv">Export as CSV</a>`}</p>
${totals ? paymentTotals(totals, `${here}?${queryOf({ ...criteria, totals: 'all' })}`) : ''}
</div>
${equivalentCurl(context, [
  { path: `${controlPaths.payments(organizationId)}?${queryOf({ ...wanted, limit: '50' })}` },
  { path: `${controlPaths.paymentTotals(organizationId)}${asked === '' ? '' : `?${asked}`}` },
])}`
  return portalPage({ title: 'Payments', section: 'payments', organization, main, more: ['list-filter-forms.css'] })
}

const cellsOf = (organizationId: string, payment: PaymentRow) => {
  const href = portalPaths.payment(organizationId, payment.transactionId)
  return [
    timestamp(payment.createdAt),
    html`<a href="${href}" data-testid="payment-timeline">${givenText(payment.clientTransactionId)}</a>`,
    payment.providerId,
    html`<span class="number">${money(payment.amount, payment.currency, 'en')}</span>`,
    paymentStateTag(payment),
    identifier('the payment’s id', payment.transactionId, { shown: shortId(payment.transactionId) }),
  ]
}

// biome-ignore format: a table reads by its columns
const LOOKS: Readonly<Record<string, string>> = { PENDING: 'late', ACCEPTED: 'late', APPROVED: 'good', DECLINED: 'bad', CANCELED: 'idle' }

/** Returns the state of a payment as a coloured HTML tag. */
export const paymentStateTag = ({ status, state }: Pick<PaymentRow, 'status' | 'state'>): Html =>
  html`<span class="tag ${LOOKS[status] ?? 'idle'}" data-state="${state}">${state}</span>`

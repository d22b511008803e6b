import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { money } from '../../money-and-date-format.ts'
import type { OrganizationView } from '../../organization-clock.ts'
import { controlPaths } from '../control-api-paths.ts'
import { formMessage } from '../forms/form-message.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { timestamp } from '../layout/formatted-values.ts'
import type { PageContext } from '../layout/page-context.ts'
import { portalPage } from '../layout/portal-page.ts'
import { portalPaths } from '../portal-paths.ts'

/** A payment as a list shows it; the amount in minor units. */
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

/** Filter of the list of payments; `before` is the transactionId at which the newer page ended. */
export type PaymentFilter = Partial<Record<'transactionId' | 'clientTransactionId' | 'status' | 'before', string>> & {
  limit: number
}

type Shown = {
  organization: OrganizationView
  filter: PaymentFilter
  payments: readonly PaymentRow[]
  next?: string | undefined
}

const STATUSES = ['PENDING', 'ACCEPTED', 'APPROVED', 'DECLINED', 'CANCELED'] as const

/** Returns the list of payments, newest first, with a search form and links to their timelines. */
export const paymentsPage = (context: PageContext, { organization, filter, payments, next }: Shown): Html => {
  const { organizationId } = organization
  const isNarrowed = [filter.transactionId, filter.clientTransactionId, filter.status, filter.before].some(Boolean)
  const main = html`
<h1>Payments</h1>
<p class="lead">Newest first. A payment opens on its timeline: every call, click, webhook and clock jump on one axis.</p>
${formMessage(context)}
${search(organizationId, filter)}
<div id="payments" data-live="payments">
${
  payments.length === 0
    ? html`<p class="quiet-line" data-testid="payments-none">${isNarrowed ? 'There is no such payment.' : 'No payment yet. The first one that a shop initiates shows up here.'}</p>`
    : table(
        'Payments',
        ['Created', 'clientTransactionId', 'Method', 'Amount', 'State', 'transactionId'],
        payments.map(payment => ({ testId: 'payment-row', cells: cellsOf(organizationId, payment) })),
      )
}
</div>
${next === undefined ? '' : html`<p class="ways"><a class="button quiet" href="${portalPaths.payments(organizationId)}?${query({ ...filter, before: next })}" data-testid="payments-older">Older</a></p>`}
${equivalentCurl(context, { path: `${controlPaths.payments(organizationId)}?${query({ ...filter, limit: filter.limit })}` })}`
  return portalPage({ title: 'Payments', section: 'payments', organization, main, more: ['list-filter-forms.css'] })
}

const cellsOf = (organizationId: string, payment: PaymentRow) => {
  const href = portalPaths.payment(organizationId, payment.transactionId)
  return [
    timestamp(payment.createdAt),
    html`<a href="${href}" data-testid="payment-timeline">${payment.clientTransactionId}</a>`,
    payment.providerId,
    html`<span class="number">${money(payment.amount, payment.currency, 'en')}</span>`,
    paymentStateTag(payment),
    html`<code class="id">${payment.transactionId}</code>`,
  ]
}

// biome-ignore format: a table reads by its columns
const LOOKS: Readonly<Record<string, string>> = { PENDING: 'late', ACCEPTED: 'late', APPROVED: 'good', DECLINED: 'bad', CANCELED: 'idle' }

/** Returns the state of a payment as a coloured tag. */
export const paymentStateTag = ({ status, state }: Pick<PaymentRow, 'status' | 'state'>): Html =>
  html`<span class="tag ${LOOKS[status] ?? 'idle'}" data-state="${state}">${state}</span>`

const search = (organizationId: string, filter: PaymentFilter): Html => html`
<form class="filter-form" method="get" action="${portalPaths.payments(organizationId)}" role="search" aria-label="Find payments">
${(['clientTransactionId', 'transactionId'] as const).map(name => html`<p><label for="f-${name}">${name}</label><input id="f-${name}" name="${name}" type="search" value="${filter[name] ?? ''}" autocomplete="off" spellcheck="false" data-testid="payments-${name}"></p>`)}
<p><label for="f-status">Status</label><select id="f-status" name="status" data-testid="payments-status"><option value="">any status</option>${STATUSES.map(status => html`<option${status === filter.status ? html` selected` : ''}>${status}</option>`)}</select></p>
<p class="send"><button class="button" data-testid="payments-find">Find</button></p>
</form>`

const query = (filter: Partial<PaymentFilter>): string =>
  new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  ).toString()

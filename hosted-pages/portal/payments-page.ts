import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { money } from '../money.ts'
import type { OrganizationView } from '../port.ts'
import type { Say } from '../texts.ts'
import { portalPage } from './frame.ts'
import { instant } from './instant.ts'
import type { PaymentRow, PaymentWish } from './live-port.ts'
import { outcomeLine } from './outcome-line.ts'
import { controlPaths, portalPaths } from './paths.ts'
import { table } from './table.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'

type Shown = {
  organization: OrganizationView
  wish: PaymentWish
  payments: readonly PaymentRow[]
  next?: string | undefined
}

const STATUSES = ['PENDING', 'ACCEPTED', 'APPROVED', 'DECLINED', 'CANCELED'] as const

/** Payments, newest first, each with the way to its timeline. */
export const paymentsPage = (visit: Visit, { organization, wish, payments, next }: Shown): Html => {
  const { say } = visit
  const { organizationId } = organization
  const isNarrowed = [wish.transactionId, wish.clientTransactionId, wish.status, wish.before].some(Boolean)
  const main = html`
<h1>${say('navPayments')}</h1>
<p class="lead">${say('paymentsLead')}</p>
${outcomeLine(visit)}
${search(say, organizationId, wish)}
${
  payments.length === 0
    ? html`<p class="quiet-line" data-testid="payments-none">${say(isNarrowed ? 'noPayments' : 'noPaymentsYet')}</p>`
    : table(
        say('navPayments'),
        [
          say('liveCreated'),
          'clientTransactionId',
          say('liveMethod'),
          say('amount'),
          say('liveState'),
          'transactionId',
        ],
        payments.map(payment => ({ testId: 'payment-row', cells: cellsOf(say, organizationId, payment) })),
      )
}
${next === undefined ? '' : html`<p class="ways"><a class="button quiet" href="${portalPaths.payments(organizationId)}?${query({ ...wish, before: next })}" data-testid="payments-older">${say('liveOlder')}</a></p>`}
${twin(visit, { path: `${controlPaths.payments(organizationId)}?${query({ ...wish, limit: wish.limit })}` })}`
  return portalPage(say, { title: say('navPayments'), section: 'payments', organization, main, more: ['live.css'] })
}

const cellsOf = (say: Say, organizationId: string, payment: PaymentRow) => {
  const href = portalPaths.payment(organizationId, payment.transactionId)
  return [
    instant(payment.createdAt),
    html`<a href="${href}" data-testid="payment-timeline">${payment.clientTransactionId}</a>`,
    payment.providerId,
    html`<span class="number">${money(payment.amount, payment.currency, say.language)}</span>`,
    stateTag(payment),
    html`<code class="id">${payment.transactionId}</code>`,
  ]
}

// biome-ignore format: a table reads by its columns
const LOOKS: Readonly<Record<string, string>> = { PENDING: 'late', ACCEPTED: 'late', APPROVED: 'good', DECLINED: 'bad', CANCELED: 'idle' }

/** Where a payment stands, in its own word. */
export const stateTag = ({ status, state }: Pick<PaymentRow, 'status' | 'state'>): Html =>
  html`<span class="tag ${LOOKS[status] ?? 'idle'}" data-state="${state}">${state}</span>`

const search = (say: Say, organizationId: string, wish: PaymentWish): Html => html`
<form class="sieve" method="get" action="${portalPaths.payments(organizationId)}" role="search" aria-label="${say('searchPayments')}">
${(['clientTransactionId', 'transactionId'] as const).map(name => html`<p><label for="f-${name}">${name}</label><input id="f-${name}" name="${name}" type="search" value="${wish[name] ?? ''}" autocomplete="off" spellcheck="false" data-testid="payments-${name}"></p>`)}
<p><label for="f-status">${say('liveStatus')}</label><select id="f-status" name="status" data-testid="payments-status"><option value="">${say('anyStatus')}</option>${STATUSES.map(status => html`<option${status === wish.status ? html` selected` : ''}>${status}</option>`)}</select></p>
<p class="send"><button class="button" data-testid="payments-find">${say('liveFind')}</button></p>
</form>`

const query = (wish: Partial<PaymentWish>): string =>
  new URLSearchParams(
    Object.entries(wish).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  ).toString()

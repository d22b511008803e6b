import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { fieldState } from '../forms/form-fields.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { portalPaths } from '../portal-paths.ts'

// biome-ignore format: a table reads by its columns
/** Criteria of the list of payments, as its form and its address have them: label, and input type or values. */
const FIELDS = [
  ['clientTransactionId', 'clientTransactionId',             'search'],
  ['transactionId',       'transactionId',                   'search'],
  ['status',              'Status',                          ['PENDING', 'ACCEPTED', 'APPROVED', 'DECLINED', 'CANCELED']],
  ['state',               'State',                           ['AWAITING_SHOPPER', 'AUTHENTICATED', 'AUTHORIZED', 'PARTIALLY_CAPTURED', 'CAPTURED', 'SETTLED', 'DISPUTED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'TOKENIZED', 'DECLINED', 'CANCELED', 'EXPIRED']],
  ['providerId',          'Method',                          ['BLIK', 'IRIS']],
  ['accountId',           'Account',                         'accounts'],
  ['createdFrom',         'From day',                        'date'],
  ['createdTo',           'To day',                          'date'],
  ['amountFrom',          'Amount from',                     'text'],
  ['amountTo',            'Amount to',                       'text'],
] as const

type PaymentCriterion = (typeof FIELDS)[number][0]
export const PAYMENT_CRITERIA = FIELDS.map(([name]) => name)

/** Criteria of the portal's list of payments as its address has them: amounts in whole units with a decimal point. */
export type PaymentCriteria = Partial<Record<PaymentCriterion, string | undefined>>

/**
 * Returns the criteria of the portal's list of payments as a query string, with other parameters behind them; what is
 * empty is left out.
 */
export const queryOf = (criteria: PaymentCriteria & { before?: string; totals?: string; limit?: string }): string =>
  new URLSearchParams(
    Object.entries(criteria).flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : [])),
  ).toString()

/**
 * Returns the HTML form that narrows the portal's list of payments; what is rarely used is folded away unless it
 * narrows.
 */
export const paymentFilterForm = (
  context: PageRequestData,
  organizationId: string,
  accountIds: readonly string[],
  criteria: PaymentCriteria,
): Html => {
  const input = ([name, label, kind]: (typeof FIELDS)[number]) => {
    const options = kind === 'accounts' ? accountIds : kind
    const [value, state] = [criteria[name] ?? '', fieldState(context, name)]
    return html`<p><label for="f-${name}">${label}</label>${
      typeof options === 'string'
        ? html`<input id="f-${name}" name="${name}" type="${options}" value="${value}"${options === 'text' ? html` inputmode="decimal" placeholder="19.99"` : ''} autocomplete="off" spellcheck="false"${state} data-testid="payments-${name}">`
        : html`<select id="f-${name}" name="${name}"${state} data-testid="payments-${name}"><option value="">any</option>${options.map(option => html`<option${option === value ? html` selected` : ''}>${option}</option>`)}</select>`
    }</p>`
  }
  const isNarrowed = PAYMENT_CRITERIA.some(name => criteria[name])
  return html`
<form class="filter-form" method="get" action="${portalPaths.payments(organizationId)}" role="search" aria-label="Find payments">
${FIELDS.map(input)}
<p class="send"><button class="button" data-testid="payments-find">Find</button>${isNarrowed ? html`<a class="plain-link" href="${portalPaths.payments(organizationId)}" data-testid="payments-all">Show all</a>` : ''}</p>
</form>`
}

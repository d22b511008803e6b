import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { codeName } from '../layout/formatted-values.ts'
import { portalPage } from '../layout/portal-page.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'

/** Capabilities as the portal shows them: by payment method and then by capability, whether the method supports it. */
export type CapabilityTable = Readonly<Record<string, Readonly<Record<string, boolean>>>>
export type AccountCapabilities = {
  accountId: string
  methods: readonly string[]
  /** By payment method, then by capability. */
  supported: CapabilityTable
  /** By capability, then by payment method. */
  usual: CapabilityTable
}

/** Returns the portal page of what each payment method supports on an account, with deviations marked (1, D-77). */
export function capabilitiesPage(
  context: PageRequestData,
  organization: Organization,
  account: AccountCapabilities,
): Html {
  const { organizationId, accountIds } = organization
  const { accountId, methods, usual } = account
  const here = portalPaths.capabilities(organizationId)
  const main = html`
<h1>Capabilities</h1>
<p class="lead">What each payment method can do, as the contract says; for one account you may say otherwise, to see what your code does then.</p>
${formMessage(context)}
<ul class="filter" aria-label="Processing accounts">${accountIds.map(
    id =>
      html`<li><a href="${here}?account=${encodeURIComponent(id)}"${id === accountId ? html` aria-current="true"` : ''}><code>${id}</code></a></li>`,
  )}</ul>
<form method="post" action="${here}"><input type="hidden" name="account" value="${accountId}">
<table class="matrix" aria-label="Capabilities">
<thead><tr><th scope="col">Operation</th>${methods.map(method => html`<th scope="col">${method}</th>`)}</tr></thead>
<tbody>${Object.keys(usual).map(capability => capabilityRow(capability, account))}</tbody>
</table>
<div class="row"><button class="button" data-testid="set-capabilities">Save for this account</button>
<button class="button quiet" form="usual" data-testid="usual-capabilities">Back to the contract</button></div>
</form>
<form id="usual" method="post" action="${here}/usual"><input type="hidden" name="account" value="${accountId}"></form>
${equivalentCurl(context, { method: 'PUT', path: controlPaths.capabilities(organizationId, accountId), body: { BLIK: { partialCapture: false } } })}`
  return portalPage({ title: 'Capabilities', section: 'capabilities', organization, main })
}

/** The display name of each capability of the contract. */
const CAPABILITY_NAMES: Readonly<Record<string, string>> = {
  refund: 'Refund',
  partialRefund: 'Partial refund',
  multiplePartialRefunds: 'Several partial refunds',
  laterCapture: 'Later capture',
  partialCapture: 'Partial capture',
  multiplePartialCaptures: 'Several partial captures',
  recurring: 'Recurring payments',
  tokenOnly: 'Consent without a payment',
  incrementalAuthorization: 'Incremental authorization',
  disputes: 'Disputes',
  splitPayments: 'Split payments',
}

const capabilityRow = (capability: string, { methods, supported, usual }: AccountCapabilities): Html => {
  const name = CAPABILITY_NAMES[capability] ?? capability
  return html`
<tr data-testid="capability-row"><th scope="row">${name} ${codeName(capability)}</th>${methods.map(method => {
    const now = supported[method]?.[capability] === true
    const isUsual = now === usual[capability]?.[method]
    const note = `otherwise-${method}-${capability}`
    return html`<td${isUsual ? '' : html` class="otherwise"`}><label><input type="checkbox" name="able" value="${method}.${capability}"${now ? html` checked` : ''} aria-label="${method}: ${name}"${isUsual ? '' : html` aria-describedby="${note}"`}>${isUsual ? '' : html` <span class="hint" id="${note}">differs from the contract</span>`}</label></td>`
  })}</tr>`
}

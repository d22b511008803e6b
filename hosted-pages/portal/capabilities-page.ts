import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { codeName } from './code-name.ts'
import { portalPage } from './frame.ts'
import { outcomeLine } from './outcome-line.ts'
import { controlPaths, portalPaths } from './paths.ts'
import type { Matrix, OrganizationSummary } from './port.ts'
import { CAPABILITY_NAMES } from './texts/capabilities.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'

export type AccountMatrix = { accountId: string; methods: readonly string[]; matrix: Matrix }

/** What each payment method can do on one account: the table of the contract, and what this account does otherwise (1, D-77). */
export function capabilitiesPage(visit: Visit, organization: OrganizationSummary, account: AccountMatrix): Html {
  const { say } = visit
  const { organizationId, accountIds } = organization
  const { accountId, methods, matrix } = account
  const here = portalPaths.capabilities(organizationId)
  const main = html`
<h1>${say('navCapabilities')}</h1>
<p class="lead">${say('capsLead')}</p>
${outcomeLine(visit)}
<ul class="filter" aria-label="${say('orgsAccounts')}">${accountIds.map(
    id =>
      html`<li><a href="${here}?account=${encodeURIComponent(id)}"${id === accountId ? html` aria-current="true"` : ''}><code>${id}</code></a></li>`,
  )}</ul>
<form method="post" action="${here}"><input type="hidden" name="account" value="${accountId}">
<table class="matrix" aria-label="${say('navCapabilities')}">
<thead><tr><th scope="col">${say('capsOperation')}</th>${methods.map(method => html`<th scope="col">${method}</th>`)}</tr></thead>
<tbody>${matrix.map(row => rowOf(visit, methods, row))}</tbody>
</table>
<p class="note">${say('capsNote')}</p>
<div class="row"><button class="button" data-testid="set-capabilities">${say('capsSave')}</button>
<button class="button quiet" form="usual" data-testid="usual-capabilities">${say('capsUsual')}</button></div>
</form>
<form id="usual" method="post" action="${here}/usual"><input type="hidden" name="account" value="${accountId}"></form>
${twin(visit, { method: 'PUT', path: controlPaths.capabilities(organizationId, accountId), body: { BLIK: { partialCapture: false } } })}`
  return portalPage(say, { title: say('navCapabilities'), section: 'capabilities', organization, main })
}

const rowOf = ({ say }: Visit, methods: readonly string[], { capability, able }: Matrix[number]): Html => {
  const known = Object.entries(CAPABILITY_NAMES).find(([name]) => name === capability)?.[1]
  const name = known?.[say.language] ?? capability
  return html`
<tr data-testid="capability-row"><th scope="row">${name} ${codeName(capability)}</th>${methods.map(method => {
    const { now, usual } = able[method] ?? { now: false, usual: false }
    return html`<td${now === usual ? '' : html` class="otherwise"`}><label><input type="checkbox" name="able" value="${method}.${capability}"${now ? html` checked` : ''} aria-label="${method}: ${name}"> <span aria-hidden="true">${now ? say('capsYes') : say('capsNo')}</span></label></td>`
  })}</tr>`
}

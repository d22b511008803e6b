import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { paths } from '../paths.ts'
import { portalPage } from './frame.ts'
import { identifier } from './identifier.ts'
import type { KeyView } from './identities-port.ts'
import { instant } from './instant.ts'
import { outcomeLine } from './outcome-line.ts'
import { controlPaths, portalPaths } from './paths.ts'
import type { OrganizationSummary } from './port.ts'
import { table } from './table.ts'
import { tag } from './tag.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'
import type { DeliveryView } from './webhooks-port.ts'

export type AtAGlance = { keys: readonly KeyView[]; endpoints: number; deliveries: readonly DeliveryView[] }

/** One organization at a glance: its accounts, how to call the API as it, and what wants attention. */
export function overviewPage(visit: Visit, organization: OrganizationSummary, glance: AtAGlance): Html {
  const { say } = visit
  const { organizationId, accountIds } = organization
  const main = html`
<h1>${organizationId}</h1>
${outcomeLine(visit)}
<div class="cards">${figures(visit, organizationId, glance)}</div>
<section aria-labelledby="accounts"><h2 id="accounts">${say('orgsAccounts')}</h2>
${table(
  say('orgsAccounts'),
  [say('orgsAccountId'), say('navCapabilities')],
  accountIds.map(accountId => ({
    testId: 'account-row',
    cells: [
      identifier(say, accountId),
      html`<a href="${portalPaths.capabilities(organizationId)}?account=${encodeURIComponent(accountId)}">${say('orgsAccountCapabilities')}</a>`,
    ],
  })),
)}</section>
<section aria-labelledby="begin"><h2 id="begin">${say('orgsBegin')}</h2>
<ol class="todo">
<li>${say('orgsBeginKit')} <a href="${controlPaths.kit(organizationId)}" download="${organizationId}-kit.json" data-testid="download-kit">${say('orgsKit')}</a></li>
<li>${say('orgsBeginPay')} <a href="${paths.blik(organizationId)}" data-testid="portal-phone">${say('openPhone')}</a></li>
<li>${say('orgsBeginWatch')} <a href="${portalPaths.journal(organizationId)}">${say('navJournal')}</a></li>
</ol>
${twin(visit, { path: controlPaths.kit(organizationId) })}
</section>`
  return portalPage(say, { title: organizationId, section: 'overview', organization, main })
}

const figures = ({ say }: Visit, organizationId: string, { keys, endpoints, deliveries }: AtAGlance): Html => {
  const live = keys.filter(({ state }) => state === 'active' || state === 'expiring')
  const next = live.map(({ expiresAt }) => expiresAt).sort()[0]
  const failed = deliveries.filter(({ state }) => state === 'dropped').length
  return html`
<a class="figure" href="${portalPaths.identities(organizationId)}"><b>${live.length}</b> ${say('orgsKeys')}<span>${next ? html`${say('orgsKeyEnds')} ${instant(next)}` : say('orgsNoKey')}</span></a>
<a class="figure" href="${portalPaths.webhooks(organizationId)}"><b>${endpoints}</b> ${say('orgsEndpoints')}<span>${endpoints === 0 ? say('orgsNoEndpoint') : say('orgsDeliveries', { count: String(deliveries.length) })}</span></a>
${failed > 0 ? html`<a class="figure" href="${portalPaths.webhooks(organizationId)}?state=dropped"><b>${failed}</b> ${say('orgsDropped')}<span>${tag(say, 'dropped')}</span></a>` : ''}`
}

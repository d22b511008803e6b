import { html } from 'hono/html'
import { icon, type Shape } from './icons.ts'
import { type Html, layout } from './layout.ts'
import { type OrganizationPage, organizationSearch, pagination } from './organization-search-and-pagination.ts'
import { clockRate, type OrganizationView } from './organization-with-clock.ts'
import { tickingClock } from './portal/layout/formatted-values.ts'
import { portalPaths } from './portal/portal-paths.ts'
import { shopPaths } from './shop/shop-paths.ts'
import { paths } from './shopper-paths.ts'
import type { Say, TextKey } from './text-lookup-by-language.ts'

/** Names of the security layers of the API (5). */
const LAYERS = {
  certificate: 'layerCertificate',
  signature: 'layerSignature',
  token: 'layerToken',
} as const satisfies Record<string, TextKey>

type LayerOff = { layer: keyof typeof LAYERS; url?: string }

/** Facts about the whole installation that the landing page shows. */
export type InstallationFacts = {
  /** Where the API is for the reader. */
  apiUrl?: string
  /** Security layers of the API that are switched off; with a URL, only there. */
  layersOff: readonly LayerOff[]
  /** The seed by which responses of the API vary, where they do. */
  seed?: string | undefined
  /** Whether the demo shop is there. */
  hasShop?: boolean
  /** Whether the reader has shown a control token, which can be forgotten again. */
  isSignedIn?: boolean
  /** Whether the reader may see what belongs to no organization. */
  isOperator?: boolean
}

/**
 * Returns the landing page: what runs here, ways to the portal and the phone, and each organization with its overview;
 * without organizations for who may not know them.
 */
export function landingPage(
  say: Say,
  organizations: OrganizationPage<OrganizationView> | undefined,
  facts: InstallationFacts,
): Html {
  const { layersOff, seed } = facts
  const main = html`
<main class="sheet">
<p class="mark">${icon('assay')} Assay</p>
<h1>${say('landingTitle')}</h1>
<p class="lead">${say('landingLead')}</p>
${facts.hasShop ? shopWays(say) : ''}
${layersOff.length === 0 ? '' : notice(say, layersOff)}
${seed === undefined || !facts.isOperator ? '' : html`<p class="notice" data-testid="variety"><b>${say('variety')}</b> ${seed}. ${say('varietyNote')}</p>`}
<nav class="ways-in" aria-label="${say('waysIn')}">
${wayIn(paths.portal, 'open-portal', 'chart', say('portal'), say('portalNote'))}
${organizations?.all ? wayIn(paths.anyPhone, 'open-any-phone', 'phone', say('phone'), say('phoneNote')) : ''}
</nav>
<p class="quiet-line api-address" data-testid="api-address">API <code>${facts.apiUrl}</code> · ${say('reference')}: <a href="${paths.apiReference}">openapi.yaml</a>, <a href="${paths.controlReference}">control/openapi.yaml</a></p>
${facts.isOperator ? searchEverywhere(say) : ''}
<h2>${say('organizations')}</h2>
${organizations === undefined ? html`<p data-testid="organizations-hidden">${say('organizationsHidden')}</p>` : organizationCards(say, organizations)}
${facts.isOperator ? html`<ul class="links">${link(paths.unknownCallers, 'strangers-journal', say('unknownCallers'), say('unknownCallersNote'))}</ul>` : ''}
${facts.isSignedIn ? html`<form method="post" action="${portalPaths.signOut}"><button class="plain-link" data-testid="portal-sign-out">${say('signOut')}</button></form>` : ''}
</main>`
  const hasForms = facts.isOperator || (organizations && organizations.all > organizations.found.length)
  const more = hasForms ? (['list-filter-forms.css'] as const) : []
  return layout(say, { title: say('landingTitle'), look: 'plain', main, more })
}

const searchEverywhere = (say: Say): Html => html`
<form class="filter-form" method="get" action="${portalPaths.searchEverywhere}" role="search" aria-label="${say('findAnything')}">
<p class="q"><label for="find-anything">${say('findAnything')}</label><input id="find-anything" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200" data-testid="find-anything"></p>
<p class="send"><button class="button quiet" data-testid="find-anything-now">${say('findNow')}</button></p>
</form>`

const organizationCards = (say: Say, organizations: OrganizationPage<OrganizationView>): Html => html`
${organizationSearch(say, organizations, '/')}
${organizations.all === 0 ? html`<p>${say('noOrganizations')}</p>` : organizations.found.map(one => card(say, one))}
${pagination(say, organizations)}`

/** The quickest first payment: the stage, with a phone that already has a code, or the shop alone. */
const shopWays = (say: Say): Html => html`
<form class="show-payment" method="post" action="${shopPaths.openStage}">
<button class="button" data-testid="open-stage">${icon('phone')} ${say('landingShow')}</button>
<p class="quiet-line">${say('landingShowNote')} <a href="${shopPaths.root}" data-testid="open-shop">${say('landingShop')}</a></p>
</form>`

const notice = (say: Say, layersOff: readonly LayerOff[]): Html => html`
<p class="notice" data-testid="layers-off"><b>${say('layersOff')}</b> ${layersOff.map(one => inWords(say, one)).join(', ')}. ${layersOff.some(({ layer }) => layer === 'certificate') ? html`${say('certificateOffNote')} ` : ''}${say('layersOffNote')}</p>`

const inWords = (say: Say, { layer, url }: LayerOff): string => {
  const name = say(LAYERS[layer])
  return url === undefined ? name : say('layerOffAt', { layer: name, url })
}

const wayIn = (href: string, testId: string, shape: Shape, name: string, note: string): Html => html`
<a class="way-in" href="${href}" data-testid="${testId}">${icon(shape)} <b>${name}</b> <span>${note}</span></a>`

const card = (say: Say, { organizationId, now, rate }: OrganizationView): Html => html`
<section class="card organization" data-testid="organization">
<h3><a href="${paths.overview(organizationId)}" data-testid="open-overview">${organizationId}</a></h3>
<p class="quiet-line">${say('clock')} ${tickingClock(now, rate, 'organization-clock')} UTC${clockRate(say, rate)}</p>
<p class="of-one"><a href="${paths.blik(organizationId)}" data-testid="open-phone">${say('openPhone')}</a>
<span class="quiet-line">JSON: <a href="${paths.kit(organizationId)}" data-testid="open-kit">${say('kit')}</a>, <a href="${paths.journal(organizationId)}" data-testid="open-journal">${say('journal')}</a></span></p>
</section>`

const link = (href: string, testId: string, name: string, note: string): Html =>
  html`<li><a href="${href}" data-testid="${testId}">${name}</a> <span>${note}</span></li>`

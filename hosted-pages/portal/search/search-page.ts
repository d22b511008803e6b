import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { money } from '../../money-and-date-format.ts'
import type { OrganizationView } from '../../organization-with-clock.ts'
import { controlPaths } from '../control-api-paths.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { givenText, timestamp } from '../layout/formatted-values.ts'
import { identifier } from '../layout/identifier-with-copy-button.ts'
import { portalPage } from '../layout/portal-page.ts'
import { shortId } from '../layout/short-id.ts'
import { type PaymentRow, paymentStateTag } from '../payments/payments-page.ts'
import { portalPaths } from '../portal-paths.ts'

// biome-ignore format: a table reads by its columns
/** Kinds of what a search finds, each with its name and its page. */
const KINDS = {
  payment:       { name: 'Payment',     href: (organizationId, { id }) => portalPaths.payment(organizationId, id) },
  capture:       { name: 'Capture',     href: (organizationId, { transactionId = '' }) => portalPaths.payment(organizationId, transactionId) },
  refund:        { name: 'Refund',      href: (organizationId, { transactionId = '' }) => portalPaths.payment(organizationId, transactionId) },
  delivery:      { name: 'Delivery',    href: (organizationId, { id }) => portalPaths.delivery(organizationId, id) },
  call:          { name: 'Call',        href: (organizationId, { id }) => portalPaths.call(organizationId, id) },
  endpoint:      { name: 'Endpoint',    href: (organizationId, { id }) => portalPaths.endpoint(organizationId, id) },
  'signing-key': { name: 'Signing key', href: organizationId => `${portalPaths.identities(organizationId)}#keys` },
  certificate:   { name: 'Certificate', href: (organizationId, { id }) => portalPaths.certificate(organizationId, id) },
} as const satisfies Record<string, { name: string; href: (organizationId: string, hit: Target) => string }>

type Target = { id: string; transactionId?: string }

/**
 * Something that the portal's search found: its kind and id, the payment that it belongs to, and a few words about it.
 */
export type SearchHit = Target & { kind: keyof typeof KINDS; about: string; payment?: PaymentRow }

/** Returns the address of the portal page about what a search found. */
export const pageOfHit = (organizationId: string, hit: SearchHit): string => KINDS[hit.kind].href(organizationId, hit)

/** Returns the portal page of what a search found in an organization, payments first. */
export const searchPage = (
  context: PageRequestData,
  organization: OrganizationView,
  { asked, hits }: { asked: string; hits: readonly SearchHit[] },
): Html => {
  const { organizationId } = organization
  const main = html`
<h1>Search</h1>
<p class="lead">${asked === '' ? HINT : html`${hits.length === 0 ? 'Nothing' : hits.length} found for <b>${asked}</b>`}</p>
${
  hits.length === 0
    ? nothing(asked)
    : table(
        'Found',
        COLUMNS,
        hits.map(hit => ({ testId: 'search-hit', cells: cellsOf(organizationId, hit) })),
      )
}
${asked === '' ? '' : html`<p class="ways"><a class="button quiet" href="${portalPaths.journal(organizationId)}?q=${encodeURIComponent(asked.replace(/^…/, ''))}" data-testid="search-journal">Calls that mention it</a></p>`}
${equivalentCurl(context, { path: `${controlPaths.search(organizationId)}?${new URLSearchParams({ q: asked })}` })}`
  return portalPage({ title: 'Search', section: 'none', organization, main, asked, more: ['list-filter-forms.css'] })
}

/** Something that a search in every organization found, and where. */
export type FoundSomewhere = { organizationId: string; hit: SearchHit }

/** Returns the portal page of what a search found in every organization; `isCut` where it ended as it had found enough. */
export const searchEverywherePage = (asked: string, found: readonly FoundSomewhere[], isCut: boolean): Html => {
  const main = html`
<h1>Search</h1>
<p class="lead">${asked === '' ? HINT : html`${found.length === 0 ? 'Nothing' : found.length} found for <b>${asked}</b> ${isCut ? 'so far; organizations that were not searched may hold more' : 'in all organizations'}`}</p>
${
  found.length === 0
    ? nothing(asked)
    : table(
        'Found',
        ['Organization', ...COLUMNS],
        found.map(({ organizationId, hit }) => ({
          testId: 'search-hit',
          cells: [
            html`<a href="${portalPaths.overview(organizationId)}">${organizationId}</a>`,
            ...cellsOf(organizationId, hit),
          ],
        })),
      )
}`
  return portalPage({ title: 'Search', section: 'none', main, asked, more: ['list-filter-forms.css'] })
}

const HINT =
  'Any id or the end of it, as … shortens it; a reference; part of an endpoint’s address; an amount such as 19.99.'
const COLUMNS = ['Kind', 'Id', 'What', 'State', 'Amount', 'Created']

const nothing = (asked: string): Html =>
  html`<p class="empty" data-testid="search-none">${asked === '' ? 'Type into the field above.' : 'Nothing here has this id, reference or amount. An id is found by its last four characters or more, a reference only as a whole.'}</p>`

const cellsOf = (organizationId: string, hit: SearchHit) => [
  KINDS[hit.kind].name,
  identifier(`the id of the ${KINDS[hit.kind].name.toLowerCase()}`, hit.id, {
    href: pageOfHit(organizationId, hit),
    shown: shortId(hit.id),
  }),
  givenText(hit.about),
  hit.payment ? paymentStateTag(hit.payment) : '',
  hit.payment ? html`<span class="number">${money(hit.payment.amount, hit.payment.currency, 'en')}</span>` : '',
  hit.payment ? timestamp(hit.payment.createdAt) : '',
]

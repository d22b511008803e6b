import { html } from 'hono/html'
import type { AssetName } from '../../assets.ts'
import { drawing, icon } from '../../icons.ts'
import { type Html, layout } from '../../layout.ts'
import { clockRate, type OrganizationView } from '../../organization-with-clock.ts'
import { paths } from '../../shopper-paths.ts'
import { english } from '../../text-lookup-by-language.ts'
import { tickingClock } from '../layout/formatted-values.ts'
import { portalPaths } from '../portal-paths.ts'

/** The pages of one organization, in the order of the navigation. */
// biome-ignore format: a table reads by its columns
const SECTIONS = [
  { section: 'overview',     label: 'Overview',     shape: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z' },
  { section: 'journal',      label: 'Journal',      shape: 'M5 4h14v16H5zM8.5 9h7M8.5 12.5h7M8.5 16h4' },
  { section: 'payments',     label: 'Payments',     shape: 'M3.5 6h17v12h-17zM3.5 10h17M7 14.5h3' },
  { section: 'scenarios',    label: 'Scenarios',    shape: 'M6 4v16M6 8h6a4 4 0 0 1 4 4v0a4 4 0 0 0 4 4M17.5 13.5 20 16l-2.5 2.5' },
  { section: 'conduct',      label: 'Conduct',      shape: 'M12 3.5 19.5 6v6c0 4.5-3.2 7.3-7.5 8.8C7.7 19.3 4.5 16.5 4.5 12V6zM8.5 12.2l2.5 2.5 4.7-5' },
  { section: 'clock',        label: 'Clock',        shape: 'M12 3.2a8.8 8.8 0 1 1 0 17.6 8.8 8.8 0 0 1 0-17.6zM12 7.4V12l3.2 2' },
  { section: 'webhooks',     label: 'Webhooks',     shape: 'M4 12h10M10.5 7.5 15 12l-4.5 4.5M19.5 4v16' },
  { section: 'identities',   label: 'Keys & certificates',   shape: 'M8 11.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM10.5 12.5 19 4M15.5 7.5l3 3' },
  { section: 'lab',          label: 'Signature lab',          shape: 'M9.5 3.5h5M10.5 3.5v6L5 19a1 1 0 0 0 .9 1.5h12.2A1 1 0 0 0 19 19l-5.5-9.5v-6M7.5 15h9' },
  { section: 'reports',      label: 'Reports',      shape: 'M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6' },
  { section: 'capabilities', label: 'Capabilities', shape: 'M4 4h16v16H4zM4 9.3h16M4 14.6h16M9.3 4v16M14.6 4v16' },
  { section: 'dialect',     label: 'Dialect',     shape: 'M4 5h16v11.5h-8L7.5 20v-3.5H4zM8 9.2h8M8 12.6h5' },
] as const

export type Section = (typeof SECTIONS)[number]['section'] | 'organizations' | 'none'

type PortalView = {
  title: string
  section: Section
  /** The organization whose page this is; the list of all has none. */
  organization?: OrganizationView
  /** The stream of changes that the page follows; by default that of its organization. */
  stream?: string | undefined
  main: Html
  /** What the search field holds. */
  asked?: string
  /** Stylesheets and scripts that this page alone needs. */
  more?: readonly AssetName[]
}

/** Returns a page of the portal with its navigation and the clock of the organization; always in English. */
export const portalPage = ({
  title,
  section,
  organization,
  stream = streamOf(organization),
  main,
  asked = '',
  more = [],
}: PortalView): Html =>
  layout(english, {
    title,
    look: 'portal',
    more: ['portal.css', 'portal.js', ...more],
    main: html`
<a class="skip" href="#main">Skip to the content</a>
<div class="shell"${stream === undefined ? '' : html` data-stream="${stream}"`}>
<nav class="rail" aria-label="Portal">
<a class="mark" href="${paths.landing}" data-testid="portal-landing">${icon('assay')} Assay</a>
<ul>
${link(portalPaths.organizations, 'nav-organizations', 'Organizations', ORGANIZATIONS, section === 'organizations')}
${organization ? sections(organization.organizationId, section) : ''}
</ul>
</nav>
<main id="main" tabindex="-1">
<div class="top">${search(organization, asked)}${organization ? whose(organization) : ''}</div>
${main}
</main>
</div>`,
  })

const streamOf = (organization: OrganizationView | undefined): string | undefined =>
  organization?.seen === undefined
    ? undefined
    : `${portalPaths.stream(organization.organizationId)}?seen=${organization.seen}`

const ORGANIZATIONS = 'M4 20V9l8-5 8 5v11M9 20v-6h6v6M4 20h16'

const sections = (organizationId: string, current: Section): Html => html`
<li class="of-organization"><span class="whose" id="nav-whose">${organizationId}</span>
<ul aria-labelledby="nav-whose">
${SECTIONS.map(({ section, label, shape }) =>
  link(portalPaths[section](organizationId), `nav-${section}`, label, shape, section === current),
)}
</ul></li>`

const link = (href: string, testId: string, name: string, shape: string, isCurrent: boolean): Html =>
  html`<li><a href="${href}" data-testid="${testId}"${isCurrent ? html` aria-current="page"` : ''}>${drawing(shape)} ${name}</a></li>`

const whose = ({ organizationId, now, rate = 1, isSignedIn }: OrganizationView): Html => html`
<div class="whose-clock" id="whose-clock" data-live="clock"><a href="${portalPaths.overview(organizationId)}" class="id">${organizationId}</a>
<span>Clock <a href="${portalPaths.clock(organizationId)}" data-testid="portal-clock">${tickingClock(now, rate)}</a>${clockRate(english, rate)}</span>${isSignedIn ? html`<form method="post" action="${portalPaths.signOut}"><button class="plain-link" data-testid="portal-sign-out">Sign out</button></form>` : ''}</div>`

const search = (organization: OrganizationView | undefined, asked: string): Html => html`
<form class="find-any" method="get" action="${organization ? portalPaths.search(organization.organizationId) : portalPaths.searchEverywhere}" role="search" aria-label="${organization ? 'Everything of the organization' : 'Everything of every organization'}">
<input name="q" type="search" value="${asked}" aria-label="Search by id, reference or amount" placeholder="Id or its end, reference, amount" autocomplete="off" spellcheck="false" maxlength="200" data-testid="portal-search"><button class="button quiet" data-testid="portal-search-now">${drawing(LENS)}<span class="unseen">Search</span></button></form>`

const LENS = 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.2 15.2 20 20'

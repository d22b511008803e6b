import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import type { OrganizationView } from '../../organization-with-clock.ts'
import { controlPaths } from '../control-api-paths.ts'
import { fieldState } from '../forms/form-fields.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { portalPage } from '../layout/portal-page.ts'
import { portalPaths } from '../portal-paths.ts'
import { callDetails } from './call-details.ts'
import type { CallView } from './journal-call-types.ts'
import { journalRow, pathOf } from './journal-row.ts'

/** Filters of the portal's journal with a field, and those with chips, as its address has them. */
const FIELDS = ['q', 'path', 'status', 'transactionId', 'reasonCode'] as const
const CHIP_FILTERS = ['layer', 'method', 'webhooks'] as const
export const CALL_FILTERS = [...FIELDS, ...CHIP_FILTERS] as const
export type CallFilter = Partial<Record<(typeof CALL_FILTERS)[number], string | undefined>>

/** A page of calls for the portal's journal, newest first; `more` says whether older ones fit the filter. */
export type CallPage = { calls: readonly CallView[]; more: boolean }

type Shown = {
  organization: OrganizationView | undefined
  filter: CallFilter
  before: string | undefined
  page: CallPage
  /** The call that is open in the list. */
  open: CallView | undefined
  /** The position of the stream of changes, before the calls were read. */
  seen: string
}

/** Returns the path of a journal: an organization's, or that of callers without an organization. */
export const journalPath = (organization: OrganizationView | undefined): string =>
  organization ? portalPaths.journal(organization.organizationId) : portalPaths.unknownCallers

/** Returns the portal page of the journal: the filter form, one line for each call, and the link to older ones. */
export const journalPage = (context: PageRequestData, shown: Shown): Html => {
  const { organization, filter, before, page, open, seen } = shown
  const base = journalPath(organization)
  const query = queryOf(filter)
  const row = (call: CallView) =>
    journalRow(call, {
      details: call.callId === open?.callId ? callDetails(call, organization?.organizationId) : undefined,
    })
  const main = html`
<div class="journal-head"><h1>${organization ? 'Journal' : 'Calls of nobody known'}</h1>
<p class="live" data-testid="journal-live" data-live-now="live" data-broken="connection lost, trying again" hidden></p>
<p class="unseen" role="status" data-found="calls found: {count}" data-found-more="calls found: {count}, and older ones"></p>
<button class="button quiet" type="button" hidden data-pause="Pause" data-go-on="Go on" data-testid="journal-pause">Pause</button></div>
<p class="lead">${organization ? 'Every call and its response as it happens. Secrets are masked. Keys in the list: j and k to move, Enter to open, / to filter.' : 'Calls that belong to no organization, for instance without a certificate that is known here.'}</p>
${formMessage(context)}
${chips(base, filter)}
${filterForm(context, base, filter)}
<ol class="calls" aria-label="Calls, newest first" data-base="${base}" data-query="${query}" data-after="${before === undefined ? (page.calls[0]?.callId ?? '') : ''}"${before === undefined ? html` data-follow` : ''} data-waiting="new: {count}" data-testid="journal-calls">
${open && !page.calls.some(({ callId }) => callId === open.callId) ? row(open) : ''}${page.calls.map(row)}</ol>
<p class="nothing quiet-line"${page.calls.length > 0 || context.refused !== undefined ? html` hidden` : ''} data-testid="journal-empty">${query === '' ? 'No call yet. Run the first payment with your kit and watch it arrive here.' : 'No call fits this filter.'}</p>
<p class="ways"><a class="button quiet" rel="next"${page.more ? '' : html` hidden`} href="${base}?${joined(query, `before=${page.calls.at(-1)?.callId ?? ''}`)}" data-testid="journal-older">Older calls</a>
${before === undefined ? '' : html`<a class="button quiet" href="${base}?${query}" data-testid="journal-newest">Back to the newest</a>`}
<a class="button quiet" href="${archiveOf(organization)}${query === '' ? '' : `?${query}`}" download="${organization?.organizationId ?? 'nobody'}.har" data-testid="journal-har">Download as HAR</a>
${organization ? html`<a class="plain-link" href="${portalPaths.unknownCallers}" data-testid="journal-strangers">Calls of nobody known</a>` : ''}</p>
${equivalentCurl(context, { path: `${organization ? controlPaths.journal(organization.organizationId) : controlPaths.unknownCallers}/stream${query === '' ? '' : `?${query}`}` })}`
  const stream = organization ? portalPaths.stream(organization.organizationId) : portalPaths.streamOfUnknownCallers
  return framed(organization, main, ['journal.js'], `${stream}?seen=${seen}`, open && titleOf(open))
}

const titleOf = ({ request, response }: CallView): string =>
  `${request.method} ${pathOf(request.target)}: ${response.status}`

const archiveOf = (organization: OrganizationView | undefined): string =>
  `${organization ? controlPaths.journal(organization.organizationId) : controlPaths.unknownCallers}.har`

/** Returns the portal page of one call of the journal, which works without a script. */
export const callPage = (organization: OrganizationView | undefined, call: CallView | undefined): Html =>
  framed(
    organization,
    html`
<p><a href="${journalPath(organization)}" data-testid="journal-back">All calls</a></p>
<h1>${call ? titleOf(call) : 'Journal'}</h1>
${call ? callDetails(call, organization?.organizationId) : html`<p class="lead">The journal no longer has this call: it keeps the last ones only.</p>`}`,
    [],
    undefined,
    call && titleOf(call),
  )

/**
 * Returns the HTML list of the calls that came after the newest one on an open journal page, newest first; with
 * `data-more` there are more, and the list begins anew.
 */
export const newCalls = ({ calls, more }: CallPage): Html =>
  html`<ol class="calls"${more ? html` data-more` : ''} data-after="${calls[0]?.callId ?? ''}">${calls.map(call => journalRow(call))}</ol>`

const framed = (
  organization: OrganizationView | undefined,
  main: Html,
  script: readonly ['journal.js'] | [],
  stream?: string,
  title = organization ? 'Journal' : 'Calls of nobody known',
) =>
  portalPage({
    title,
    section: organization ? 'journal' : 'none',
    ...(organization ? { organization } : {}),
    ...(stream === undefined ? {} : { stream }),
    main,
    more: ['journal.css', 'list-filter-forms.css', ...script],
  })

const LABELS = {
  q: 'Words in values, -without these',
  path: 'Path or operation',
  status: 'HTTP status, 4xx, error',
  transactionId: 'Transaction',
  reasonCode: 'Reason code',
} as const satisfies Record<(typeof FIELDS)[number], string>

/** Chips that narrow the journal by one filter and leave the others; the one that is on takes its filter back. */
// biome-ignore format: a table reads by its columns
const CHIPS: readonly (readonly [label: string, filter: (typeof CALL_FILTERS)[number], value: string])[] = [
  ['errors',      'status',   'error'],
  ['refused',     'layer',    'any'],
  ['certificate', 'layer',    'certificate'],
  ['signature',   'layer',    'signature'],
  ['token',       'layer',    'token'],
  ['validation',  'layer',    'validation'],
  ['operation',   'layer',    'operation'],
  ['rate',        'layer',    'rate'],
  ['GET',         'method',   'GET'],
  ['POST',        'method',   'POST'],
  ['webhooks sent', 'webhooks', 'sent'],
]

const chips = (base: string, filter: CallFilter): Html => html`
<ul class="filter" aria-label="Show calls of one kind">
${CHIPS.map(([label, name, value]) => {
  const isOn = filter[name] === value
  const query = queryOf({ ...filter, [name]: isOn ? undefined : value })
  return html`<li><a href="${base}${query === '' ? '' : `?${query}`}"${isOn ? html` aria-current="true"` : ''} data-testid="journal-chip">${label}</a></li>`
})}</ul>`

/** Returns the filter form; its fields go into the address, so that a filter can be saved and shared. */
const filterForm = (context: PageRequestData, base: string, filter: CallFilter): Html => html`
<form class="filter-form few" method="get" action="${base}" role="search" aria-label="Filter">
${CHIP_FILTERS.map(name => (filter[name] ? html`<input type="hidden" name="${name}" value="${filter[name]}">` : ''))}
${FIELDS.map(name => html`<p class="${name}"><label for="f-${name}">${LABELS[name]}</label><input id="f-${name}" name="${name}" type="search" value="${filter[name] ?? ''}" autocomplete="off" spellcheck="false"${fieldState(context, name)} data-testid="journal-${name}"></p>`)}
<p class="send"><button class="button" data-testid="journal-apply">Filter</button>
${queryOf(filter) === '' ? '' : html`<a class="plain-link" href="${base}" data-testid="journal-all">Show all</a>`}</p>
</form>`

/** Formats the filter of the portal's journal as a query string. */
export const queryOf = (filter: CallFilter): string =>
  new URLSearchParams(
    CALL_FILTERS.flatMap(name => (filter[name] ? [[name, filter[name]] as [string, string]] : [])),
  ).toString()

const joined = (...parts: readonly string[]): string => parts.filter(part => part !== '').join('&')

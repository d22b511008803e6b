import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import type { OrganizationView } from '../port.ts'
import type { Say, TextKey } from '../texts.ts'
import { portalPage } from './frame.ts'
import { callDetails } from './journal-call.ts'
import { journalRow, pathOf } from './journal-row.ts'
import { CALL_WISHES, type CallPage, type CallView, type CallWish } from './live-port.ts'
import { controlPaths, portalPaths } from './paths.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'

type Shown = { organization: OrganizationView | undefined; wish: CallWish; before: string | undefined; page: CallPage }

/** The address of a journal: an organization's, or that of callers that nobody knows. */
export const journalPath = (organization: OrganizationView | undefined): string =>
  organization ? portalPaths.journal(organization.organizationId) : portalPaths.strangers

/** The journal as it is written: filter, lines, and below them the way to older ones. */
export const journalPage = (visit: Visit, shown: Shown): Html => {
  const { say } = visit
  const { organization, wish, before, page } = shown
  const base = journalPath(organization)
  const query = queryOf(wish)
  const main = html`
<div class="journal-head"><h1>${say(organization ? 'journalTitle' : 'journalStrangers')}</h1>
<p class="live" data-testid="journal-live" data-live-now="${say('journalLive')}" data-broken="${say('journalBroken')}" role="status" hidden></p>
<button class="button quiet" type="button" hidden aria-pressed="false" data-pause="${say('journalPause')}" data-go-on="${say('journalGoOn')}" data-testid="journal-pause">${say('journalPause')}</button></div>
<p class="lead">${say(organization ? 'journalLead' : 'journalStrangersLead')}</p>
${filter(say, base, wish)}
<ol class="calls" aria-label="${say('journalList')}" data-base="${base}" data-query="${query}" data-after="${before === undefined ? (page.calls[0]?.callId ?? '') : ''}"${before === undefined ? html` data-follow` : ''} data-missed="${say('journalMissed')}" data-waiting="${say('journalWaiting')}" data-testid="journal-calls">
${page.calls.map(call => journalRow(call))}</ol>
<p class="nothing quiet-line"${page.calls.length > 0 ? html` hidden` : ''} data-testid="journal-empty">${say(query === '' ? 'journalEmpty' : 'journalNone')}</p>
<p class="ways">${page.more ? html`<a class="button quiet" rel="next" href="${base}?${joined(query, `before=${page.calls.at(-1)?.callId}`)}" data-testid="journal-older">${say('journalOlder')}</a>` : ''}
${before === undefined ? '' : html`<a class="button quiet" href="${base}?${query}" data-testid="journal-newest">${say('journalNewest')}</a>`}
${organization ? html`<a class="plain-link" href="${portalPaths.strangers}" data-testid="journal-strangers">${say('journalStrangers')}</a>` : ''}</p>
${twin(visit, { path: `${organization ? controlPaths.journal(organization.organizationId) : controlPaths.strangers}/stream${query === '' ? '' : `?${query}`}` })}`
  return framed(say, organization, main, ['journal.js'])
}

/** One call on a page of its own: the address to send to a colleague, and the way without a script. */
export const callPage = (say: Say, organization: OrganizationView | undefined, call: CallView | undefined): Html =>
  framed(
    say,
    organization,
    html`
<p><a href="${journalPath(organization)}" data-testid="journal-back">${say('callBack')}</a></p>
<h1>${call ? `${call.request.method} ${pathOf(call.request.target)}: ${call.answer.status}` : say('journalTitle')}</h1>
${call ? callDetails(say, call, organization?.organizationId) : html`<p class="lead">${say('journalGone')}</p>`}`,
    [],
  )

const framed = (
  say: Say,
  organization: OrganizationView | undefined,
  main: Html,
  script: readonly ['journal.js'] | [],
) =>
  portalPage(say, {
    title: say(organization ? 'journalTitle' : 'journalStrangers'),
    section: organization ? 'journal' : 'none',
    ...(organization ? { organization } : {}),
    main,
    more: ['journal.css', 'live.css', ...script],
  })

const LABELS = {
  q: 'journalWords',
  path: 'journalPath',
  status: 'journalStatus',
  transactionId: 'journalTransaction',
  reasonCode: 'journalReason',
} as const satisfies Record<(typeof CALL_WISHES)[number], TextKey>

/** A form that writes the filter into the address, so that it can be kept and shared. */
const filter = (say: Say, base: string, wish: CallWish): Html => html`
<form class="sieve" method="get" action="${base}" role="search" aria-label="${say('journalFilter')}">
${CALL_WISHES.map(name => html`<p class="${name}"><label for="f-${name}">${say(LABELS[name])}</label><input id="f-${name}" name="${name}" type="search" value="${wish[name] ?? ''}" autocomplete="off" spellcheck="false" data-testid="journal-${name}"></p>`)}
<p class="send"><button class="button" data-testid="journal-apply">${say('journalApply')}</button>
${queryOf(wish) === '' ? '' : html`<a class="plain-link" href="${base}" data-testid="journal-all">${say('journalAll')}</a>`}</p>
</form>`

/** The filter as an address writes it. */
export const queryOf = (wish: CallWish): string =>
  new URLSearchParams(
    CALL_WISHES.flatMap(name => (wish[name] ? [[name, wish[name]] as [string, string]] : [])),
  ).toString()

const joined = (...parts: readonly string[]): string => parts.filter(part => part !== '').join('&')

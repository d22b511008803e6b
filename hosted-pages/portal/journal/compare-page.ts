import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import type { OrganizationView } from '../../organization-with-clock.ts'
import { portalPage } from '../layout/portal-page.ts'
import { type ComparedLine, compareCalls } from './compare-calls.ts'
import type { CallView } from './journal-call-types.ts'
import { pathOf } from './journal-row.ts'

type Compared = {
  organization: OrganizationView | undefined
  /** The path of the journal. */
  journal: string
  call: CallView
  other: CallView | undefined
  /** Calls with which this one may be compared, newest first. */
  others: readonly CallView[]
}

/** Returns the page of two calls side by side, with the first difference lit. */
export const comparePage = ({ organization, journal, call, other, others }: Compared): Html => {
  const title = `${call.request.method} ${pathOf(call.request.target)} compared`
  return portalPage({
    title,
    section: organization ? 'journal' : 'none',
    ...(organization ? { organization } : {}),
    more: ['journal.css', 'list-filter-forms.css'],
    main: html`
<p><a href="${journal}/${call.callId}" data-testid="compare-back">Back to the call</a></p>
<h1>${title}</h1>
<form class="filter-form" method="get" action="${journal}/${call.callId}/compare" role="search" aria-label="Compare">
<p class="q"><label for="with">With</label><select id="with" name="with" data-testid="compare-with">${others.map(one => html`<option value="${one.callId}"${one.callId === other?.callId ? html` selected` : ''}>${nameOf(one)}</option>`)}</select></p>
<p class="send"><button class="button" data-testid="compare-show">Compare</button></p>
</form>
${other ? comparison(call, other) : html`<p class="quiet-line" data-testid="compare-nothing">There is no other call of this kind in the journal to compare it with.</p>`}`,
  })
}

const nameOf = ({ at, request, response }: CallView): string =>
  `${at.slice(0, 10)} ${at.slice(11, 19)} ${request.method} ${pathOf(request.target)} ${response.status}`

const comparison = (call: CallView, other: CallView): Html => {
  const lines = compareCalls(call, other)
  const first = lines.find(({ look }) => look === 'first')
  return html`
<p class="lead" data-testid="compare-verdict">${first ? html`The first difference is in ${first.part.toLowerCase()}: <a href="#first">see it</a>` : 'Nothing differs but what differs in every call: signature, token, key and date.'}</p>
<table class="compared" aria-label="Two calls side by side">
<thead><tr><th scope="col">${nameOf(call)}</th><th scope="col">${nameOf(other)}</th></tr></thead>
<tbody>${lines.map((line, at) => row(line, line.part !== lines[at - 1]?.part))}</tbody></table>`
}

const row = ({ part, left, right, look }: ComparedLine, begins: boolean): Html => html`
${begins ? html`<tr class="part"><th colspan="2" scope="colgroup">${part}</th></tr>` : ''}
<tr class="${look}"${look === 'first' ? html` id="first" data-testid="compare-first"` : ''}>${[left, right].map(text => html`<td><pre>${look === 'first' ? html`<mark>${text ?? 'nothing'}</mark>` : (text ?? '')}</pre></td>`)}</tr>`

import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import type { Say } from '../../texts.ts'
import { portalPage } from '../frame.ts'
import { instant } from '../instant.ts'
import { outcomeLine } from '../outcome-line.ts'
import { controlPaths, portalPaths } from '../paths.ts'
import type { OrganizationSummary } from '../port.ts'
import { twin } from '../twin.ts'
import type { Visit } from '../visit.ts'
import type { LabView, RefusedCall } from './lab-port.ts'
import { labResult } from './lab-result.ts'

export type LabPage = {
  organization: OrganizationSummary
  refused: readonly RefusedCall[]
  view?: LabView
  /** The call of the journal that is looked at. */
  call?: string | undefined
}

/** The signature lab: pick a refused call or paste a request, and read what is wrong with it (5.2). */
export function labPage(visit: Visit, { organization, refused, view, call }: LabPage): Html {
  const { say, typed } = visit
  const { organizationId } = organization
  const body = call === undefined ? { request: typed.request ?? 'GET /…' } : { call }
  const main = html`
<h1>${say('labTitle')}</h1>
${view ? '' : html`<p class="lead">${say('labLead')}</p>`}
${outcomeLine(visit)}
${view ? labResult(say, view, organizationId) : ''}
${view && call !== undefined ? html`<p><a href="${portalPaths.journal(organizationId)}/${call}">${say('labToJournal')}</a></p>` : ''}
${view ? html`<h2>${say('labAnother')}</h2>` : ''}
<div class="bench">
<section><h2>${say('labPick')}</h2>${picks(say, organizationId, refused, call)}</section>
<section><h2>${say('labPaste')}</h2>${pasteForm(visit, organizationId)}</section>
</div>
${twin(visit, { method: 'POST', path: controlPaths.lab(organizationId), body: short(body) })}`
  return portalPage(say, { title: say('labTitle'), section: 'lab', organization, main, more: ['lab.css'] })
}

const picks = (say: Say, organizationId: string, refused: readonly RefusedCall[], current: string | undefined): Html =>
  refused.length === 0
    ? html`<p class="empty" data-testid="lab-nothing-refused">${say('labNothingRefused')}</p>`
    : html`<ul class="picks">${refused.map(
        ({ callId, at, method, target, reason }) => html`
<li><a href="${portalPaths.lab(organizationId)}?call=${callId}" data-testid="lab-pick"${callId === current ? html` aria-current="true"` : ''}><code>${method} ${target}</code> ${instant(at)}<span lang="en">${reason}</span></a></li>`,
      )}</ul>`

const pasteForm = ({ say, typed }: Visit, organizationId: string): Html => html`
<form class="panel" method="post" action="${portalPaths.lab(organizationId)}">
<div class="field"><label for="request">${say('labRequest')}</label>
<textarea id="request" name="request" rows="9" required spellcheck="false" autocomplete="off" aria-describedby="request-hint" placeholder="${EXAMPLE}" data-testid="lab-request">${typed.request ?? ''}</textarea>
<span class="hint" id="request-hint">${say('labPasteHint')}</span></div>
<details class="own-base"${typed.base ? html` open` : ''}><summary>${say('labBase')}</summary>
<div class="field"><label class="unseen" for="base">${say('labBase')}</label>
<textarea id="base" name="base" rows="5" spellcheck="false" autocomplete="off" aria-describedby="base-hint" data-testid="lab-base">${typed.base ?? ''}</textarea>
<span class="hint" id="base-hint">${say('labBaseHint')}</span></div></details>
<button class="button" data-testid="lab-examine">${say('labExamine')}</button>
</form>`

const EXAMPLE = `POST /payments/capture HTTP/1.1
Host: localhost:8443
Signature-Input: service_sig=("@authority" …
Signature: service_sig=:MEUCIQ…

{"transactionId":"…"}`

const SHORT = 300

/** A line for a terminal need not hold a whole request. */
const short = (body: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body).map(([name, text]) => [name, text.length > SHORT ? `${text.slice(0, SHORT)}…` : text]),
  )

import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { fieldState } from '../forms/form-fields.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { timestamp } from '../layout/formatted-values.ts'
import { portalPage } from '../layout/portal-page.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { diagnosisSection } from './diagnosis-section.ts'
import type { Diagnosis } from './diagnosis-types.ts'

/** A call of the journal that was refused for its signature, as the portal's signature lab lists it. */
export type RefusedCall = {
  callId: string
  at: string
  request: { method: string; target: string }
  refused?: { reason: string }
}

/** Data of the portal's signature lab page; `call` is the examined call of the journal. */
export type SignatureLab = { refused: readonly RefusedCall[]; diagnosis?: Diagnosis; call?: string | undefined }

/**
 * Returns the portal's signature lab page: pick a refused call or paste a request, and read what is wrong with it
 * (5.2).
 */
export function signatureLabPage(
  context: PageRequestData,
  organization: Organization,
  { refused, diagnosis, call }: SignatureLab,
): Html {
  const { typed } = context
  const { organizationId } = organization
  const body = call === undefined ? { request: typed.request ?? 'GET /…' } : { call }
  const main = html`
<h1>Signature lab</h1>
${diagnosis ? '' : html`<p class="lead">Why a signature does not verify: what was signed in place of what should have been, by which key, and how it is done right.</p>`}
${formMessage(context)}
${diagnosis ? diagnosisSection(diagnosis, organizationId) : ''}
${diagnosis && call !== undefined ? html`<p class="ways"><a href="${portalPaths.journal(organizationId)}/${call}">To this call in the journal</a></p>` : ''}
${diagnosis ? html`<h2>Examine another</h2>` : ''}
<div class="bench">
<section><h2>Calls refused for their signature</h2>${picks(organizationId, refused, call)}</section>
<section><h2>Paste a request</h2>${pasteForm(context, organizationId)}</section>
</div>
${equivalentCurl(context, { method: 'POST', path: controlPaths.lab(organizationId), body: short(body) })}`
  return portalPage({ title: 'Signature lab', section: 'lab', organization, main, more: ['signature-lab.css'] })
}

const picks = (organizationId: string, refused: readonly RefusedCall[], current: string | undefined): Html =>
  refused.length === 0
    ? html`<p class="empty" data-testid="lab-nothing-refused">No call in the journal was refused for its signature. Any request can be pasted.</p>`
    : html`<ul class="picks">${refused.map(
        ({ callId, at, request: { method, target }, refused }) => html`
<li><a href="${portalPaths.lab(organizationId)}?call=${callId}" data-testid="lab-pick"${callId === current ? html` aria-current="true"` : ''}><code>${method} ${target.length > 100 ? `${target.slice(0, 99)}…` : target}</code> ${timestamp(at)}<span>${refused?.reason ?? ''}</span></a></li>`,
      )}</ul>`

const pasteForm = (context: PageRequestData, organizationId: string): Html => {
  const { typed } = context
  return html`
<form class="panel" method="post" action="${portalPaths.lab(organizationId)}">
<div class="field"><label for="request">Head, empty line, body</label>
<textarea id="request" name="request" rows="9" required spellcheck="false" autocomplete="off"${fieldState(context, 'request', 'request-hint')} placeholder="${EXAMPLE}" data-testid="lab-request">${typed.request ?? ''}</textarea>
<span class="hint" id="request-hint">Raw HTTP, the output of curl -v, a curl command, a HAR entry, or a call of the journal as JSON.</span></div>
<details class="own-base"${typed.base ? html` open` : ''}><summary>The base that your client built, if you have it</summary>
<div class="field"><label class="unseen" for="base">The base that your client built, if you have it</label>
<textarea id="base" name="base" rows="5" spellcheck="false" autocomplete="off" aria-describedby="base-hint" data-testid="lab-base">${typed.base ?? ''}</textarea>
<span class="hint" id="base-hint">Lines as they are, or a JSON string in quotes, which keeps every line end and blank.</span></div></details>
<button class="button" data-testid="lab-examine">Examine</button>
</form>`
}

const EXAMPLE = `POST /payments/capture HTTP/1.1
Host: localhost:8443
Signature-Input: service_sig=("@authority" …
Signature: service_sig=:MEUCIQ…

{"transactionId":"…"}`

const SHORT = 300

/** Returns the body of the curl line, with long texts truncated. */
const short = (body: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body).map(([name, text]) => [name, text.length > SHORT ? `${text.slice(0, SHORT)}…` : text]),
  )

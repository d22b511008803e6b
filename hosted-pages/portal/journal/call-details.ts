import { html } from 'hono/html'
import { icon } from '../../icons.ts'
import type { Html } from '../../layout.ts'
import { prettyJson } from '../layout/formatted-values.ts'
import { portalPaths } from '../portal-paths.ts'
import { type CallView, listsPayments, type MockNoteView } from './journal-call-types.ts'
import { curlAsSent, curlSignedAnew } from './repeat-call-by-curl.ts'
import { nodeSignedAnew, pythonSignedAnew } from './repeat-call-by-script.ts'

/**
 * Returns the HTML of one API call in full, for the portal's journal: request, response, refusal and reason, who
 * responded, and links.
 */
export const callDetails = (call: CallView, whose: string | undefined): Html => {
  const copies = copiesOf(call, whose ?? 'demo-merchant')
  return html`
<article class="call" id="call" data-testid="journal-details" aria-label="${call.request.method} ${call.request.target}">
${refusal(call)}
<p class="ways">
<button class="button quiet" type="button" ${copying(copies, 'curl')} data-testid="call-copy-anew">${icon('copy')} <span>${COPIES.curl[0]}</span></button>
<button class="button quiet" type="button" ${copying(copies, 'python')} data-testid="call-copy-python">${icon('copy')} <span>${COPIES.python[0]}</span></button>
<button class="button quiet" type="button" ${copying(copies, 'node')} data-testid="call-copy-node">${icon('copy')} <span>${COPIES.node[0]}</span></button>
<button class="button quiet" type="button" ${copying(copies, 'asSent')} data-testid="call-copy-sent">${icon('copy')} <span>${COPIES.asSent[0]}</span></button>
<a class="button quiet" href="${whose === undefined ? portalPaths.unknownCallers : portalPaths.journal(whose)}/${call.callId}/compare" data-testid="call-compare">Compare with another call</a>
${isForTheLab(call) && whose !== undefined ? html`<a class="button quiet" href="${portalPaths.lab(whose)}?call=${call.callId}" data-testid="call-lab">Find the cause in the signature lab</a>` : ''}
${timelineLink(call, whose)}
</p>
<noscript>${COPY_NAMES.map(name => html`<details><summary>${COPIES[name][0]}</summary><pre tabindex="0" aria-label="${COPIES[name][0]}">${copies[name]}</pre></details>`)}</noscript>
<dl class="told">
${fact('Real time', call.at)}${fact("On the organization's clock", call.clock ?? '')}${fact('Took', `${call.durationMilliseconds} ms`)}${fact('Call', call.callId)}
${call.unknown ? fact('Unknown members', call.unknown.map(unknownMember).join(', ')) : ''}
${call.signature ? fact('Signature verified', `${call.signature.keyId}, ${call.signature.reading}, ${call.signature.encoding}`) : ''}
${call.replayed ? fact('replayed from memory', 'Idempotency-Replayed: true') : ''}
${call.injectedFault ? fact('Injected fault', call.injectedFault) : ''}
${call.varied?.length ? fact('Unusual on purpose', call.varied.join(', ')) : ''}
</dl>
${answeredBy(call)}
<div class="sides">
${side('Request', `${call.request.method} ${call.request.target}`, call.request, 'call-request')}
${side('Response', `HTTP ${call.response.status}`, call.response, 'call-response')}
</div>
</article>`
}

/** Ways to send a call again: the words on the button, and what it then copies. */
const COPIES = {
  curl: ['Copy as curl, signed anew', 'the curl command, signed anew'],
  python: ['Copy as Python', 'the Python program'],
  node: ['Copy as Node', 'the Node program'],
  asSent: ['Copy as it was sent', 'the curl command as it was sent'],
} as const
const COPY_NAMES = Object.keys(COPIES) as readonly (keyof typeof COPIES)[]

const copying = (copies: Record<keyof typeof COPIES, string>, name: keyof typeof COPIES): Html =>
  html`data-copy="${copies[name]}" data-what="${COPIES[name][1]}"`

const copiesOf = (call: CallView, organizationId: string): Record<keyof typeof COPIES, string> => ({
  curl: curlSignedAnew(call, organizationId),
  python: pythonSignedAnew(call, organizationId),
  node: nodeSignedAnew(call, organizationId),
  asSent: curlAsSent(call),
})

const fact = (name: string, value: string): Html | '' =>
  value === '' ? '' : html`<div><dt>${name}</dt><dd>${value}</dd></div>`

/** Whether the signature lab explains the refusal of a call: of its signature, or of a body without its length. */
const isForTheLab = ({ refused, request: { headers } }: CallView): boolean =>
  refused?.layer === 'signature' || (refused?.layer === 'body' && 'transfer-encoding' in headers)

const unknownMember = ({ member, nearest }: { member: string; nearest?: string }): string =>
  nearest === undefined ? member : `${member} (${nearest}?)`

/** Returns the HTML of the refusal of a call: layer, reason, and what was expected and received. */
const refusal = ({ refused }: CallView): Html | '' => {
  if (!refused) return ''
  const { layer, reason, ...more } = refused
  return html`
<div class="refusal" data-testid="call-refused" data-layer="${layer}"><p><b>Refused by the layer ${layer}</b> ${reason}</p>
${Object.entries(more).map(([name, value]) => html`<details${value.includes('\n') ? '' : html` open`}><summary>${name}</summary><pre>${value}</pre></details>`)}</div>`
}

const timelineLink = (call: CallView, whose: string | undefined): Html | '' => {
  const { request, response, document } = call
  const named = /"transactionId"\s*:\s*"([0-9a-f-]{36})"/
  const id =
    /^\/payments\/([0-9a-f-]{36})\//.exec(request.target)?.[1] ??
    named.exec(document?.request ?? request.body)?.[1] ??
    named.exec(document?.response ?? response.body)?.[1]
  if (whose === undefined || id === undefined || listsPayments(call)) return ''
  return html`<a class="button quiet" href="${portalPaths.payment(whose, id)}" data-testid="call-timeline">Timeline of the payment</a>`
}

/** Returns the HTML of the scenario that responded, and of each considered mock's first difference (2.7, E2). */
const answeredBy = ({ script }: CallView): Html | '' => {
  if (!script) return ''
  const { scenario, by = '', type = '', ordinaryAmount, mocks = [] } = script
  const answered =
    scenario === undefined
      ? type === ''
        ? 'the provider itself'
        : type
      : `scenario ${scenario}, chosen by ${by} (${type})`
  return html`
<div class="answered" data-testid="call-script"><h2>Who answered</h2><p>${answered}</p>
${ordinaryAmount === undefined ? '' : html`<p>${ordinaryAmount}</p>`}
${mocks.length === 0 ? '' : html`<ul>${mocks.map(mock => html`<li class="${'matched' in mock ? 'matched' : ''}">${mockNote(mock)}</li>`)}</ul>`}</div>`
}

const mockNote = (mock: MockNoteView): string => {
  const named = `Mock ${mock.key.type} ${mock.key.value}${mock.scenario === undefined ? '' : ` → ${mock.scenario}`}`
  if ('matched' in mock) return `${named}: matched`
  const { differed, expected, got } = mock
  return `${named}: differs in ${differed}: expected ${expected}, got ${got}`
}

type Said = { headers: Readonly<Record<string, string>>; body: string }

const side = (title: string, line: string, { headers, body }: Said, testId: string): Html => html`
<section data-testid="${testId}"><h2>${title}</h2><p class="first">${line}</p>
<details><summary>Headers (${Object.keys(headers).length})</summary><dl class="heads">${Object.entries(headers).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></details>
${body === '' ? html`<p class="quiet-line">no body</p>` : html`<pre tabindex="0" aria-label="${title}">${prettyJson(body)}</pre>`}</section>`

import { html } from 'hono/html'
import { icon } from '../icons.ts'
import type { Html } from '../layout.ts'
import type { Say } from '../texts.ts'
import { curlAsSent, curlSignedAnew } from './journal-curl.ts'
import type { CallView, MockNoteView, Whose } from './live-port.ts'
import { portalPaths } from './paths.ts'

/** One call in full: what came, what went, who refused and why, who answered; and the ways on from here. */
export const callDetails = (say: Say, call: CallView, whose: Whose): Html => html`
<article class="call" id="call" data-testid="journal-details" aria-label="${call.request.method} ${call.request.target}">
${refusal(say, call)}
<p class="ways">
<button class="button quiet" type="button" hidden data-copy="${curlSignedAnew(call, whose ?? 'demo-merchant')}" data-done="${say('copied')}" data-testid="call-copy-anew">${icon('copy')} <span aria-live="polite">${say('callAnew')}</span></button>
<button class="button quiet" type="button" hidden data-copy="${curlAsSent(call)}" data-done="${say('copied')}" data-testid="call-copy-sent">${icon('copy')} <span aria-live="polite">${say('callAsSent')}</span></button>
${call.refused?.layer === 'signature' && whose !== undefined ? html`<a class="button quiet" href="${portalPaths.lab(whose)}?call=${call.callId}" data-testid="call-lab">${say('callLab')}</a>` : ''}
${timelineLink(say, call, whose)}
</p>
<dl class="told">
${fact(say('callRealTime'), call.at)}${fact(say('callClock'), call.clock ?? '')}${fact(say('callDuration'), `${call.durationMilliseconds} ms`)}${fact(say('callId'), call.callId)}
${call.signature ? fact(say('callSigned'), `${call.signature.keyId}, ${call.signature.reading}, ${call.signature.encoding}`) : ''}
${call.replayed ? fact(say('callReplayed'), 'Idempotency-Replayed: true') : ''}
${call.spoiled ? fact(say('callSpoiled'), call.spoiled) : ''}
${call.varied?.length ? fact(say('callVaried'), call.varied.join(', ')) : ''}
</dl>
${answeredBy(say, call)}
<div class="sides">
${side(say, say('callRequest'), `${call.request.method} ${call.request.target}`, call.request, 'call-request')}
${side(say, say('callAnswer'), `HTTP ${call.answer.status}`, call.answer, 'call-answer')}
</div>
</article>`

const fact = (name: string, value: string): Html | '' =>
  value === '' ? '' : html`<div><dt>${name}</dt><dd>${value}</dd></div>`

/** What was expected and what came, line by line: the journal's own words. */
const refusal = (say: Say, { refused }: CallView): Html | '' => {
  if (!refused) return ''
  const { layer, reason, ...more } = refused
  return html`
<div class="refusal" data-testid="call-refused" data-layer="${layer}"><p><b>${say('callRefused', { layer })}</b> <span lang="en">${reason}</span></p>
${Object.entries(more).map(([name, value]) => html`<details${value.includes('\n') ? '' : html` open`}><summary>${name}</summary><pre>${value}</pre></details>`)}</div>`
}

const timelineLink = (say: Say, { request, answer }: CallView, whose: Whose): Html | '' => {
  const told = /"transactionId"\s*:\s*"([0-9a-f-]{36})"/
  const id =
    /^\/payments\/([0-9a-f-]{36})\//.exec(request.target)?.[1] ??
    told.exec(request.body)?.[1] ??
    told.exec(answer.body)?.[1]
  if (whose === undefined || id === undefined) return ''
  return html`<a class="button quiet" href="${portalPaths.payment(whose, id)}" data-testid="call-timeline">${say('callTimeline')}</a>`
}

/** The scenario that answered, and each mock that was looked at with the first thing in which it differed (2.7, E2). */
const answeredBy = (say: Say, { script }: CallView): Html | '' => {
  if (!script) return ''
  const { scenario, by = '', type = '', mocks = [] } = script
  const answered =
    scenario === undefined
      ? type === ''
        ? say('callProvider')
        : type
      : say('callScenario', { name: scenario, by, type })
  return html`
<div class="answered" data-testid="call-script"><h2>${say('callMocks')}</h2><p>${answered}</p>
${mocks.length === 0 ? '' : html`<ul>${mocks.map(mock => html`<li class="${'matched' in mock ? 'matched' : ''}">${mockNote(say, mock)}</li>`)}</ul>`}</div>`
}

const mockNote = (say: Say, mock: MockNoteView): string => {
  const named = `${say('callMock')} ${mock.key.type} ${mock.key.value}${mock.scenario === undefined ? '' : ` → ${mock.scenario}`}`
  if ('matched' in mock) return `${named}: ${say('callMatched')}`
  const { differed, expected, got } = mock
  return `${named}: ${say('callDiffered', { differed, expected, got })}`
}

type Said = { headers: Readonly<Record<string, string>>; body: string }

const side = (say: Say, title: string, line: string, { headers, body }: Said, testId: string): Html => html`
<section data-testid="${testId}"><h2>${title}</h2><p class="first">${line}</p>
<details><summary>${say('callHeaders')} (${Object.keys(headers).length})</summary><dl class="heads">${Object.entries(headers).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></details>
${body === '' ? html`<p class="quiet-line">${say('callNoBody')}</p>` : html`<pre tabindex="0" aria-label="${title}">${pretty(body)}</pre>`}</section>`

/** JSON with a line for each member; anything else as it came. */
const pretty = (body: string): string => {
  if (!/^[[{]/.test(body)) return body
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

import { html } from 'hono/html'
import { icon, type Shape } from '../../icons.ts'
import type { Html } from '../../layout.ts'
import type { Say } from '../../texts.ts'
import { copyButton } from '../identifier.ts'
import { portalPaths } from '../paths.ts'
import { baseTable } from './base-table.ts'
import type { FindingView, LabView, StepView } from './lab-port.ts'
import { causeIn, cureIn } from './sentences.ts'

/** What was found: the sentence first, then the bases, the steps and the right way. */
export const labResult = (say: Say, view: LabView, organizationId: string): Html => html`
<section class="found" id="found" data-testid="lab-result" data-verdict="${view.verdict}">
${verdict(say, view)}
<h2>${say('labBases')}</h2>
${baseTable(say, view.base)}
${signer(say, view, organizationId)}
<h2>${say('labLadder')}</h2>
<ol class="ladder" data-testid="lab-ladder">${view.ladder.map(step => rung(say, step))}</ol>
${tried(say, view)}
${view.verdict === 'verifies' ? '' : right(say, view)}
</section>`

const verdict = (say: Say, view: LabView): Html => {
  const [first, ...others] = view.faults
  const isGood = view.verdict === 'verifies'
  const signature = view.ladder.at(-1)?.findings ?? []
  const isTogether = first !== undefined && signature.some(({ cause }) => cause === first.cause)
  return html`
<div class="verdict ${isGood ? 'good' : 'bad'}" role="status" data-testid="lab-verdict" data-cause="${first?.cause ?? ''}">
<span class="badge">${icon(isGood ? 'check' : 'cross')}</span>
<div>
<h2>${first ? causeIn(say, first) : say(isGood ? 'labVerifies' : 'labNothing')}</h2>
<p>${first ? sentence(cureIn(say, first)) : isGood ? say('labVerifiesNote') : ''}</p>
${listOf(
  say(isTogether ? 'labTogether' : 'labAlso'),
  others.map(one => withCure(say, one)),
  'lab-also',
)}
${listOf(
  say('labAlternatives'),
  view.alternatives.map(one => withCure(say, one)),
  'lab-alternatives',
)}
${listOf(say('labNotes'), notesOf(say, view), 'lab-notes')}
</div></div>`
}

const listOf = (title: string, items: readonly (Html | string)[], testId: string): Html | '' =>
  items.length === 0
    ? ''
    : html`<h3>${title}</h3><ul data-testid="${testId}">${items.map(item => html`<li>${item}</li>`)}</ul>`

const withCure = (say: Say, found: FindingView): Html =>
  html`<span data-cause="${found.cause}">${causeIn(say, found)}: ${cureIn(say, found)}.</span>`

const notesOf = (say: Say, { notes, mended }: LabView): (Html | string)[] => [
  ...notes.map(note => withCure(say, note)),
  ...(mended === undefined ? [] : [say(mended === 'line-ends' ? 'labMendedEnds' : 'labMendedNewline')]),
]

/** A cure is the second half of a sentence; here it stands alone. */
const sentence = (half: string): string => `${half.charAt(0).toLocaleUpperCase()}${half.slice(1)}.`

const ICONS: Readonly<Record<StepView['state'], Shape>> = {
  ok: 'check',
  fault: 'cross',
  note: 'clock',
  unjudged: 'question',
}

const rung = (say: Say, { step, state, findings, evidence }: StepView): Html => html`
<li class="${state}" data-step="${step}" data-state="${state}"><span class="tick">${icon(ICONS[state])}<span class="unseen">${say(`labState_${state}`)}</span></span>
<b>${say(`labStep_${step}`)}</b><span>${findings.length > 0 ? findings.map(one => causeIn(say, one)).join('; ') : evidence ? html`<code>${evidence}</code>` : ''}</span></li>`

const signer = (say: Say, { key }: LabView, organizationId: string): Html | '' => {
  if (!key) return ''
  const isNew = key.use === 'unregistered'
  return html`
<p class="signer" data-testid="lab-signer" data-use="${key.use}">${say('labSigner')}: <b>${say(`labUse_${key.use}`, { name: key.name ?? '' })}</b> <span class="quiet">${key.algorithm}</span></p>
${isNew ? html`${figure(say, 'PEM', key.publicKey, 'lab-recovered')}<p><a href="${portalPaths.identities(organizationId)}">${say('labRegister')}</a></p>` : ''}`
}

const tried = (say: Say, { search, verdict }: LabView): Html | '' =>
  verdict === 'verifies' || search.verifications < 2
    ? ''
    : html`<p class="note">${say('labTried', { count: String(search.verifications) })} ${search.isExhausted ? '' : say('labEnded')}</p>`

const right = (say: Say, { correct }: LabView): Html => {
  const { keyId, base, openssl, headers, curl } = correct
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  return html`
<h2>${say('labRight')}</h2>
${headers ? html`<p class="note">${say('labRightNote', { keyid: keyId })}</p>` : ''}
<div class="right" data-testid="lab-right">
${figure(say, say('labRightBase'), base, 'lab-right-base')}
${lines.length > 0 ? figure(say, say('labRightHeaders'), lines.join('\n'), 'lab-right-headers') : ''}
${figure(say, say('labRightOpenssl'), openssl, 'lab-right-openssl')}
${curl ? figure(say, say('labRightCurl'), curl, 'lab-right-curl') : ''}
</div>`
}

const figure = (say: Say, title: string, text: string, testId: string): Html => html`
<figure class="pem"><figcaption>${title} ${copyButton(say, text)}</figcaption><pre tabindex="0" aria-label="${title}" data-testid="${testId}">${text}</pre></figure>`

import { html } from 'hono/html'
import { icon, type Shape } from '../../icons.ts'
import type { Html } from '../../layout.ts'
import { copyButton } from '../layout/identifier-with-copy-button.ts'
import { portalPaths } from '../portal-paths.ts'
import type { Diagnosis, Finding, VerificationStep } from './diagnosis-types.ts'
import { signatureBaseTable } from './signature-base-table.ts'

/**
 * Returns the section of a portal page on a diagnosis of the signature lab: verdict, both bases, verification steps, a
 * correct request.
 */
export const diagnosisSection = (view: Diagnosis, organizationId: string): Html => html`
<section class="found" id="found" data-testid="lab-result" data-verdict="${view.verdict}">
${verdict(view)}
<h2>The base, line by line</h2>
${signatureBaseTable(view.base)}
${signer(view, organizationId)}
<h2>Step by step</h2>
<ol class="verification-steps" data-testid="lab-steps">${view.verificationSteps.map(step => stepItem(step))}</ol>
${tried(view)}
${view.verdict === 'verifies' ? '' : correctRequest(view)}
</section>`

const verdict = (view: Diagnosis): Html => {
  const [first, ...others] = view.faults
  const isGood = view.verdict === 'verifies'
  const signature = view.verificationSteps.at(-1)?.findings ?? []
  const isTogether = first !== undefined && signature.some(({ cause }) => cause === first.cause)
  return html`
<div class="verdict ${isGood ? 'good' : 'bad'}" role="status" data-testid="lab-verdict" data-cause="${first?.cause ?? ''}">
<span class="badge">${icon(isGood ? 'check' : 'cross')}</span>
<div>
<h2>${first ? first.sentence : isGood ? view.summary : 'There is nothing to verify'}</h2>
<p>${first ? sentence(first.cure) : isGood ? 'Every step of clause 5.2 holds.' : ''}</p>
${listOf(
  isTogether ? 'And, at the same time' : 'Mend as well',
  others.map(one => withCure(one)),
  'lab-also',
)}
${listOf(
  'These would look exactly the same',
  view.alternatives.map(one => withCure(one)),
  'lab-alternatives',
)}
${listOf('To note', notesOf(view), 'lab-notes')}
</div></div>`
}

const listOf = (title: string, items: readonly (Html | string)[], testId: string): Html | '' =>
  items.length === 0
    ? ''
    : html`<h3>${title}</h3><ul data-testid="${testId}">${items.map(item => html`<li>${item}</li>`)}</ul>`

const withCure = (found: Finding): Html =>
  html`<span data-cause="${found.cause}">${found.sentence}: ${found.cure}.</span>`

const notesOf = ({ notes, mended }: Diagnosis): (Html | string)[] => [
  ...notes.map(note => withCure(note)),
  ...(mended === undefined
    ? []
    : [
        mended === 'line-ends'
          ? 'The line ends of the pasted body were put right to fit Content-Length.'
          : 'A line end after the pasted body was left out to fit Content-Length.',
      ]),
]

/** Turns the text of a cure, written as the second half of a sentence, into a sentence of its own. */
const sentence = (half: string): string => `${half.charAt(0).toLocaleUpperCase()}${half.slice(1)}.`

// biome-ignore format: a table reads by its columns
const STATES: Readonly<Record<VerificationStep['state'], { text: string; shape: Shape }>> = {
  ok:       { text: 'right',      shape: 'check' },
  fault:    { text: 'wrong',      shape: 'cross' },
  note:     { text: 'to note',    shape: 'clock' },
  unjudged: { text: 'not judged', shape: 'question' },
}

const STEPS: Readonly<Record<VerificationStep['step'], string>> = {
  headers: 'Headers are there',
  grammar: 'They can be read',
  label: 'Label',
  components: 'Components and order',
  parameters: 'Parameters',
  created: 'Time of signing',
  key: 'Key is known',
  algorithm: 'Algorithm and curve',
  encoding: 'Encoding',
  digest: 'Digest of the body',
  signature: 'The signature itself',
}

const stepItem = ({ step, state, findings, evidence }: VerificationStep): Html => html`
<li class="${state}" data-step="${step}" data-state="${state}"><span class="tick">${icon(STATES[state].shape)}<span class="unseen">${STATES[state].text}</span></span>
<b>${STEPS[step]}</b><span>${findings.length > 0 ? findings.map(one => one.sentence).join('; ') : evidence ? html`<code>${evidence}</code>` : ''}</span></li>`

const USES: Readonly<Record<NonNullable<Diagnosis['key']>['use'], (name: string) => string>> = {
  signing: name => `signing key ${name}`,
  certificate: () => 'the key of the client certificate',
  unregistered: () => 'a key that is not registered',
}

const signer = ({ key }: Diagnosis, organizationId: string): Html | '' => {
  if (!key) return ''
  const isNew = key.use === 'unregistered'
  return html`
<p class="signer" data-testid="lab-signer" data-use="${key.use}">Signed with: <b>${USES[key.use](key.name ?? '')}</b> <span class="quiet">${key.algorithm}</span></p>
${isNew ? html`${figure('PEM', 'the public key as PEM', key.publicKey, 'lab-recovered')}<p><a href="${portalPaths.identities(organizationId)}">Register this key</a></p>` : ''}`
}

const tried = ({ search, verdict }: Diagnosis): Html | '' =>
  verdict === 'verifies' || search.verifications < 2
    ? ''
    : html`<p class="note">${search.verifications} possibilities were tried. ${search.isExhausted ? '' : 'The search was ended before everything was tried.'}</p>`

const correctRequest = ({ correct }: Diagnosis): Html => {
  const { keyId, base, openssl, headers, curl } = correct
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  return html`
<h2>Done right</h2>
<p class="note">${headers ? `Made just now with the key ${keyId} of the kit; it verifies for a few minutes.` : 'Sign this base with your key: the lab has no key of the kit, which only those who act for the organization may use.'}</p>
<div class="correct-request" data-testid="lab-right">
${figure('The base to sign', 'the base to sign', base, 'lab-right-base')}
${lines.length > 0 ? figure('Headers to send', 'the headers to send', lines.join('\n'), 'lab-right-headers') : ''}
${figure('With openssl', 'the openssl command', openssl, 'lab-right-openssl')}
${curl ? figure('The whole call', 'the curl command', curl, 'lab-right-curl') : ''}
</div>`
}

const figure = (title: string, what: string, text: string, testId: string): Html => html`
<figure class="pem"><figcaption>${title} ${copyButton(what, text)}</figcaption><pre tabindex="0" aria-label="${title}" data-testid="${testId}">${text}</pre></figure>`

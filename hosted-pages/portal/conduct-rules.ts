import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import type { Say, TextKey } from '../texts.ts'
import type { ProofView, RuleView } from './conduct-port.ts'
import { breachIn, ruleIn } from './conduct-words.ts'
import { portalPaths } from './paths.ts'
import { table } from './table.ts'

// biome-ignore format: a table reads by its columns
const VERDICTS = {
  'fail':          { look: 'bad',  text: 'conductFail' },
  'not exercised': { look: 'idle', text: 'conductIdle' },
  'pass':          { look: 'good', text: 'conductPass' },
} as const satisfies Record<RuleView['verdict'], { look: string; text: TextKey }>

// biome-ignore format: a table reads by its columns
const PROOFS = {
  call:     { text: 'conductCall',     to: portalPaths.call },
  delivery: { text: 'conductDelivery', to: portalPaths.delivery },
  payment:  { text: 'conductPayment',  to: portalPaths.payment },
} as const satisfies Record<ProofView['kind'], { text: TextKey; to: (organizationId: string, id: string) => string }>

/** Rules with their verdicts; what breaks one leads to where it can be seen. */
export const rulesTable = (say: Say, organizationId: string, rules: readonly RuleView[], caption: string): Html =>
  table(
    caption,
    [say('conductRule'), say('conductWhy'), say('conductVerdict')],
    [...rules].sort(brokenFirst).map(rule => ({
      testId: 'conduct-rule',
      cells: [
        html`<span><b class="rule-id">${rule.id}</b> <span class="hint">${rule.clause}</span></span>`,
        html`<div class="rule">${sayRule(say, rule)}${breaches(say, organizationId, rule)}${kept(say, organizationId, rule)}</div>`,
        html`<span class="tag ${VERDICTS[rule.verdict].look}" data-verdict="${rule.verdict}">${say(VERDICTS[rule.verdict].text)}</span>`,
      ],
    })),
  )

/** What a rule says, and why. */
export const sayRule = (say: Say, rule: { id: string; title: string; why: string }): Html => {
  const { title, why } = ruleIn(say, rule)
  return html`${title}<br><span class="hint">${why}</span>`
}

const brokenFirst = (one: RuleView, other: RuleView): number =>
  Number(other.verdict === 'fail') - Number(one.verdict === 'fail')

const breaches = (say: Say, organizationId: string, { breaches }: RuleView): Html | '' =>
  breaches.length === 0
    ? ''
    : html`<ul class="breaches">${breaches.map(
        ({ said, proofs }) =>
          html`<li>${breach(say, said)} ${proofs.map(proof => proofLink(say, organizationId, proof))}</li>`,
      )}</ul>`

const breach = (say: Say, said: string): Html => {
  const sentence = breachIn(say, said)
  return sentence === undefined ? html`<span lang="en">${said}</span>` : html`${sentence}`
}

const kept = (say: Say, organizationId: string, { kept }: RuleView): Html | '' =>
  kept.length === 0
    ? ''
    : html`<p class="hint kept">${say('conductKept')} ${kept.map(proof => proofLink(say, organizationId, proof))}</p>`

const proofLink = (say: Say, organizationId: string, { kind, id, line }: ProofView): Html =>
  html`<a href="${PROOFS[kind].to(organizationId, id)}" data-testid="conduct-proof">${say(PROOFS[kind].text)} <code>${line ?? id.slice(0, 8)}</code></a> `

/** How many rules are kept, broken and not exercised. */
export const countsLine = (say: Say, rules: readonly RuleView[]): string => {
  const of = (wanted: RuleView['verdict']) => String(rules.filter(({ verdict }) => verdict === wanted).length)
  return say('conductCounts', { pass: of('pass'), fail: of('fail'), idle: of('not exercised') })
}

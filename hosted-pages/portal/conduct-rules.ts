import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import type { Say, TextKey } from '../texts.ts'
import type { ProofView, RuleView } from './conduct-port.ts'
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
        html`<span><b>${rule.id}</b> <span class="hint">${rule.clause}</span></span>`,
        html`<div class="rule"><div lang="en">${rule.title}<br><span class="hint">${rule.why}</span></div>${breaches(say, organizationId, rule)}</div>`,
        html`<span class="tag ${VERDICTS[rule.verdict].look}" data-verdict="${rule.verdict}">${say(VERDICTS[rule.verdict].text)}</span>`,
      ],
    })),
  )

const brokenFirst = (one: RuleView, other: RuleView): number =>
  Number(other.verdict === 'fail') - Number(one.verdict === 'fail')

const breaches = (say: Say, organizationId: string, { breaches }: RuleView): Html | '' =>
  breaches.length === 0
    ? ''
    : html`<ul class="breaches">${breaches.map(
        ({ said, proofs }) =>
          html`<li><span lang="en">${said}</span> ${proofs.map(proof => proofLink(say, organizationId, proof))}</li>`,
      )}</ul>`

const proofLink = (say: Say, organizationId: string, { kind, id }: ProofView): Html =>
  html`<a href="${PROOFS[kind].to(organizationId, id)}" data-testid="conduct-proof">${say(PROOFS[kind].text)} <code>${id.slice(0, 8)}</code></a> `

/** How many rules are kept, broken and not exercised. */
export const countsLine = (say: Say, rules: readonly RuleView[]): string => {
  const of = (wanted: RuleView['verdict']) => String(rules.filter(({ verdict }) => verdict === wanted).length)
  return say('conductCounts', { pass: of('pass'), fail: of('fail'), idle: of('not exercised') })
}

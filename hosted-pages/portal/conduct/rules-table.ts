import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { table } from '../layout/data-table.ts'
import { shortId } from '../layout/short-id.ts'
import { portalPaths } from '../portal-paths.ts'

/**
 * A rule of conduct with its verdict as the portal shows it, and with links to what proves that it was kept or broken.
 */
export type JudgedRule = {
  id: string
  clause: string
  title: string
  why: string
  verdict: 'pass' | 'fail' | 'not exercised'
  breaches: readonly { said: string; proofs: readonly Proof[] }[]
  /** Evidence of the first occasion on which the rule was kept. */
  kept: readonly Proof[]
}

/**
 * A call, delivery or payment that proves a verdict, as the portal links to it; `line` describes a call or delivery in
 * brief.
 */
export type Proof = { kind: 'call' | 'delivery' | 'payment'; id: string; line?: string }

// biome-ignore format: a table reads by its columns
const VERDICTS = {
  'fail':          { look: 'bad',  text: 'broken' },
  'not exercised': { look: 'idle', text: 'not exercised' },
  'pass':          { look: 'good', text: 'kept' },
} as const satisfies Record<JudgedRule['verdict'], { look: string; text: string }>

// biome-ignore format: a table reads by its columns
const PROOFS = {
  call:     { text: 'call',     to: portalPaths.call },
  delivery: { text: 'delivery', to: portalPaths.delivery },
  payment:  { text: 'payment',  to: portalPaths.payment },
} as const satisfies Record<Proof['kind'], { text: string; to: (organizationId: string, id: string) => string }>

/** Returns the HTML table of conduct rules with verdicts, broken ones first, with links to what proves each verdict. */
export const rulesTable = (organizationId: string, rules: readonly JudgedRule[], caption: string): Html =>
  table(
    caption,
    ['Rule', 'What it says, and why', 'Verdict'],
    [...rules].sort(brokenFirst).map(rule => ({
      testId: 'conduct-rule',
      cells: [
        html`<span><b class="rule-id">${rule.id}</b> <span class="hint">${rule.clause}</span></span>`,
        html`<div class="rule">${ruleText(rule)}${breaches(organizationId, rule)}${kept(organizationId, rule)}</div>`,
        html`<span class="tag ${VERDICTS[rule.verdict].look}" data-verdict="${rule.verdict}">${VERDICTS[rule.verdict].text}</span>`,
      ],
    })),
  )

/** Returns the HTML of a rule of conduct and its reason. */
export const ruleText = ({ title, why }: { title: string; why: string }): Html =>
  html`${title}<br><span class="hint">${why}</span>`

const brokenFirst = (one: JudgedRule, other: JudgedRule): number =>
  Number(other.verdict === 'fail') - Number(one.verdict === 'fail')

const breaches = (organizationId: string, { breaches }: JudgedRule): Html | '' =>
  breaches.length === 0
    ? ''
    : html`<ul class="breaches">${breaches.map(
        ({ said, proofs }) => html`<li>${said} ${proofs.map(proof => proofLink(organizationId, proof))}</li>`,
      )}</ul>`

const kept = (organizationId: string, { kept }: JudgedRule): Html | '' =>
  kept.length === 0 ? '' : html`<p class="hint kept">Seen: ${kept.map(proof => proofLink(organizationId, proof))}</p>`

const proofLink = (organizationId: string, { kind, id, line }: Proof): Html =>
  html`<a href="${PROOFS[kind].to(organizationId, id)}" data-testid="conduct-proof">${PROOFS[kind].text} <code>${line ?? shortId(id)}</code></a> `

/** Returns the line that counts the conduct rules kept, broken and not exercised. */
export const countsLine = (rules: readonly JudgedRule[]): string => {
  const of = (wanted: JudgedRule['verdict']) => String(rules.filter(({ verdict }) => verdict === wanted).length)
  return `${of('pass')} kept, ${of('fail')} broken, ${of('not exercised')} not exercised`
}

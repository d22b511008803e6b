import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import type { OrganizationView } from '../port.ts'
import type { ConductPort, DrillView, RuleView } from './conduct-port.ts'
import { countsLine, rulesTable, sayRule } from './conduct-rules.ts'
import { drillIn } from './conduct-words.ts'
import { portalPage } from './frame.ts'
import { outcomeLine } from './outcome-line.ts'
import { controlPaths, portalPaths } from './paths.ts'
import { table } from './table.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'

/** A drill that goes on, and in which of its runs it is. */
export type UnderWay = { drill: DrillView; since: string; run: number }
/** What the rules of a drill came to. */
export type Judged = { drill: DrillView; rules: readonly RuleView[] }

type Shown = {
  rules: readonly RuleView[]
  drills: readonly DrillView[]
  checkout: ReturnType<ConductPort['checkout']>
  underWay?: UnderWay
  judged?: Judged
}

/** How a merchant's integration is graded, and the drills that give it occasion. */
export const conductPage = (visit: Visit, organization: OrganizationView, shown: Shown): Html => {
  const { say } = visit
  const { organizationId } = organization
  const { rules, drills, checkout, underWay, judged } = shown
  const main = html`
<h1>${say('navConduct')}</h1>
<p class="lead">${say('conductLead')}</p>
${outcomeLine(visit)}
${underWay ? goingOn(visit, organizationId, underWay) : ''}
${judged ? outcome(visit, organizationId, judged) : ''}
<section aria-labelledby="rules"><h2 id="rules">${say('conductRules')}</h2>
<p class="note">${countsLine(say, rules)} · <a href="#drills">${say('drills')}</a></p>
${rulesTable(say, organizationId, rules, say('conductRules'))}
${twin(visit, { path: controlPaths.conduct(organizationId) })}</section>
<section aria-labelledby="drills"><h2 id="drills">${say('drills')}</h2>
<p class="note">${say('drillsLead')}</p>
<form method="post" action="${portalPaths.conduct(organizationId)}/begin" class="drills">${drillsTable(visit, drills)}</form>
${twin(visit, { path: '/control/drills' })}</section>
${underWay || judged ? '' : checkoutSection(visit, checkout)}`
  return portalPage(say, { title: say('navConduct'), section: 'conduct', organization, main })
}

const drillsTable = ({ say }: Visit, drills: readonly DrillView[]): Html =>
  table(
    say('drills'),
    [say('drillName'), say('drillStory'), say('drillJudges'), say('drillAct')],
    drills.map(drill => {
      const { name, rules } = drill
      const { title, ask } = drillIn(say, drill)
      return {
        testId: 'conduct-drill',
        cells: [
          html`<code>${name}</code>`,
          html`${title}<br><span class="hint">${ask}</span>`,
          html`${rules.join(', ')}`,
          html`<button class="button quiet" name="name" value="${name}" aria-label="${say('drillBegin')}: ${name}" data-testid="drill-begin">${say('drillBegin')}</button>`,
        ],
      }
    }),
  )

const checkoutSection = (visit: Visit, checkout: Shown['checkout']): Html => html`
<section aria-labelledby="checkout"><h2 id="checkout">${visit.say('checkoutRules')}</h2>
<p class="note">${visit.say('checkoutLead')}</p>
${checkoutTable(visit, checkout)}</section>`

const checkoutTable = ({ say }: Visit, checkout: Shown['checkout']): Html =>
  table(
    say('checkoutRules'),
    [say('conductRule'), say('conductWhy')],
    checkout.map(rule => ({
      testId: 'checkout-rule',
      cells: [html`<b>${rule.id}</b>`, html`<div>${sayRule(say, rule)}</div>`],
    })),
  )

const goingOn = (visit: Visit, organizationId: string, { drill, since, run }: UnderWay): Html => {
  const { say } = visit
  const { name, runs, handsKeys } = drill
  const { title, ask } = drillIn(say, drill)
  const told = html`<input type="hidden" name="name" value="${name}"><input type="hidden" name="since" value="${since}"><input type="hidden" name="run" value="${run}">`
  const act = (way: string) => html`<form method="post" action="${portalPaths.conduct(organizationId)}/${way}">${told}`
  return html`
<section class="panel" aria-labelledby="under-way" data-testid="drill-under-way"><h2 id="under-way">${say('drillUnderWay', { name })}</h2>
<p>${title} <b>${ask}</b></p>
${runs > 1 ? html`<p class="note">${say('drillRuns', { run: String(run), runs: String(runs) })}</p>` : ''}
${handsKeys && run > 1 ? html`<p>${say('drillNewKey')} <a href="${controlPaths.kit(organizationId)}" download="${organizationId}-kit.json" data-testid="drill-kit">${say('drillKit')}</a></p>` : ''}
<div class="buttons">${run < runs ? html`${act('between')}<button class="button" data-testid="drill-between">${say('drillBetween')}</button></form>` : ''}
${act('end')}<button class="button${run < runs ? ' quiet' : ''}" data-testid="drill-end">${say('drillEnd')}</button></form></div>
<p class="hint">${say('drillEndNote')}</p>
${twin(visit, { method: 'POST', path: controlPaths.drill(organizationId, name, 'end'), body: { since } })}</section>`
}

const outcome = ({ say }: Visit, organizationId: string, { drill, rules }: Judged): Html => html`
<section class="panel" aria-labelledby="judged" data-testid="drill-judged"><h2 id="judged">${say('drillJudged', { name: drill.name })}</h2>
${rulesTable(say, organizationId, rules, drill.name)}</section>`

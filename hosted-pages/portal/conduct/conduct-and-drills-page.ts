import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import type { OrganizationView } from '../../organization-with-clock.ts'
import { controlPaths } from '../control-api-paths.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { portalPage } from '../layout/portal-page.ts'
import { portalPaths } from '../portal-paths.ts'
import { countsLine, type JudgedRule, rulesTable, ruleText } from './rules-table.ts'

/**
 * A drill as the portal shows it: what goes wrong in it, what the shopper does, how many payments it takes, which rules
 * it judges.
 */
export type Drill = {
  name: string
  title: string
  ask: string
  runs: number
  rules: readonly string[]
  /** What happens between two runs; a move `rotate` puts new signing keys in the kit. */
  between: readonly object[]
}

/** A drill in progress as the portal shows it, with the number of its current run. */
export type UnderWay = { drill: Drill; since: string; run: number }
/** The verdicts that the portal shows on the rules of a drill that has ended. */
export type Judged = { drill: Drill; rules: readonly JudgedRule[] }

/** A rule for what a shop's checkout page must have, as the portal lists it. */
export type CheckoutRule = { id: string; title: string; why: string }

type Shown = {
  rules: readonly JudgedRule[]
  drills: readonly Drill[]
  checkout: readonly CheckoutRule[]
  underWay?: UnderWay
  judged?: Judged
}

/** Returns the portal page of the rules of conduct with verdicts on a merchant's integration, and of the drills. */
export const conductAndDrillsPage = (context: PageRequestData, organization: OrganizationView, shown: Shown): Html => {
  const { organizationId } = organization
  const { rules, drills, checkout, underWay, judged } = shown
  const main = html`
<h1>Conduct</h1>
<p class="lead">What your integration does, judged by the rules for merchants: every call that it made, and every webhook that it was sent.</p>
${formMessage(context)}
${underWay ? goingOn(context, organizationId, underWay) : ''}
${judged ? outcome(organizationId, judged) : ''}
<section aria-labelledby="rules"><h2 id="rules">Rules</h2>
<p class="note">${countsLine(rules)} · <a href="#drills">Drills</a></p>
${rulesTable(organizationId, rules, 'Rules')}
${equivalentCurl(context, { path: controlPaths.conduct(organizationId) })}</section>
<section aria-labelledby="drills"><h2 id="drills">Drills</h2>
<p class="note">Each makes one thing go wrong. Begin one, pay in your shop as it says, then end it. Faults that were armed before are disarmed.</p>
<form method="post" action="${portalPaths.conduct(organizationId)}/begin" class="drills">${drillsTable(drills)}</form>
${equivalentCurl(context, { path: '/control/drills' })}</section>
${underWay || judged ? '' : checkoutSection(checkout)}`
  return portalPage({ title: 'Conduct', section: 'conduct', organization, main })
}

const drillsTable = (drills: readonly Drill[]): Html =>
  table(
    'Drills',
    ['Drill', 'What happens', 'Judges', 'Go'],
    drills.map(drill => {
      const { name, title, ask, rules } = drill
      return {
        testId: 'conduct-drill',
        cells: [
          html`<code>${name}</code>`,
          html`${title}<br><span class="hint">${ask}</span>`,
          html`${rules.join(', ')}`,
          html`<button class="button quiet" name="name" value="${name}" aria-label="Begin: ${name}" data-testid="drill-begin">Begin</button>`,
        ],
      }
    }),
  )

const checkoutSection = (checkout: readonly CheckoutRule[]): Html => html`
<section aria-labelledby="checkout"><h2 id="checkout">Your checkout page</h2>
<p class="note">What no call shows is judged in a browser: lintCheckout in your Playwright tests looks for this.</p>
${checkoutTable(checkout)}</section>`

const checkoutTable = (checkout: readonly CheckoutRule[]): Html =>
  table(
    'Your checkout page',
    ['Rule', 'What it says, and why'],
    checkout.map(rule => ({
      testId: 'checkout-rule',
      cells: [html`<b>${rule.id}</b>`, html`<div>${ruleText(rule)}</div>`],
    })),
  )

const goingOn = (context: PageRequestData, organizationId: string, { drill, since, run }: UnderWay): Html => {
  const { name, title, ask, runs, between } = drill
  const handsKeys = between.some(move => 'rotate' in move)
  const state = html`<input type="hidden" name="name" value="${name}"><input type="hidden" name="since" value="${since}"><input type="hidden" name="run" value="${run}">`
  const form = (way: string) =>
    html`<form method="post" action="${portalPaths.conduct(organizationId)}/${way}">${state}`
  return html`
<section class="panel" aria-labelledby="under-way" data-testid="drill-under-way"><h2 id="under-way">Under way: ${name}</h2>
<p>${title} <b>${ask}</b></p>
${runs > 1 ? html`<p class="note">Run ${run} of ${runs}: pay once in each.</p>` : ''}
${handsKeys && run > 1 ? html`<p>New signing keys are in the kit: <a href="${controlPaths.kit(organizationId)}" download="${organizationId}-kit.json" data-testid="drill-kit">download it</a></p>` : ''}
<div class="buttons">${run < runs ? html`${form('between')}<button class="button" data-testid="drill-between">On to the next run</button></form>` : ''}
${form('end')}<button class="button${run < runs ? ' quiet' : ''}" data-testid="drill-end">End and judge</button></form></div>
<p class="hint">Ending moves the clock forward, so that what is on its way arrives; a shop that still owes something is given ten seconds.</p>
${equivalentCurl(context, { method: 'POST', path: controlPaths.drill(organizationId, name, 'end'), body: { since } })}</section>`
}

const outcome = (organizationId: string, { drill, rules }: Judged): Html => html`
<section class="panel" aria-labelledby="judged" data-testid="drill-judged"><h2 id="judged">${drill.name}: what came of it</h2>
${rulesTable(organizationId, rules, drill.name)}</section>`

import { html } from 'hono/html'
import { amount, facts } from '../facts.ts'
import { type Html, layout } from '../layout.ts'
import { type Outcome, outcome } from '../outcome.ts'
import type { ShopperView } from '../port.ts'
import type { Say } from '../texts.ts'

type Ended = Exclude<ShopperView['outcome'], 'waiting'>

// biome-ignore format: a table reads by its columns
const ENDS = {
  approved: { name: 'approved', shape: 'check', title: 'irisApprovedTitle', lead: 'irisApprovedLead' },
  declined: { name: 'declined', shape: 'cross', title: 'irisDeclinedTitle', lead: 'irisDeclinedLead' },
  expired:  { name: 'expired',  shape: 'clock', title: 'irisExpiredTitle',  lead: 'irisExpiredLead' },
} as const satisfies Record<Ended, Outcome>

/** A payment request that is over says so and shows the way back to the shop. */
export function endPage(say: Say, payment: ShopperView, ended: Ended): Html {
  const end = ENDS[ended]
  const main = html`
<main class="sheet narrow message">
${outcome(say, 'iris-outcome', end)}
${amount(say, 'iris-amount', payment)}
${facts('iris', say('payee'), say('description'), payment)}
${payment.returnUrl && html`<a class="button" href="${payment.returnUrl}" data-testid="iris-return">${say('returnToShop')}</a>`}
</main>`
  return layout(say, { title: say(end.title), look: 'hosted', main })
}

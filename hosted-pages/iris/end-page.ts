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

/** What the bank declined, not the shopper. */
const BY_BANK: Outcome = { ...ENDS.declined, title: 'irisByBankTitle', lead: 'irisByBankLead' }
const WITHOUT_MONEY: Outcome = { ...BY_BANK, lead: 'irisWithoutMoneyLead' }

/** A payment request that is over says so and shows the way back to the shop. */
export const endPage = (say: Say, payment: ShopperView, ended: Ended): Html =>
  ending(say, payment, endOf(payment, ended), returnLink(say, payment))

const endOf = ({ cause }: ShopperView, ended: Ended): Outcome => {
  if (ended !== 'declined' || cause === undefined) return ENDS[ended]
  return cause === 'INSUFFICIENT_FUNDS' ? WITHOUT_MONEY : BY_BANK
}

/** The shopper was seen to confirm and to leave: no way leads back from here (1, "paid but never came back"). */
export const leftPage = (say: Say, payment: ShopperView): Html =>
  ending(say, payment, { name: 'left', shape: 'check', title: 'leftTitle', lead: 'leftLead' }, '')

const ending = (say: Say, payment: ShopperView, end: Outcome, after: Html | ''): Html => {
  const main = html`
<main class="sheet narrow message">
${outcome(say, 'iris-outcome', end)}
${amount(say, 'iris-amount', payment)}
${facts('iris', say('payee'), say('description'), payment)}
${after}
</main>`
  return layout(say, { title: say(end.title), look: 'hosted', main })
}

/** The way back to the shop, to the address that it gave (2.1, E4). */
export const returnLink = (say: Say, { returnUrl }: ShopperView, dress = ''): Html | '' =>
  returnUrl === undefined
    ? ''
    : html`<a class="button ${dress}" href="${returnUrl}" data-testid="iris-return">${say('returnToShop')}</a>`

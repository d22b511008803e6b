import { html } from 'hono/html'
import { type Html, layout } from '../layout.ts'
import { amount, facts, type Outcome, outcome } from '../payment-summary.ts'
import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say } from '../text-lookup-by-language.ts'

type Ended = Exclude<ShopperPayment['outcome'], 'waiting'>

// biome-ignore format: a table reads by its columns
const ENDS = {
  approved: { name: 'approved', shape: 'check', title: 'irisApprovedTitle', lead: 'irisApprovedLead' },
  declined: { name: 'declined', shape: 'cross', title: 'irisDeclinedTitle', lead: 'irisDeclinedLead' },
  expired:  { name: 'expired',  shape: 'clock', title: 'irisExpiredTitle',  lead: 'irisExpiredLead' },
  canceled: { name: 'canceled', shape: 'cross', title: 'irisCanceledTitle', lead: 'irisDeclinedLead' },
} as const satisfies Record<Ended, Outcome>

/** The outcome of a payment that the bank declined. */
const BY_BANK: Outcome = { ...ENDS.declined, title: 'irisByBankTitle', lead: 'irisByBankLead' }
const WITHOUT_MONEY: Outcome = { ...BY_BANK, lead: 'irisWithoutMoneyLead' }

/** Returns the IRIS page of a payment that has ended, with the link back to the shop. */
export const endPage = (say: Say, payment: ShopperPayment, ended: Ended): Html =>
  ending(say, payment, endOf(payment, ended), returnLink(say, payment))

const endOf = ({ cause }: ShopperPayment, ended: Ended): Outcome => {
  if (ended !== 'declined' || cause === undefined) return ENDS[ended]
  return cause === 'INSUFFICIENT_FUNDS' ? WITHOUT_MONEY : BY_BANK
}

/**
 * Returns the IRIS page of a shopper who confirmed and left, without a link to the shop (1, "paid but never came
 * back").
 */
export const leftPage = (say: Say, payment: ShopperPayment): Html =>
  ending(say, payment, { name: 'left', shape: 'check', title: 'leftTitle', lead: 'leftLead' }, '')

const ending = (say: Say, payment: ShopperPayment, end: Outcome, after: Html | ''): Html => {
  const main = html`
<main class="sheet narrow message">
${outcome(say, 'iris-outcome', end)}
${amount(say, 'iris-amount', payment)}
${facts('iris', say('payee'), say('description'), payment)}
${after}
</main>`
  return layout(say, { title: say(end.title), look: 'hosted', main })
}

/** Returns the link from the IRIS pages back to the shop's returnUrl (2.1, E4). */
export const returnLink = (say: Say, { returnUrl }: ShopperPayment, dress = ''): Html | '' =>
  returnUrl === undefined
    ? ''
    : html`<a class="button ${dress}" href="${returnUrl}" data-testid="iris-return">${say('returnToShop')}</a>`

import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { amount, facts, type Outcome, outcome } from '../payment-summary.ts'
import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say } from '../texts.ts'
import { closeLink, newCodeForm } from './bank-app-frame.ts'
import type { Phone } from './phone-and-code-types.ts'
import type { Stage } from './stage-of-code.ts'

// biome-ignore format: a table reads by its columns
const ENDS = {
  'code-expired': { name: 'code-expired', shape: 'clock', title: 'codeExpiredTitle', lead: 'codeExpiredLead' },
  approved:       { name: 'approved',     shape: 'check', title: 'approvedTitle',    lead: 'approvedLead' },
  declined:       { name: 'declined',     shape: 'cross', title: 'declinedTitle',    lead: 'declinedLead' },
  expired:        { name: 'expired',      shape: 'clock', title: 'lapsedTitle',      lead: 'lapsedLead' },
  canceled:       { name: 'canceled',     shape: 'cross', title: 'canceledTitle',    lead: 'declinedLead' },
} as const satisfies Record<Exclude<Stage, 'code' | 'waiting' | 'confirming'>, Outcome>

/** Outcomes of a payment whose shop asks to be saved for later payments. */
// biome-ignore format: a table reads by its columns
const KEPT = {
  only:    { name: 'approved', shape: 'check', title: 'keptTitle',     lead: 'keptLead' },
  too:     { name: 'approved', shape: 'check', title: 'approvedTitle', lead: 'keptLead' },
  refused: { name: 'approved', shape: 'check', title: 'approvedTitle', lead: 'notKeptLead' },
} as const satisfies Record<string, Outcome>

/** Outcomes of a payment that the bank declined. */
// biome-ignore format: a table reads by its columns
const BY_BANK: Readonly<Record<string, Outcome>> = {
  INSUFFICIENT_FUNDS:    { name: 'declined', shape: 'cross', title: 'bankDeclinedTitle', lead: 'insufficientFundsLead' },
  AMOUNT_LIMIT_EXCEEDED: { name: 'declined', shape: 'cross', title: 'bankDeclinedTitle', lead: 'limitExceededLead' },
  other:                 { name: 'declined', shape: 'cross', title: 'bankDeclinedTitle', lead: 'bankDeclinedLead' },
}

/**
 * Returns icon, title and lead of the end screen in the BLIK bank app for the stage at which a code or its payment
 * ended.
 */
export const endOf = (stage: keyof typeof ENDS, payment: ShopperPayment | undefined): Outcome => {
  if (stage === 'declined' && payment?.cause) return BY_BANK[payment.cause] ?? (BY_BANK.other as Outcome)
  if (stage !== 'approved' || !payment || payment.transactionType === 'ONE_TIME') return ENDS[stage]
  if (payment.transactionType === 'TOKEN_ONLY') return KEPT.only
  return payment.keeps === false ? KEPT.refused : KEPT.too
}

/** Returns the last screen of the BLIK bank app: the outcome, and a form for another code. */
export const endScreen = (say: Say, phone: Phone, payment: ShopperPayment | undefined, end: Outcome): Html => html`
<div class="message">
${outcome(say, 'blik-outcome', end)}
${payment ? html`${amount(say, 'blik-amount', payment)}${facts('blik', say('shop'), say('description'), payment)}` : ''}
</div>
<div class="actions">
${newCodeForm(phone, say('anotherCode'))}
${closeLink(say, phone)}
</div>`

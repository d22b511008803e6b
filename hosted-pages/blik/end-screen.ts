import { html } from 'hono/html'
import { amount, facts } from '../facts.ts'
import type { Html } from '../layout.ts'
import { type Outcome, outcome } from '../outcome.ts'
import type { PhoneView, ShopperView } from '../port.ts'
import type { Say } from '../texts.ts'
import { close, newCode } from './phone-page.ts'
import type { Stage } from './stage.ts'

// biome-ignore format: a table reads by its columns
const ENDS = {
  'code-expired': { name: 'code-expired', shape: 'clock', title: 'codeExpiredTitle', lead: 'codeExpiredLead' },
  approved:       { name: 'approved',     shape: 'check', title: 'approvedTitle',    lead: 'approvedLead' },
  declined:       { name: 'declined',     shape: 'cross', title: 'declinedTitle',    lead: 'declinedLead' },
  expired:        { name: 'expired',      shape: 'clock', title: 'lapsedTitle',      lead: 'lapsedLead' },
} as const satisfies Record<Exclude<Stage, 'code' | 'waiting' | 'confirming'>, Outcome>

/** Ends of a payment that keeps the shop, or was asked to. */
// biome-ignore format: a table reads by its columns
const KEPT = {
  only:    { name: 'approved', shape: 'check', title: 'keptTitle',     lead: 'keptLead' },
  too:     { name: 'approved', shape: 'check', title: 'approvedTitle', lead: 'keptLead' },
  refused: { name: 'approved', shape: 'check', title: 'approvedTitle', lead: 'notKeptLead' },
} as const satisfies Record<string, Outcome>

/** Ends by the bank's own no. */
// biome-ignore format: a table reads by its columns
const BY_BANK: Readonly<Record<string, Outcome>> = {
  INSUFFICIENT_FUNDS:    { name: 'declined', shape: 'cross', title: 'bankDeclinedTitle', lead: 'insufficientFundsLead' },
  AMOUNT_LIMIT_EXCEEDED: { name: 'declined', shape: 'cross', title: 'bankDeclinedTitle', lead: 'limitExceededLead' },
  other:                 { name: 'declined', shape: 'cross', title: 'bankDeclinedTitle', lead: 'bankDeclinedLead' },
}

/** How it ended, in the words that fit the payment. */
export const endOf = (stage: keyof typeof ENDS, payment: ShopperView | undefined): Outcome => {
  if (stage === 'declined' && payment?.cause) return BY_BANK[payment.cause] ?? (BY_BANK.other as Outcome)
  if (stage !== 'approved' || !payment || payment.transactionType === 'ONE_TIME') return ENDS[stage]
  if (payment.transactionType === 'TOKEN_ONLY') return KEPT.only
  return payment.keeps === false ? KEPT.refused : KEPT.too
}

export const endScreen = (say: Say, phone: PhoneView, payment: ShopperView | undefined, end: Outcome): Html => html`
<div class="message">
${outcome(say, 'blik-outcome', end)}
${payment ? html`${amount(say, 'blik-amount', payment)}${facts('blik', say('shop'), say('description'), payment)}` : ''}
</div>
<div class="actions">
${newCode(phone, say('anotherCode'))}
${close(say, phone)}
</div>`

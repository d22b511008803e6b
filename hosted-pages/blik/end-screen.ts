import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { amount, facts, type Outcome, outcome } from '../payment-summary.ts'
import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say, TextKey } from '../text-lookup-by-language.ts'
import { closeLink, newCodeForm } from './bank-app-frame.ts'
import type { Stage, stageOf } from './code-stage-and-screen-paths.ts'
import type { KeptShop, Phone } from './phone-and-code-types.ts'

// biome-ignore format: a table reads by its columns
const ENDS = {
  'code-expired': { name: 'code-expired', shape: 'clock', title: 'codeExpiredTitle', lead: 'codeExpiredLead' },
  approved:       { name: 'approved',     shape: 'check', title: 'approvedTitle',    lead: 'approvedLead' },
  declined:       { name: 'declined',     shape: 'cross', title: 'declinedTitle',    lead: 'declinedLead' },
  expired:        { name: 'expired',      shape: 'clock', title: 'lapsedTitle',      lead: 'lapsedLead' },
  canceled:       { name: 'canceled',     shape: 'cross', title: 'canceledTitle',    lead: 'declinedLead' },
} as const satisfies Record<Exclude<Stage, 'code' | 'waiting' | 'confirming'>, Outcome>

/** What an approved payment says of the consent to keep the shop: how that consent stands now, or that there is none yet. */
// biome-ignore format: a table reads by its columns
const KEPT_LEADS = {
  valid:   'keptLead',
  revoked: 'keptRevokedLead',
  expired: 'keptExpiredLead',
  coming:  'keptSoonLead',
  refused: 'notKeptLead',
} as const satisfies Record<string, TextKey>

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
export const endOf = (
  stage: keyof typeof ENDS,
  payment: ShopperPayment | undefined,
  shops: readonly KeptShop[],
): Outcome => {
  if (stage === 'declined' && payment?.cause) return BY_BANK[payment.cause] ?? (BY_BANK.other as Outcome)
  if (stage !== 'approved' || !payment || payment.transactionType === 'ONE_TIME') return ENDS[stage]
  const standing = consentOf(payment, shops)
  const isPaid = payment.transactionType === 'RECURRING'
  const title = isPaid ? 'approvedTitle' : standing === 'valid' ? 'keptTitle' : 'consentTitle'
  return { ...ENDS.approved, title, lead: KEPT_LEADS[standing] }
}

/** Standings of a consent that may still change while its page is open. */
const OPEN_STANDINGS: readonly string[] = ['coming', 'valid'] satisfies (keyof typeof KEPT_LEADS)[]

/**
 * Returns the stage of a code as its page has it and its stream tells it: after an approval that keeps the shop also
 * how that consent stands; `isLast` where nothing more can change.
 */
export const shownStageOf = (
  { stage, payment }: ReturnType<typeof stageOf>,
  shops: readonly KeptShop[],
): { stage: string; isLast: boolean } => {
  if (stage !== 'approved' || !payment || payment.transactionType === 'ONE_TIME')
    return { stage, isLast: stage in ENDS }
  const standing = consentOf(payment, shops)
  return { stage: `${stage}.${standing}`, isLast: !OPEN_STANDINGS.includes(standing) }
}

/** How the consent to keep the shop stands; it begins when the shop finalizes the payment (D-62). */
const consentOf = (
  { keeps, paymentToken, released }: ShopperPayment,
  shops: readonly KeptShop[],
): keyof typeof KEPT_LEADS => {
  if (keeps === false) return 'refused'
  const own = shops.find(shop => shop.paymentToken === paymentToken)
  if (own) return own.standing
  if (paymentToken !== undefined) return 'expired'
  return released ? 'refused' : 'coming'
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

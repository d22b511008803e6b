import { html } from 'hono/html'
import { countdown } from '../countdown.ts'
import type { Html } from '../layout.ts'
import { money, shortDate } from '../money-and-date-format.ts'
import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say, TextKey } from '../text-lookup-by-language.ts'
import { codePath } from './code-stage-and-screen-paths.ts'
import type { Phone, PhonePayment } from './phone-and-code-types.ts'

const DECISION_SECONDS = 45

/**
 * Returns the HTML list, on a BLIK phone, of the payments that wait for the shopper's decision; the newest shows its
 * countdown.
 */
export const waitingPayments = (say: Say, phone: Phone, waiting: readonly PhonePayment[]): Html => html`
<section class="waiting" aria-labelledby="waiting">
<h1 id="waiting" tabindex="-1">${say('waitsForYou')}</h1>
<ul>${waiting.map((one, at) => waitingItem(say, phone, one, at === 0))}</ul>
</section>`

const waitingItem = (say: Say, phone: Phone, { codeId = '', payment }: PhonePayment, isTimed: boolean): Html => html`
<li><p class="amount">${sumOf(say, payment)}</p>
<p><b>${payment.payee}</b> <span class="quiet-line">${payment.description}</span></p>
${isTimed ? countdown({ testId: 'blik-countdown', label: say('askLeft'), ...payment, wholeInSeconds: DECISION_SECONDS }) : ''}
<a class="button" href="${codePath({ ...phone, codeId })}" data-testid="blik-waiting">${say(payment.confirming ? 'lookAtPayment' : 'decideNow')}</a></li>`

/** Returns the HTML list of the last payments of a BLIK phone, newest first; empty where there are none. */
export const lastPayments = (say: Say, phone: Phone, payments: readonly PhonePayment[]): Html | '' =>
  payments.length === 0
    ? ''
    : html`
<section class="kept" aria-labelledby="payments">
<h2 id="payments">${say('lastPayments')}</h2>
<ul>${payments.map(one => lastPayment(say, phone, one))}</ul>
</section>`

const lastPayment = (say: Say, phone: Phone, { codeId, payment }: PhonePayment): Html => {
  const { payee, outcome, createdAt = payment.now, refunded = 0 } = payment
  const [what, look] = refunded > 0 ? (['paymentRefunded', 'refunded'] as const) : OUTCOMES[outcome]
  const name =
    codeId === undefined ? html`<b>${payee}</b>` : html`<a href="${codePath({ ...phone, codeId })}">${payee}</a>`
  return html`
<li class="past" data-testid="blik-payment" data-outcome="${look}"><span>${name}<small>${shortDate(createdAt, say.language)} · ${say(codeId === undefined && look === 'approved' ? 'paymentCharged' : what)}</small></span>
<b class="sum">${sumOf(say, payment)}</b></li>`
}

// biome-ignore format: a table reads by its columns
const OUTCOMES: Readonly<Record<ShopperPayment['outcome'], readonly [text: TextKey, look: string]>> = {
  waiting:  ['waitsForYou',      'waiting'],
  approved: ['paymentApproved',  'approved'],
  declined: ['paymentDeclined',  'declined'],
  expired:  ['paymentLapsed',    'expired'],
  canceled: ['paymentCanceled',  'canceled'],
}

/** Formats the amount of a payment on a BLIK phone, or that nothing is paid. */
export const sumOf = (say: Say, { transactionType, amount, currency }: ShopperPayment): string =>
  transactionType === 'TOKEN_ONLY' ? say('paysNothing') : money(amount, currency, say.language)

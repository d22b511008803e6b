import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { shortDate } from '../money-and-date-format.ts'
import { sumOf } from '../payment-summary.ts'
import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say, TextKey } from '../text-lookup-by-language.ts'
import { codePath } from './code-stage-and-screen-paths.ts'
import type { Phone, PhonePayment } from './phone-and-code-types.ts'
import { timeToDecide } from './time-to-decide-countdown.ts'

/** Texts of what a payment waits for, in the order of their lists: the shopper's approval, then the bank. */
const WAITS_FOR = ['toApprove', 'confirmingTitle'] as const satisfies readonly TextKey[]

/** Returns the key of the text that says what a waiting payment on a BLIK phone waits for. */
export const waitsFor = ({ confirming = false }: ShopperPayment) => WAITS_FOR[confirming ? 1 : 0]

/**
 * Returns the HTML lists, on a BLIK phone, of the payments that wait for the shopper and of those that wait for the
 * bank; the newest of all shows its countdown.
 */
export const waitingPayments = (say: Say, phone: Phone, waiting: readonly PhonePayment[]): Html =>
  html`${WAITS_FOR.map(title => {
    const payments = waiting.filter(({ payment }) => waitsFor(payment) === title)
    return payments.length === 0
      ? ''
      : html`
<section class="waiting" aria-labelledby="${title}">
<h1 id="${title}" tabindex="-1">${say(title)}</h1>
<ul>${payments.map(one => waitingItem(say, phone, one, one === waiting[0]))}</ul>
</section>`
  })}`

const waitingItem = (say: Say, phone: Phone, { codeId = '', payment }: PhonePayment, isTimed: boolean): Html => html`
<li><p class="amount">${sumOf(say, payment)}</p>
<p><b>${payment.payee}</b> <span class="quiet-line">${payment.description}</span></p>
${isTimed ? timeToDecide(say, payment) : ''}
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
  const { payee, createdAt = payment.now, refunded = 0 } = payment
  const [what, look] =
    refunded === 0
      ? OUTCOMES[payment.released ?? payment.outcome]
      : REFUNDS[refunded < payment.amount ? 'inPart' : 'whole']
  const name =
    codeId === undefined ? html`<b>${payee}</b>` : html`<a href="${codePath({ ...phone, codeId })}">${payee}</a>`
  return html`
<li class="past" data-testid="blik-payment" data-outcome="${look}"><span>${name}<small>${shortDate(createdAt, say.language)} · ${say(codeId === undefined && look === 'approved' ? 'paymentCharged' : what)}</small></span>
<b class="sum">${sumOf(say, payment)}</b></li>`
}

// biome-ignore format: a table reads by its columns
const OUTCOMES: Readonly<Record<ShopperPayment['outcome'] | 'uncollected', readonly [text: TextKey, look: string]>> = {
  waiting:     ['toApprove',          'waiting'],
  approved:    ['paymentApproved',    'approved'],
  declined:    ['paymentDeclined',    'declined'],
  expired:     ['paymentLapsed',      'expired'],
  canceled:    ['paymentCanceled',    'canceled'],
  uncollected: ['paymentUncollected', 'expired'],
}

const REFUNDS = {
  whole: ['paymentRefunded', 'refunded'],
  inPart: ['paymentRefundedInPart', 'refunded-in-part'],
} as const

import { html } from 'hono/html'
import { icon, type Shape } from './icons.ts'
import type { Html } from './layout.ts'
import { money } from './money-and-date-format.ts'
import type { ShopperPayment } from './shopper-payment-and-decision.ts'
import type { Say, TextKey } from './text-lookup-by-language.ts'

/** Returns the HTML of a payment's amount in large type, or the text that nothing is paid. */
export const amount = (say: Say, testId: string, payment: ShopperPayment, nothing?: TextKey): Html =>
  html`<p class="amount" data-testid="${testId}">${sumOf(say, payment, nothing)}</p>`

/** Formats the amount of a payment; a `TOKEN_ONLY` payment has none, which the text of a key says. */
export const sumOf = (
  say: Say,
  { transactionType, amount, currency }: ShopperPayment,
  nothing: TextKey = 'noPayment',
): string => (transactionType === 'TOKEN_ONLY' ? say(nothing) : money(amount, currency, say.language))

/** Returns the HTML list of a payment's payee and description, and further facts. */
export const facts = (
  method: 'blik' | 'iris',
  to: string,
  what: string,
  payment: ShopperPayment,
  more?: Html,
): Html => html`
<dl class="facts">
<div><dt>${to}</dt><dd data-testid="${method}-payee">${payment.payee}</dd></div>
${payment.description && html`<div><dt>${what}</dt><dd data-testid="${method}-description">${payment.description}</dd></div>`}
${more}
</dl>`

export type Outcome = { name: string; shape: Shape; title: TextKey; lead: TextKey }

/** Returns the HTML of a payment's outcome: an icon, a heading that tests and screen readers find, and one sentence. */
export const outcome = (say: Say, testId: string, { name, shape, title, lead }: Outcome): Html => html`
<span class="badge ${name}">${icon(shape)}</span>
<h1 tabindex="-1" data-testid="${testId}" data-outcome="${name}">${say(title)}</h1>
<p class="lead">${say(lead)}</p>`

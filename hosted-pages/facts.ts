import { html } from 'hono/html'
import type { Html } from './layout.ts'
import { money } from './money.ts'
import type { ShopperView } from './port.ts'
import type { Say } from './texts.ts'

/** The amount, as large as the decision that hangs on it. */
export const amount = (say: Say, testId: string, payment: ShopperView): Html =>
  html`<p class="amount" data-testid="${testId}">${sumOf(say, payment)}</p>`

const sumOf = (say: Say, { transactionType, amount, currency }: ShopperView): string =>
  transactionType === 'TOKEN_ONLY' ? say('paysNothing') : money(amount, currency, say.language)

/** Who is paid and what for, and what else there is to know. */
export const facts = (
  method: 'blik' | 'iris',
  to: string,
  what: string,
  payment: ShopperView,
  more?: Html,
): Html => html`
<dl class="facts">
<div><dt>${to}</dt><dd data-testid="${method}-payee">${payment.payee}</dd></div>
${payment.description && html`<div><dt>${what}</dt><dd data-testid="${method}-description">${payment.description}</dd></div>`}
${more}
</dl>`

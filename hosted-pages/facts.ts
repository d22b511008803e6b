import { html } from 'hono/html'
import type { Html } from './layout.ts'
import { money } from './money.ts'
import type { ShopperView } from './port.ts'
import type { Say } from './texts.ts'

/** The amount, as large as the decision that hangs on it. */
export const amount = (say: Say, testId: string, payment: ShopperView): Html =>
  html`<p class="amount" data-testid="${testId}">${money(payment.amount, payment.currency, say.language)}</p>`

/** Who is paid and what for. */
export const facts = (method: 'blik' | 'iris', to: string, what: string, payment: ShopperView): Html => html`
<dl class="facts">
<div><dt>${to}</dt><dd data-testid="${method}-payee">${payment.payee}</dd></div>
${payment.description && html`<div><dt>${what}</dt><dd data-testid="${method}-description">${payment.description}</dd></div>`}
</dl>`

import { html } from 'hono/html'
import { amount, facts } from '../facts.ts'
import { icon } from '../icons.ts'
import { type Html, layout } from '../layout.ts'
import { paths } from '../paths.ts'
import type { ShopperView } from '../port.ts'
import type { Say } from '../texts.ts'
import { BANKS, type Bank, bankLogo } from './banks.ts'
import { timeToPay } from './time-to-pay.ts'

/** What is to be paid, and the banks to choose from. */
export function banksPage(say: Say, redirectId: string, payment: ShopperView): Html {
  const main = html`
<main class="checkout" data-live="${paths.redirect(redirectId)}/live" data-stage="waiting">
<section class="summary" aria-label="${say('amount')}">
<p class="quiet-line">${say('irisPay')}</p>
${amount(say, 'iris-amount', payment)}
${facts('iris', say('payee'), say('description'), payment)}
${timeToPay(say, payment)}
</section>
<div class="choice">
<h1>${say('irisTitle')}</h1>
<p class="lead">${say('irisLead')}</p>
<ul class="banks" aria-label="${say('irisBanks')}">
${BANKS.map(bank => tile(redirectId, bank))}
</ul>
<form method="post" action="${paths.redirect(redirectId)}/decision">
<button class="plain-link" name="action" value="decline" data-testid="iris-cancel">${icon('back')} ${say('cancelPayment')}</button>
</form>
</div>
</main>`
  return layout(say, { title: say('irisTitle'), look: 'hosted', main })
}

const tile = (redirectId: string, bank: Bank): Html => html`
<li><a href="${paths.bank(redirectId, bank.id)}" data-testid="iris-bank-${bank.id}">${bankLogo(bank)} ${bank.name}</a></li>`

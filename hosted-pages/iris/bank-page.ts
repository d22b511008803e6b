import { html } from 'hono/html'
import { amount, facts } from '../facts.ts'
import { icon } from '../icons.ts'
import { type Html, layout } from '../layout.ts'
import { paths } from '../paths.ts'
import type { ShopperView } from '../port.ts'
import type { Say } from '../texts.ts'
import { type Bank, bankLogo } from './banks.ts'
import { timeToPay } from './time-to-pay.ts'

/** The page of the chosen bank, where the shopper confirms or cancels. */
export function bankPage(say: Say, redirectId: string, bank: Bank, payment: ShopperView): Html {
  const main = html`
<main class="sheet narrow bank-sheet" data-live="${paths.redirect(redirectId)}/live" data-stage="waiting">
<div class="app-bar">${bankLogo(bank)} <span data-testid="iris-bank-name">${bank.name}</span></div>
<div class="screen">
<h1 tabindex="-1">${say('bankTitle')}</h1>
${amount(say, 'iris-amount', payment)}
${facts('iris', say('payee'), say('description'), payment)}
${timeToPay(say, payment)}
<form class="actions pair" method="post" action="${paths.redirect(redirectId)}/decision">
<button class="button quiet" name="action" value="decline" data-testid="iris-cancel">${say('cancel')}</button>
<button class="button" name="action" value="approve" data-testid="iris-confirm">${say('confirm')}</button>
</form>
<a class="plain-link" href="${paths.redirect(redirectId)}" data-testid="iris-other-bank">${icon('back')} ${say('otherBank')}</a>
</div>
</main>`
  return layout(say, { title: `${say('bankTitle')} · ${bank.name}`, look: 'bank', bank: bank.id, main })
}

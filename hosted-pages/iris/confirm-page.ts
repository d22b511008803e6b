import { html } from 'hono/html'
import { icon } from '../icons.ts'
import type { Html } from '../layout.ts'
import { amount, facts } from '../payment-summary.ts'
import { paths } from '../shopper-paths.ts'
import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say } from '../text-lookup-by-language.ts'
import type { Account } from './accounts.ts'
import { accountNumber } from './accounts-page.ts'
import { bankLayout } from './bank-layout.ts'
import type { Bank } from './banks.ts'
import { timeToPay } from './time-to-pay-countdown.ts'

type AtAccount = {
  redirectId: string
  bank: Bank
  user: string
  account: Account
  payment: ShopperPayment
  isDemo: boolean
}

/**
 * Returns the IRIS page where the shopper confirms, cancels, or confirms and never returns to the shop, which demo mode
 * does not offer.
 */
export const confirmPage = (say: Say, at: AtAccount): Html => {
  const { redirectId, bank, user, account, payment, isDemo } = at
  const from = html`<div><dt>${say('fromAccount')}</dt><dd data-testid="iris-account">${say(account.name)} ${accountNumber(account)}</dd></div>`
  return bankLayout(say, {
    title: say('bankTitle'),
    bank,
    redirectId,
    screen: html`
${amount(say, 'iris-amount', payment)}
${facts('iris', say('payee'), say('description'), payment, from)}
${bank.takesSeconds > 0 && !isDemo ? html`<p class="quiet-line">${say('bankTakes', { seconds: String(bank.takesSeconds) })}</p>` : ''}
${timeToPay(say, payment)}
<form class="actions pair" method="post">
<button class="button quiet" name="action" value="decline" data-testid="iris-cancel">${say('cancel')}</button>
<button class="button" name="action" value="approve" data-testid="iris-confirm">${say('confirm')}</button>
${isDemo ? '' : confirmAndLeave(say)}
</form>
<a class="plain-link" href="${paths.accounts(redirectId, bank.id, user)}" data-testid="iris-other-account">${icon('back')} ${say('otherAccount')}</a>`,
  })
}

const confirmAndLeave = (say: Say): Html => html`
<button class="plain-link" name="action" value="leave" aria-describedby="leaving" data-testid="iris-confirm-and-leave">${say('confirmAndLeave')}</button>
<p class="quiet-line" id="leaving">${say('confirmAndLeaveNote')}</p>`

import { html } from 'hono/html'
import { amount, facts } from '../facts.ts'
import { icon } from '../icons.ts'
import type { Html } from '../layout.ts'
import { paths } from '../paths.ts'
import type { ShopperView } from '../port.ts'
import type { Say } from '../texts.ts'
import type { Account } from './accounts.ts'
import { accountNumber } from './accounts-page.ts'
import { bankFrame } from './bank-frame.ts'
import type { Bank } from './banks.ts'
import { timeToPay } from './time-to-pay.ts'

type Visit = { redirectId: string; bank: Bank; user: string; account: Account }

/** The decision: confirm, cancel, or confirm and never be seen again by the shop. */
export const confirmPage = (say: Say, visit: Visit, payment: ShopperView): Html => {
  const { redirectId, bank, user, account } = visit
  const from = html`<div><dt>${say('fromAccount')}</dt><dd data-testid="iris-account">${say(account.name)} ${accountNumber(account)}</dd></div>`
  return bankFrame(say, {
    title: say('bankTitle'),
    bank,
    redirectId,
    screen: html`
${amount(say, 'iris-amount', payment)}
${facts('iris', say('payee'), say('description'), payment, from)}
${bank.takesSeconds > 0 ? html`<p class="quiet-line">${say('bankTakes', { seconds: String(bank.takesSeconds) })}</p>` : ''}
${timeToPay(say, payment)}
<form class="actions pair" method="post">
<button class="button quiet" name="action" value="decline" data-testid="iris-cancel">${say('cancel')}</button>
<button class="button" name="action" value="approve" data-testid="iris-confirm">${say('confirm')}</button>
<button class="plain-link" name="action" value="leave" aria-describedby="leaving" data-testid="iris-confirm-and-leave">${say('confirmAndLeave')}</button>
<p class="quiet-line" id="leaving">${say('confirmAndLeaveNote')}</p>
</form>
<a class="plain-link" href="${paths.accounts(redirectId, bank.id, user)}" data-testid="iris-other-account">${icon('back')} ${say('otherAccount')}</a>`,
  })
}

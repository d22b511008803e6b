import { html } from 'hono/html'
import { amount, facts } from '../facts.ts'
import { icon } from '../icons.ts'
import type { Html } from '../layout.ts'
import { paths } from '../paths.ts'
import type { ShopperView } from '../port.ts'
import type { Say } from '../texts.ts'
import { bankFrame } from './bank-frame.ts'
import type { Bank } from './banks.ts'
import { timeToPay } from './time-to-pay.ts'

export const LONGEST_USER_NAME = 40

/** The door of the chosen bank: it lets everybody in, for there is nothing behind it to guard. */
export const signInPage = (say: Say, redirectId: string, bank: Bank, payment: ShopperView): Html =>
  bankFrame(say, {
    title: say('signInTitle'),
    bank,
    redirectId,
    screen: html`
${amount(say, 'iris-amount', payment)}
${facts('iris', say('payee'), say('description'), payment)}
<form class="sign-in" action="${paths.accounts(redirectId, bank.id)}">
<label for="user">${say('userName')}</label>
<input id="user" name="user" required maxlength="${LONGEST_USER_NAME}" autocomplete="username" autocapitalize="none" spellcheck="false" aria-describedby="any-name" data-testid="iris-user">
<p class="quiet-line" id="any-name">${say('anyUserName')}</p>
<button class="button" data-testid="iris-sign-in">${say('signIn')}</button>
</form>
${timeToPay(say, payment)}
<a class="plain-link" href="${paths.redirect(redirectId)}" data-testid="iris-other-bank">${icon('back')} ${say('otherBank')}</a>`,
  })

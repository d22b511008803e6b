import { html } from 'hono/html'
import { icon } from '../icons.ts'
import type { Html } from '../layout.ts'
import { amount, facts } from '../payment-summary.ts'
import { paths } from '../shopper-paths.ts'
import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say } from '../text-lookup-by-language.ts'
import { bankLayout } from './bank-layout.ts'
import type { Bank } from './banks.ts'
import { timeToPay } from './time-to-pay-countdown.ts'

export const LONGEST_USER_NAME = 40

type AtBank = { redirectId: string; bank: Bank; payment: ShopperPayment; isDemo: boolean }

/** Returns the sign-in page of the chosen IRIS bank, which accepts any name; demo mode does not say so. */
export const signInPage = (say: Say, { redirectId, bank, payment, isDemo }: AtBank): Html =>
  bankLayout(say, {
    title: say('signInTitle'),
    bank,
    redirectId,
    screen: html`
${amount(say, 'iris-amount', payment)}
${facts('iris', say('payee'), say('description'), payment)}
<form class="sign-in" action="${paths.accounts(redirectId, bank.id)}">
<label for="user">${say('userName')}</label>
<input id="user" name="user" required pattern=".*\\S.*" title="${say('userNameForm')}" maxlength="${LONGEST_USER_NAME}" autocomplete="username" autocapitalize="none" spellcheck="false"${isDemo ? '' : html` aria-describedby="any-name"`} data-testid="iris-user">
${isDemo ? '' : html`<p class="quiet-line" id="any-name">${say('anyUserName')}</p>`}
<button class="button" data-testid="iris-sign-in">${say('signIn')}</button>
</form>
${timeToPay(say, payment)}
<a class="plain-link" href="${paths.redirect(redirectId)}" data-testid="iris-other-bank">${icon('back')} ${say('otherBank')}</a>`,
  })

import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { amount, facts } from '../payment-summary.ts'
import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say, TextKey } from '../text-lookup-by-language.ts'
import { closeLink } from './bank-app-frame.ts'
import { codePath, type Screen } from './code-stage-and-screen-paths.ts'
import type { CodeView, Phone } from './phone-and-code-types.ts'
import { WRONG_PIN } from './read-decision.ts'
import { timeToDecide } from './time-to-decide-countdown.ts'

/** Returns the key of the title on the approval screen of the BLIK bank app. */
export const askTitle = ({ transactionType }: ShopperPayment): TextKey =>
  transactionType === 'TOKEN_ONLY' ? 'askKeepTitle' : 'askTitle'

/**
 * Returns the screen of the BLIK bank app on which the shopper approves, with the PIN, or declines a pushed payment.
 */
export const askScreen = (
  say: Say,
  { bank }: Phone,
  view: CodeView,
  payment: ShopperPayment,
  { screen, isDemo }: { screen: Screen | undefined; isDemo: boolean },
): Html => html`
<h1 tabindex="-1">${say(askTitle(payment))}</h1>
${amount(say, 'blik-amount', payment, 'paysNothing')}
${payment.transactionType === 'ONE_TIME' ? '' : html`<p class="lead" data-testid="blik-keeps-shop">${say('keepsShop')}</p>`}
${facts('blik', say('shop'), say('description'), payment, html`<div><dt>${say('account')}</dt><dd data-testid="blik-account">•••• ${bank.account}</dd></div>`)}
${timeToDecide(say, payment)}
<form class="decision" method="post" action="${codePath(view)}/decision">
${pinField(say, screen === 'wrong-pin', isDemo)}
<button class="button" name="action" value="approve" data-testid="blik-approve">${say('approve')}</button>
<button class="button quiet" name="action" value="decline" formnovalidate data-testid="blik-decline">${say('decline')}</button>
${isDemo ? '' : causesInstead(say)}
</form>`

/** Buttons of tests, which no bank app has. */
const causesInstead = (say: Say): Html => html`
<fieldset class="instead"><legend>${say('bankInstead')}</legend>
<button class="button quiet small" name="action" value="insufficient-funds" formnovalidate data-testid="blik-insufficient-funds">${say('insufficientFunds')}</button>
<button class="button quiet small" name="action" value="limit-exceeded" formnovalidate data-testid="blik-limit-exceeded">${say('limitExceeded')}</button>
<button class="button quiet small" name="action" value="lapse" formnovalidate data-testid="blik-lapse">${say('letLapse')}</button>
</fieldset>`

const pinField = (say: Say, wrong: boolean, isDemo: boolean): Html => html`
<div class="pin">
<label for="pin">${say('pin')}</label>
<input id="pin" name="pin" type="password" inputmode="numeric" autocomplete="off" required maxlength="4" pattern="[0-9]{4}" title="${say('pinForm')}" aria-describedby="pin-note"${wrong ? html` aria-invalid="true" autofocus` : ''} data-testid="blik-pin">
<p class="quiet-line" id="pin-note">${wrong ? html`<b data-testid="blik-wrong-pin">${say('pinWrong')}</b> ` : ''}${isDemo ? '' : say('pinNote', { wrong: WRONG_PIN })}</p>
</div>`

/**
 * Returns the screen of the second consent in the BLIK bank app: to save the shop for later payments without the
 * shopper (1).
 */
export const keepScreen = (say: Say, view: CodeView, payment: ShopperPayment): Html => html`
<h1 tabindex="-1">${say('askKeepTitle')}</h1>
<p class="lead">${say('askKeepLead')}</p>
${facts('blik', say('shop'), say('description'), payment)}
${timeToDecide(say, payment)}
<form class="actions" method="post" action="${codePath(view)}/decision">
<button class="button" name="action" value="keep" data-testid="blik-keep">${say('keepShop')}</button>
<button class="button quiet" name="action" value="do-not-keep" data-testid="blik-do-not-keep">${say('doNotKeep')}</button>
</form>`

/** Returns the screen of the BLIK bank app after the shopper's approval, while the bank processes the payment. */
export const confirmingScreen = (say: Say, phone: Phone, view: CodeView, payment: ShopperPayment): Html => html`
<h1 tabindex="-1" data-testid="blik-confirming">${say('confirmingTitle')}</h1>
<p class="lead">${say('confirmingLead')}</p>
${amount(say, 'blik-amount', payment)}
${facts('blik', say('shop'), say('description'), payment)}
${timeToDecide(say, payment)}
<div class="actions">
<noscript><p class="quiet-line">${say('withoutScript')}</p>
<a class="button" href="${codePath(view)}" data-testid="blik-refresh">${say('refresh')}</a></noscript>
${closeLink(say, phone)}
</div>`

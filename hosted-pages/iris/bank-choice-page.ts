import { html } from 'hono/html'
import { icon } from '../icons.ts'
import { isOnlyHere } from '../is-loopback-address.ts'
import { type Html, layout } from '../layout.ts'
import { amount, facts } from '../payment-summary.ts'
import { paths } from '../shopper-paths.ts'
import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say } from '../text-lookup-by-language.ts'
import { BANKS, type Bank, bankLogo } from './banks.ts'
import { qrCode } from './qr-code.ts'
import { timeToPay } from './time-to-pay-countdown.ts'

type BankChoice = { redirectId: string; address: URL; payment: ShopperPayment; isDemo: boolean }

/**
 * Returns the IRIS page to choose a bank: what is to be paid, the banks, and a QR code by which the shopper can
 * continue on a phone that has the bank's app (1).
 */
export function bankChoicePage(say: Say, { redirectId, address, payment, isDemo }: BankChoice): Html {
  const main = html`
<main class="checkout" data-stream="${paths.redirect(redirectId)}/stream" data-stage="waiting">
<section class="summary" aria-label="${say('amount')}">
<p class="quiet-line">${say('irisPay')}</p>
${amount(say, 'iris-amount', payment)}
${facts('iris', say('payee'), say('description'), payment)}
${timeToPay(say, payment)}
</section>
<div class="choice">
<h1 tabindex="-1">${say('irisTitle')}</h1>
<p class="lead">${say('irisLead')}</p>
<ul class="banks" aria-label="${say('irisBanks')}">
${BANKS.map(bank => tile(say, redirectId, bank, isDemo))}
</ul>
<form method="post" action="${paths.redirect(redirectId)}/decision">
<button class="plain-link" name="action" value="decline" data-testid="iris-cancel">${icon('back')} ${say('cancelPayment')}</button>
</form>
</div>
${elsewhere(say, redirectId, address)}
</main>`
  return layout(say, { title: say('irisTitle'), look: 'hosted', main })
}

const tile = (say: Say, redirectId: string, bank: Bank, isDemo: boolean): Html => html`
<li><a href="${paths.bank(redirectId, bank.id)}" data-testid="iris-bank-${bank.id}">${bankLogo(bank)} <span>${bank.name}${bank.takesSeconds > 0 && !isDemo ? html` <small>${say('bankIsSlow')}</small>` : ''}</span></a></li>`

/** Returns the QR code of the page's address, with a note where only this machine can reach that address. */
const elsewhere = (say: Say, redirectId: string, address: URL): Html => html`
<section class="elsewhere">
${qrCode(address.href, say('qrLabel'), 'iris-qr')}
<div>
<h2>${say('qrTitle')}</h2>
<p class="quiet-line">${say('qrLead')} <span class="by-script">${say('updatesItself')}</span></p>
<noscript><p class="quiet-line">${say('withoutScript')}</p>
<a class="plain-link" href="${paths.redirect(redirectId)}" data-testid="iris-refresh">${say('lookAgain')}</a></noscript>
${isOnlyHere(address) ? html`<p class="quiet-line" data-testid="iris-qr-only-here">${say('qrOnlyHere', { host: address.host })}</p>` : ''}
</div>
</section>`

import { html } from 'hono/html'
import { icon } from '../icons.ts'
import { type Html, layout } from '../layout.ts'
import { amount, facts } from '../payment-summary.ts'
import { paths } from '../shopper-paths.ts'
import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say } from '../text-lookup-by-language.ts'
import { returnLink } from './end-page.ts'
import { timeToPay } from './time-to-pay-countdown.ts'

/** Returns the IRIS page after the shopper's confirmation, while the bank processes the payment (R7). */
export function pendingPage(say: Say, redirectId: string, payment: ShopperPayment): Html {
  const main = html`
<main class="sheet narrow message" data-stream="${paths.redirect(redirectId)}/stream" data-stage="confirming">
<span class="badge confirming">${icon('clock')}</span>
<h1 tabindex="-1" data-testid="iris-confirming">${say('confirmingTitle')}</h1>
<p class="lead">${say('confirmingLead')}</p>
${amount(say, 'iris-amount', payment)}
${facts('iris', say('payee'), say('description'), payment)}
${timeToPay(say, payment)}
<noscript><p class="quiet-line">${say('withoutScript')}</p>
<a class="button quiet" href="${paths.redirect(redirectId)}" data-testid="iris-refresh">${say('lookAgain')}</a></noscript>
${returnLink(say, payment, 'quiet')}
</main>`
  return layout(say, { title: say('confirmingTitle'), look: 'hosted', main })
}

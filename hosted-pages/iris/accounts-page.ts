import { html } from 'hono/html'
import { icon } from '../icons.ts'
import type { Html } from '../layout.ts'
import { money } from '../money-and-date-format.ts'
import { paths } from '../shopper-paths.ts'
import type { ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say } from '../text-lookup-by-language.ts'
import { type Account, accountsFor } from './accounts.ts'
import { bankLayout } from './bank-layout.ts'
import type { Bank } from './banks.ts'
import { timeToPay } from './time-to-pay-countdown.ts'

type AtBank = { redirectId: string; bank: Bank; user: string }

/** Returns the IRIS page on which the shopper chooses a bank account; the bank checks its balance later. */
export const accountsPage = (say: Say, { redirectId, bank, user }: AtBank, payment: ShopperPayment): Html =>
  bankLayout(say, {
    title: say('accountsTitle'),
    bank,
    redirectId,
    screen: html`
<p class="lead" data-testid="iris-greeting">${say('greeting', { user })}</p>
<ul class="accounts">
${accountsFor(payment).map(account => row(say, paths.account(redirectId, bank.id, account.id, user), account, payment))}
</ul>
${timeToPay(say, payment)}
<a class="plain-link" href="${paths.redirect(redirectId)}" data-testid="iris-other-bank">${icon('back')} ${say('otherBank')}</a>`,
  })

const row = (say: Say, href: string, account: Account, { currency }: ShopperPayment): Html => html`
<li><a href="${href}" data-testid="iris-account-${account.id}"><span><b>${say(account.name)}</b><span class="quiet-line">${accountNumber(account)}</span></span><span class="balance">${money(account.balance, currency, say.language)}</span></a></li>`

/** Formats an IBAN on the IRIS pages so that only its end is shown. */
export const accountNumber = ({ number }: Account): string => `•••• ${number}`

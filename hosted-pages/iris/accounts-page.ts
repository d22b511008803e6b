import { html } from 'hono/html'
import { icon } from '../icons.ts'
import type { Html } from '../layout.ts'
import { money } from '../money.ts'
import { paths } from '../paths.ts'
import type { ShopperView } from '../port.ts'
import type { Say } from '../texts.ts'
import { type Account, accountsFor } from './accounts.ts'
import { bankFrame } from './bank-frame.ts'
import type { Bank } from './banks.ts'
import { timeToPay } from './time-to-pay.ts'

type Visit = { redirectId: string; bank: Bank; user: string }

/** The accounts of whoever signed in; the bank, not this page, says whether the money is enough. */
export const accountsPage = (say: Say, { redirectId, bank, user }: Visit, payment: ShopperView): Html =>
  bankFrame(say, {
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

const row = (say: Say, href: string, account: Account, { currency }: ShopperView): Html => html`
<li><a href="${href}" data-testid="iris-account-${account.id}"><span><b>${say(account.name)}</b><span class="quiet-line">${accountNumber(account)}</span></span><span class="balance">${money(account.balance, currency, say.language)}</span></a></li>`

/** An account by the end of its number, as banks show it to whoever may look over a shoulder. */
export const accountNumber = ({ number }: Account): string => `•••• ${number}`

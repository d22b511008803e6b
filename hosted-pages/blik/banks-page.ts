import { html } from 'hono/html'
import { type Html, layout } from '../layout.ts'
import { paths } from '../paths.ts'
import type { BlikBankView, OrganizationView } from '../port.ts'
import type { Say } from '../texts.ts'
import { bankLogo } from './banks.ts'

/** A phone in its box: the choice of the bank whose app is on it. */
export const banksPage = (say: Say, { organizationId }: OrganizationView, banks: readonly BlikBankView[]): Html =>
  layout(say, {
    title: say('phoneTitle'),
    look: 'phone',
    main: html`
<main class="device">
<div class="screen">
<div class="hero"><h1>${say('phoneBanksTitle')}</h1>
<p>${say('phoneBanksLead')}</p></div>
<form class="bank-list" method="post" action="${paths.blik(organizationId)}/phones" aria-label="${say('phoneBanks')}">
${banks.map(bank => choice(say, bank))}
</form>
<div class="actions"><p class="quiet-line">${say('phoneOf', { organization: organizationId })}</p></div>
</div>
</main>`,
  })

const choice = (say: Say, bank: BlikBankView): Html => html`
<button name="bank" value="${bank.id}" data-testid="blik-bank-${bank.id}">${bankLogo(bank)}
<span><b>${bank.name}</b><small>${say(bank.keepsShops ? 'bankKeepsShops' : 'bankKeepsNoShops')}</small></span></button>`

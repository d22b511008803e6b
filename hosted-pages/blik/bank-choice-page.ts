import { html } from 'hono/html'
import { type Html, layout } from '../layout.ts'
import { paths } from '../shopper-paths.ts'
import type { Say } from '../text-lookup-by-language.ts'
import { bankLogo } from './bank-logo.ts'
import type { BlikBank } from './phone-and-code-types.ts'

/** What whoever makes a phone too many is told. */
export const TOO_MANY_PHONES = 'This organization has as many phones as there may be: reset it, or use one of them.\n'

/** Returns the page of a new BLIK phone, on which the shopper chooses the bank whose app the phone has. */
export const bankChoicePage = (
  say: Say,
  { organizationId }: { organizationId: string },
  banks: readonly BlikBank[],
): Html =>
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

const choice = (say: Say, bank: BlikBank): Html => html`
<button name="bank" value="${bank.id}" data-testid="blik-bank-${bank.id}">${bankLogo(bank)}
<span><b>${bank.name}</b><small>${say(bank.keepsShops ? 'bankKeepsShops' : 'bankKeepsNoShops')}</small></span></button>`

import { html } from 'hono/html'
import { type Html, layout } from '../layout.ts'
import { sumOf } from '../payment-summary.ts'
import { paths } from '../shopper-paths.ts'
import type { Say } from '../text-lookup-by-language.ts'
import { bankLogo } from './bank-logo.ts'
import type { BlikBank, Phone, PhoneMemory } from './phone-and-code-types.ts'
import { stageOfPhone } from './phone-home-screen.ts'
import { waitsFor } from './waiting-and-last-payments.ts'

/** A phone that this browser has opened before, with what waits on it. */
export type OwnPhone = { phone: Phone; memory: PhoneMemory }

/** Returns a text for what the choice of a BLIK phone shows of the browser's own, its stage. */
export const stageOfPhones = (own: readonly OwnPhone[]): string =>
  own.map(({ phone, memory }) => stageOfPhone(phone, memory)).join('.')

/**
 * Returns the page on which the shopper takes a BLIK phone: first those that this browser has had, which it follows,
 * then a new one with the app of a bank.
 */
export const bankChoicePage = (
  say: Say,
  { organizationId }: { organizationId: string },
  banks: readonly BlikBank[],
  own: readonly OwnPhone[],
): Html =>
  layout(say, {
    title: say('phoneTitle'),
    look: 'phone',
    main: html`
<main class="device"${own.length === 0 ? '' : html` data-stream="${paths.blik(organizationId)}/stream" data-stage="${stageOfPhones(own)}"`}>
<div class="screen">
${own.length === 0 ? html`<div class="hero"><h1 tabindex="-1">${say('phoneBanksTitle')}</h1>` : html`${ownPhones(say, own)}<div><h2>${say('newPhone')}</h2>`}
<p>${say('phoneBanksLead')}</p></div>
<form class="bank-list" method="post" action="${paths.blik(organizationId)}/phones" aria-label="${say('phoneBanks')}">
${banks.map(bank => choice(say, bank))}
</form>
<div class="actions"><p class="quiet-line">${say('phoneOf', { organization: organizationId })}</p></div>
</div>
</main>`,
  })

const ownPhones = (say: Say, own: readonly OwnPhone[]): Html => html`
<h1 tabindex="-1">${say('yourPhones')}</h1>
<nav class="bank-list" aria-label="${say('yourPhones')}">
${own.map(one => ownPhone(say, one))}
</nav>`

const ownPhone = (say: Say, { phone, memory }: OwnPhone): Html => {
  const { organizationId, phoneId, bank } = phone
  const waiting = memory.payments.find(({ payment }) => payment.outcome === 'waiting')
  const news = waiting
    ? html`<small class="news">${say(waitsFor(waiting.payment))}: ${sumOf(say, waiting.payment)}</small>`
    : html`<small>${memory.openCode ? say('phoneHasCode') : `•••• ${bank.account}`}</small>`
  return html`
<a href="${paths.phone(organizationId, phoneId)}" data-testid="blik-own-phone">${bankLogo(bank)}
<span><b>${bank.name}</b>${news}</span></a>`
}

const choice = (say: Say, bank: BlikBank): Html => html`
<button name="bank" value="${bank.id}" data-testid="blik-bank-${bank.id}">${bankLogo(bank)}
<span><b>${bank.name}</b><small>${say(bank.keepsShops ? 'bankKeepsShops' : 'bankKeepsNoShops')}</small></span></button>`

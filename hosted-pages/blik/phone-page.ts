import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { date } from '../money-and-date-format.ts'
import { paths } from '../shopper-paths.ts'
import type { Say } from '../texts.ts'
import { bankAppFrame, newCodeForm } from './bank-app-frame.ts'
import type { KeptShop, Phone } from './phone-and-code-types.ts'

/** Returns the home screen of the BLIK bank app: the button for a code, and the saved shops (1). */
export const phonePage = (say: Say, phone: Phone): Html =>
  bankAppFrame(
    say,
    phone,
    say('phoneTitle'),
    {},
    html`
<div class="hero"><h1>${say('phoneTitle')}</h1>
<p>${say('phoneLead')}</p></div>
${newCodeForm(phone, say('newCode'))}
<section class="kept" aria-labelledby="kept">
<h2 id="kept">${say('keptShops')}</h2>
${phone.shops.length === 0 ? none(say, phone) : html`<ul>${phone.shops.map(shop => kept(say, phone, shop))}</ul>`}
</section>
<div class="actions">
<p class="quiet-line">${say('phoneOf', { organization: phone.organizationId })}</p>
<a class="plain-link" href="${paths.blik(phone.organizationId)}" data-testid="blik-other-phone">${say('otherPhone')}</a>
</div>`,
  )

const none = (say: Say, { bank }: Phone): Html =>
  html`<p class="quiet-line" data-testid="blik-no-shops">${say(bank.keepsShops ? 'noKeptShops' : 'bankKeepsNoShops')}</p>`

const kept = (say: Say, phone: Phone, shop: KeptShop): Html => html`
<li data-testid="blik-shop" data-standing="${shop.standing}">
<span><b>${shop.payee}</b><small>${say('keptSince', { date: date(shop.keptAt, say.language), payer: shop.payerId })}</small></span>
${shop.standing === 'valid' ? revoke(say, phone, shop) : html`<em>${say(shop.standing === 'revoked' ? 'shopRevoked' : 'shopExpired')}</em>`}
</li>`

const revoke = (say: Say, { organizationId, phoneId }: Phone, { payee, paymentToken }: KeptShop): Html => html`
<form method="post" action="${paths.phone(organizationId, phoneId)}/revoke">
<button class="button quiet small" name="paymentToken" value="${paymentToken}" aria-label="${say('revokeShop', { shop: payee })}" data-testid="blik-revoke">${say('revoke')}</button>
</form>`

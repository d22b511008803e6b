import { html } from 'hono/html'
import { qrCode } from '../iris/qr-code.ts'
import { isOnlyHere } from '../is-loopback-address.ts'
import type { Html } from '../layout.ts'
import { money } from '../money-and-date-format.ts'
import type { Say } from '../text-lookup-by-language.ts'
import { catalogueOf, type Product } from './catalogue.ts'
import { demoModeForm } from './demo-mode-form.ts'
import type { ShopView } from './demo-shop-types.ts'
import { productArt } from './product-art.ts'
import { shopPage } from './shop-layout.ts'
import { shopPaths } from './shop-paths.ts'

/** Returns the prices of a product: in zloty for BLIK, and in euro for IRIS. */
export const pricesOf = ({ language }: Say, { zloty, cents }: Product) => ({
  blik: money(zloty, 'PLN', language),
  iris: money(cents, 'EUR', language),
})

/** Returns the first page of a shop: what it sells, and how it opens on a phone. */
export const frontPage = (shop: ShopView, address: URL): Html => {
  const { say, organizationId } = shop
  const { headline, lead, products } = catalogueOf(organizationId)
  return shopPage(shop, {
    title: say('shopTitle'),
    main: html`
<div class="shop-hero"><h1>${headline[say.language]}</h1>
<p class="lead">${lead[say.language]}</p></div>
<ul class="goods">${products.map(product => offer(shop, product))}</ul>
<footer class="shop-foot">
${shop.isDemo ? '' : html`<p class="quiet-line">${say('shopAbout', { organization: organizationId })}</p>`}
${onPhone(say, address)}
<div class="shop-ways">${shop.isOperator ? stageForm(shop) : ''}${demoModeForm(shop, shopPaths.front(shop))}</div>
</footer>`,
  })
}

const offer = (shop: ShopView, product: Product): Html => {
  const { say } = shop
  const { blik, iris } = pricesOf(say, product)
  return html`
<li><a class="offer" href="${shopPaths.product(shop, product.id)}" data-testid="shop-product">
${productArt(product.id)}
<span class="what"><b>${product.name[say.language]}</b> <small>${product.note[say.language]}</small></span>
<span class="price">${blik} <small>${say('shopOr', { price: iris })}</small></span>
<span class="button small" aria-hidden="true">${say('shopBuy')}</span>
</a></li>`
}

const onPhone = (say: Say, address: URL): Html => html`
<details class="on-my-phone" data-testid="shop-on-phone"><summary>${say('shopOnPhone')}</summary>
<div>${qrCode(address.href, say('shopQrLabel'), 'shop-qr')}
<p class="quiet-line">${isOnlyHere(address) ? html`<span data-testid="shop-qr-only-here">${say('shopQrOnlyHere', { host: address.host })}</span>` : say('shopOnPhoneLead')}</p></div>
</details>`

const stageForm = ({ say, organizationId }: ShopView): Html => html`
<form method="post" action="${shopPaths.openStage}" target="_top"><input type="hidden" name="organization" value="${organizationId}"><button class="plain-link" data-testid="shop-on-stage">${say('shopOnStage')}</button></form>`

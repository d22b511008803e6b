import { html } from 'hono/html'
import { icon } from '../icons.ts'
import type { Html } from '../layout.ts'
import type { Product } from './catalogue.ts'
import type { ShopView } from './demo-shop-types.ts'
import { pricesOf } from './front-page.ts'
import { productArt } from './product-art.ts'
import { shopPage } from './shop-layout.ts'
import { shopPaths } from './shop-paths.ts'

type Checkout = {
  product: Product
  /** The shop's reference of the order: it is in each form, so that who clicks twice buys once. */
  orderId: string
  /** Whether the bank app of this payer keeps the shop. */
  isKept: boolean
  /** Whether a code was sent that has not six digits. */
  isCodeWrong: boolean
}

/**
 * Returns the checkout page of a demo shop, on which the shopper pays for a product: by one click, with a BLIK code,
 * or at an IRIS bank.
 */
export const checkoutPage = (shop: ShopView, { product, orderId, isKept, isCodeWrong }: Checkout): Html => {
  const { say } = shop
  const { blik, iris } = pricesOf(say, product)
  const name = product.name[say.language]
  const form = (method: string, fields: Html): Html => html`
<form class="pay" method="post" action="${shopPaths.product(shop, product.id)}" data-once>
<input type="hidden" name="order" value="${orderId}"><input type="hidden" name="method" value="${method}">
${fields}</form>`
  return shopPage(shop, {
    title: name,
    main: html`
<div class="shop-checkout">
<section class="bought" aria-label="${name}">${productArt(product.id)}
<div><h2>${name}</h2><p class="quiet-line">${product.note[say.language]}</p>
<p class="price">${blik} <small>${say('shopOr', { price: iris })}</small></p></div></section>
<div class="ways-to-pay">
<h1>${say('shopCheckout')}</h1>
${
  isKept
    ? form(
        'kept',
        html`<button class="button" data-testid="shop-pay-kept">${say('shopPayKept', { price: blik })}</button>
<p class="quiet-line">${say('shopKeptNote')}</p>`,
      )
    : ''
}
${form(
  'BLIK',
  html`<label for="code">${say('shopCode')}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="7" pattern="[0-9]{3} ?[0-9]{3}" placeholder="000 000" title="${say('shopCodeForm')}" aria-describedby="code-note"${isCodeWrong ? html` aria-invalid="true"` : ''} data-blik data-testid="shop-code">
<p class="quiet-line" id="code-note">${isCodeWrong ? html`<b role="alert" data-testid="shop-code-wrong">${say('shopCodeWrong')}</b>` : say('shopCodeNote')}</p>
${isKept ? '' : html`<p class="keep"><input type="checkbox" id="keep" name="keep" value="yes" data-testid="shop-keep"><label for="keep">${say('shopKeep')}</label></p>`}
<button class="button${isKept ? ' quiet' : ''}" data-testid="shop-pay-blik">${say('shopPayBlik', { price: blik })}</button>`,
)}
${form(
  'IRIS',
  html`<button class="button quiet" data-testid="shop-pay-iris">${say('shopPayIris', { price: iris })}</button>
<p class="quiet-line">${say('shopIrisNote')}</p>`,
)}
<a class="plain-link" href="${shopPaths.front(shop)}" data-testid="shop-back">${icon('back')} ${say('shopAll')}</a>
</div>
</div>`,
  })
}

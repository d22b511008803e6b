import { html } from 'hono/html'
import { type Html, layout } from '../layout.ts'
import { catalogueOf } from './catalogue.ts'
import type { ShopView } from './demo-shop-types.ts'
import { shopLogo } from './product-art.ts'
import { shopPaths } from './shop-paths.ts'

type ShopPage = { title: string; main: Html; waits?: { stream: string; stage: string } }

/** Returns a page of a shop, with its sign and name on top; the script follows the stream in `waits` for a change of stage. */
export const shopPage = (shop: ShopView, { title, main, waits }: ShopPage): Html => {
  const { say, name, organizationId } = shop
  const { theme } = catalogueOf(organizationId)
  return layout(say, {
    title: `${title} · ${name}`,
    look: 'shop',
    theme,
    more: ['shop.css', 'shop.js'],
    main: html`
<main class="shop-page"${waits ? html` data-stream="${waits.stream}" data-stage="${waits.stage}"` : ''}>
<p class="shop-head"><a href="${shopPaths.front(shop)}" data-testid="shop-home">${shopLogo(theme)} <span data-testid="shop-name">${name}</span></a></p>
${main}
</main>`,
  })
}

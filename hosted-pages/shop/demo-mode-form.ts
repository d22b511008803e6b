import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import type { ShopView } from './demo-shop-types.ts'
import { shopPaths } from './shop-paths.ts'

/** Returns the form that begins or ends the demo mode of this browser, and comes back to a path of the shop. */
export const demoModeForm = (shop: ShopView, back: string): Html => html`
<form method="post" action="${shopPaths.demo(shop)}"><input type="hidden" name="to" value="${back}"><button class="plain-link" name="demo" value="${shop.isDemo ? 'off' : 'on'}" data-testid="demo-mode">${shop.say(shop.isDemo ? 'demoOff' : 'demoOn')}</button></form>`

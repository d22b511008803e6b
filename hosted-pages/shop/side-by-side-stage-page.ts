import { html } from 'hono/html'
import { icon } from '../icons.ts'
import { type Html, layout } from '../layout.ts'
import { paths } from '../shopper-paths.ts'
import { demoModeForm } from './demo-mode-form.ts'
import type { ShopView } from './demo-shop-types.ts'
import { shopPaths } from './shop-paths.ts'

/**
 * Returns the demo page called the stage: the shop, a phone and the timeline of the payment beside each other, each
 * page in a frame of its own. Its address holds phone and order, so that a reload keeps them.
 */
export const stagePage = (shop: ShopView, shown: { phone?: string | undefined; order?: string | undefined }): Html => {
  const { say, organizationId } = shop
  const { phone, order } = shown
  const frame = (name: string, title: string, src: string, note: Html | '' = ''): Html => html`
<section class="stage-${name}" aria-labelledby="${name}"><h2 id="${name}">${title}</h2>${note}
<iframe src="${src}" title="${title}" data-testid="stage-${name}"></iframe></section>`
  return layout(say, {
    title: say('stageTitle'),
    look: 'stage',
    more: ['stage.css', 'stage.js'],
    main: html`
<main data-timeline="${shopPaths.timeline(shop)}" data-front="${shopPaths.front(shop)}">
<div class="stage-bar">
<h1><a href="${paths.landing}" data-testid="to-start" aria-label="Assay">${icon('assay')}</a> ${shop.name}</h1>
<button class="button small" type="button" hidden data-play data-playing="${say('stagePlaying')}" data-testid="stage-play">${say('stagePlay')}</button>
${demoModeForm(shop, shopPaths.stage(shop, shown))}
<a class="plain-link" href="${shopPaths.front(shop)}" data-testid="stage-leave">${say('stageLeave')}</a>
</div>
<div class="stage-frames">
${frame('shop', say('shopTitle'), order === undefined ? shopPaths.front(shop) : shopPaths.order(shop, order))}
${frame(
  'phone',
  say('stagePhone'),
  phone === undefined ? paths.blik(organizationId) : paths.phone(organizationId, phone),
  html`<p class="stage-note" role="status" hidden data-testid="stage-phone-note">${say('stageAtBank')}</p>`,
)}
${frame('timeline', say('stageTimeline'), shopPaths.timeline(shop, order))}
</div>
</main>`,
  })
}

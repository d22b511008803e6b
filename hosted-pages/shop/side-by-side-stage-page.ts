import { html } from 'hono/html'
import { icon } from '../icons.ts'
import { type Html, layout } from '../layout.ts'
import { paths } from '../shopper-paths.ts'
import { demoModeForm } from './demo-mode-form.ts'
import type { ShopView } from './demo-shop-types.ts'
import { shopPaths } from './shop-paths.ts'

/**
 * Returns the demo page called the stage: the shop, a phone and the timeline of the payment beside each other, each
 * page in a frame of its own.
 */
export const stagePage = (shop: ShopView, phoneId: string | undefined): Html => {
  const { say, organizationId } = shop
  const phone = phoneId === undefined ? paths.blik(organizationId) : paths.phone(organizationId, phoneId)
  const frame = (name: string, title: string, src: string): Html => html`
<section class="stage-${name}" aria-labelledby="${name}"><h2 id="${name}">${title}</h2>
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
${demoModeForm(shop, shopPaths.stage(shop, phoneId))}
<a class="plain-link" href="${shopPaths.front(shop)}" data-testid="stage-leave">${say('stageLeave')}</a>
</div>
<div class="stage-frames">
${frame('shop', say('shopTitle'), shopPaths.front(shop))}
${frame('phone', say('stagePhone'), phone)}
${frame('timeline', say('stageTimeline'), shopPaths.timeline(shop))}
</div>
</main>`,
  })
}

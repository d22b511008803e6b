import { html } from 'hono/html'
import { type Html, layout } from '../layout.ts'
import { money } from '../money-and-date-format.ts'
import { paymentStateTag } from '../portal/payments/payments-page.ts'
import { joinRepeatedCalls } from '../portal/timeline/join-repeated-calls.ts'
import type { PaymentTimeline } from '../portal/timeline/timeline-mark-types.ts'
import { timelineColumn } from '../portal/timeline/vertical-timeline-picture.ts'
import { english } from '../text-lookup-by-language.ts'
import type { ShopView } from './demo-shop-types.ts'
import { shopPaths } from './shop-paths.ts'

/**
 * Returns a text for what a payment's timeline shows, its stage: it differs for each new mark, so that an open page
 * notices.
 */
export const stageOfTimeline = (timeline: PaymentTimeline | undefined): string =>
  timeline ? `${timeline.state}.${timeline.marks.length}` : 'nothing'

/**
 * Returns the page with the timeline of an order's payment, from top to bottom, for its frame beside the demo shop;
 * before that, what to do.
 */
export const stageTimelinePage = (
  shop: ShopView,
  orderId: string | undefined,
  timeline: PaymentTimeline | undefined,
): Html => {
  const { say } = shop
  if (!timeline)
    return layout(say, {
      title: say('stageTimeline'),
      look: 'stage',
      more: ['stage.css'],
      main: html`<main class="nothing-yet"${liveOf(shop, orderId, timeline)}><h1 tabindex="-1">${say('stageTimeline')}</h1><p class="lead">${say('stageNothing')}</p></main>`,
    })
  const { providerId, amount, currency, description } = timeline
  return layout(english, {
    title: 'Timeline',
    look: 'stage',
    more: ['portal.css', 'timeline.css', 'stage.css'],
    main: html`
<main class="stage-column"${liveOf(shop, orderId, timeline)}>
<h1 tabindex="-1">${providerId} ${money(amount, currency, 'en')} ${paymentStateTag(timeline)}</h1>
<p class="quiet-line">${description}</p>
${timelineColumn({ ...timeline, marks: joinRepeatedCalls(timeline.marks) })}
</main>`,
  })
}

const liveOf = (shop: ShopView, orderId: string | undefined, timeline: PaymentTimeline | undefined): Html | '' =>
  orderId === undefined
    ? ''
    : html` data-stream="${shopPaths.timelineStream(shop, orderId)}" data-stage="${stageOfTimeline(timeline)}"`

import { html } from 'hono/html'
import { askFirst } from '../ask-first.ts'
import { icon, type Shape } from '../icons.ts'
import type { Html } from '../layout.ts'
import { money } from '../money-and-date-format.ts'
import type { Say, TextKey } from '../text-lookup-by-language.ts'
import { catalogueOf } from './catalogue.ts'
import type { ShopOrder, ShopView } from './demo-shop-types.ts'
import { problemInWords } from './order-problem.ts'
import { shopPage } from './shop-layout.ts'
import { shopPaths } from './shop-paths.ts'

// biome-ignore format: a table reads by its columns
const STATES: Readonly<Record<ShopOrder['state'], { look: string; shape: Shape; title: TextKey; lead: TextKey }>> = {
  waiting:  { look: 'confirming', shape: 'phone', title: 'orderWaitingTitle',  lead: 'orderWaitingLead' },
  paid:     { look: 'approved',   shape: 'check', title: 'orderPaidTitle',     lead: 'orderPaidLead' },
  refunded: { look: 'approved',   shape: 'back',  title: 'orderRefundedTitle', lead: 'orderRefundedLead' },
  failed:   { look: 'declined',   shape: 'cross', title: 'orderFailedTitle',   lead: 'orderFailedLead' },
  unknown:  { look: 'expired',    shape: 'clock', title: 'orderUnknownTitle',  lead: 'orderUnknownLead' },
}

/** How an order looks that waits for a bank on whose page the shopper pays. */
const AT_BANK = { ...STATES.waiting, title: 'orderAtBankTitle', lead: 'orderAtBankLead' } as const

/**
 * Returns a text for what the page of a demo shop's order shows, its stage: it differs whenever that changes, so that
 * an open page notices.
 */
export const stageOfOrder = ({ state, steps, problem }: ShopOrder): string =>
  `${state}.${steps.length}${problem === undefined ? '' : '.problem'}`

/** Returns the page of an order in a demo shop: how its payment stands, and what can still be done with it. */
export const orderPage = (shop: ShopView, order: ShopOrder): Html => {
  const { say } = shop
  const { look, shape, title, lead } =
    order.state === 'waiting' && order.method === 'IRIS' ? AT_BANK : STATES[order.state]
  const path = shopPaths.order(shop, order.orderId)
  const said = order.state === 'paid' && order.isKept ? 'orderKeptLead' : lead
  return shopPage(shop, {
    title: say(title),
    waits: { stream: `${path}/stream`, stage: stageOfOrder(order) },
    main: html`
<div class="shop-order message" data-order="${order.orderId}" data-method="${order.method}">
<span class="badge ${look}">${icon(shape)}</span>
<h1 tabindex="-1" data-testid="shop-order" data-state="${order.state}">${say(title)}</h1>
<p class="lead"${order.state === 'failed' ? html` role="alert"` : ''}>${say(said)}${order.state === 'waiting' ? html` <span class="by-script">${say('updatesItself')}</span>` : ''}</p>
<p class="amount" data-testid="shop-amount">${money(order.amount, order.currency, say.language)}</p>
${factsOf(say, order)}
${waysOn(shop, order)}
${shop.isDemo || order.steps.length === 0 ? '' : stepsOf(say, order)}
</div>`,
  })
}

const factsOf = (say: Say, order: ShopOrder): Html => {
  const { orderId, description, method } = order
  const problem = problemInWords(say, order)
  return html`
<dl class="facts">
<div><dt>${say('orderItem')}</dt><dd>${description}</dd></div>
<div><dt>${say('orderMethod')}</dt><dd>${method}</dd></div>
<div><dt>${say('orderNumber')}</dt><dd>${orderId.slice(-8)}</dd></div>
${problem ? html`<div><dt>${say('orderReason')}</dt><dd data-testid="shop-problem">${problem}</dd></div>` : ''}
</dl>`
}

const waysOn = (shop: ShopView, { orderId, state, redirectUrl, amount }: ShopOrder): Html => {
  const { say } = shop
  const front = shopPaths.front(shop)
  const product = catalogueOf(shop.organizationId).products.find(({ zloty, cents }) => [zloty, cents].includes(amount))
  const again = product ? shopPaths.product(shop, product.id) : front
  const more = html`<a class="button quiet" href="${front}" data-testid="shop-more">${say('orderMore')}</a>`
  if (state === 'failed')
    return html`<a class="button" href="${again}" data-testid="shop-again">${say('orderAgain')}</a>`
  if (state === 'refunded') return more
  if (state === 'paid')
    return html`${more}
${askFirst(
  html`<summary class="plain-link" data-testid="shop-ask-refund">${say('orderRefund')}</summary>`,
  say('orderRefundAsk'),
  html`<form method="post" action="${shopPaths.refund(shop, orderId)}" data-once><button class="button" data-testid="shop-refund">${say('orderRefundYes')}</button></form>`,
)}`
  return html`
${redirectUrl === undefined ? '' : html`<a class="button" href="${pathOf(redirectUrl)}" data-testid="shop-to-bank">${say('orderToBank')}</a>`}
<noscript><p class="quiet-line">${say('withoutScript')}</p>
<a class="button" href="${shopPaths.order(shop, orderId)}" data-testid="shop-look">${say('orderLook')}</a></noscript>`
}

/**
 * Returns path and query of a URL of this sandbox, without its host: the shopper stays at the address by which the
 * demo shop was opened.
 */
export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const stepsOf = (say: Say, { steps }: ShopOrder): Html => html`
<section class="steps-taken" aria-labelledby="steps"><h2 id="steps">${say('orderSteps')}</h2>
<ol>${steps.map(
  ({ kind, name, isGood }) =>
    html`<li data-testid="shop-step" data-kind="${kind}" class="${isGood ? 'good' : 'bad'}"><code>${name}</code> <span>${say(isGood ? (kind === 'call' ? 'stepCall' : 'stepWebhook') : 'stepFailed')}</span></li>`,
)}</ol></section>`

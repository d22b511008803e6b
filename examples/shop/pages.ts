import { html } from 'hono/html'
import type { Order } from './orders.ts'

type Html = ReturnType<typeof html>

const page = (title: string, main: Html) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Honey from Lipowa</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/shop.css"><script src="/shop.js" defer></script>
</head>
<body><main>${main}</main></body>
</html>`

/** Returns the HTML of the example shop's checkout page. A BLIK code is six digits, shown as three and three. */
export const checkout = (problem?: string) =>
  page(
    'Checkout',
    html`<h1>Two jars of honey</h1>
<p class="price">PLN&nbsp;49.90 <span>or €11.90</span></p>
${problem === undefined ? '' : html`<p role="alert" data-testid="shop-problem">${problem}</p>`}
<form method="post" action="/pay/blik" data-once>
<label for="code">BLIK code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="\\d{3} ?\\d{3}" maxlength="7" placeholder="000 000" required data-blik data-testid="shop-blik-code">
<button data-testid="shop-pay-blik">Pay with BLIK</button>
</form>
<form method="post" action="/pay/iris" data-once><button class="second" data-testid="shop-pay-iris">Pay with IRIS</button></form>`,
  )

// biome-ignore format: a table reads by its columns
const SAID = {
  starting: ['One moment',         'Your payment is on its way.'],
  waiting:  ['Confirm at your bank', 'Approve the payment in your bank app or on your bank’s page. This page updates by itself.'],
  paid:     ['Thank you',          'The honey is yours.'],
  refunded: ['Refunded',           'The money is on its way back.'],
  failed:   ['Not paid',           'Nothing was taken. You can try again.'],
  unknown:  ['We are checking',    'We do not know yet whether the payment went through. Please do not pay twice.'],
} as const

export const orderPage = ({ id, state, problem, redirect }: Order) =>
  page(
    SAID[state][0],
    html`<h1 data-testid="shop-state" data-state="${state}" data-order="${id}">${SAID[state][0]}</h1>
<p>${SAID[state][1]}</p>
${problem === undefined ? '' : html`<p role="alert" data-testid="shop-problem">${problem}</p>`}
${state === 'waiting' && redirect !== undefined ? html`<a class="button" href="${redirect}" data-testid="shop-bank">Go to your bank</a>` : ''}
${state === 'paid' ? html`<form method="post" action="/orders/${id}/refund" data-once><button class="second" data-testid="shop-refund">Refund</button></form>` : ''}
${state === 'failed' ? html`<a class="button" href="/" data-testid="shop-again">Try again</a>` : ''}`,
  )

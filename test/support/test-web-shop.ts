import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { Merchant, MerchantResponse, Shapes } from '../../contracts/client/merchant-client.ts'

const PRICE = { amount: 4_990, description: 'Two jars of honey' }

/**
 * Creates a small web shop for tests over the merchant client: a checkout with BLIK and IRIS, and a page for each
 * order.
 */
export function createTestShop(merchant: Merchant): Hono {
  const till = createTill(merchant)
  const shop = new Hono()
  const started = async (c: Context, starting: Promise<string | undefined>) => {
    const nextStep = await starting
    return nextStep ? c.redirect(nextStep, 303) : c.html(checkout('The payment was not accepted.'))
  }
  shop.get('/', c => c.html(checkout()))
  shop.post('/pay/blik', async c => started(c, till.payByCode(String((await c.req.parseBody()).code))))
  shop.post('/pay/iris', c => started(c, till.payAtBank(c.req.url)))
  shop.get('/orders/:order', async c => c.html(order(await till.follow(c.req.param('order')), c.req.path)))
  shop.post('/orders/:order/refund', async c => {
    await till.refund(c.req.param('order'))
    return c.redirect(`/orders/${c.req.param('order')}`, 303)
  })
  return shop
}

/** Payments of the shop: initiates them, follows their status, refunds them. */
function createTill(merchant: Merchant) {
  const [processingAccountId = ''] = merchant.credentials.processingAccountIds
  const payments = new Map<string, string>()
  const transactionOf = (order: string) => payments.get(order) ?? ''
  const newOrder = () => `order-${payments.size + 1}`
  const common = (order: string) =>
    ({ processingAccountId, clientTransactionId: order, transactionType: 'ONE_TIME' }) as const

  /** Address to redirect the shopper to, if the payment was accepted. */
  const nextStep = (order: string, answer: MerchantResponse<Shapes['InitiateResponse']>): string | undefined => {
    if (!answer.ok || answer.body.status === 'DECLINED') return undefined
    payments.set(order, answer.body.transactionId)
    return answer.body.providerDetails.redirectUrl ?? `/orders/${order}`
  }

  return {
    async payByCode(oneTimeCode: string) {
      const order = newOrder()
      const answer = await merchant.initiate({
        ...common(order),
        paymentDetails: { ...PRICE, currency: 'PLN', country: 'PL' },
        providerDetails: { providerId: 'BLIK' },
        payerDetails: { oneTimeCode },
      })
      return nextStep(order, answer)
    },
    async payAtBank(shopUrl: string) {
      const order = newOrder()
      const answer = await merchant.initiate({
        ...common(order),
        returnUrl: new URL(`/orders/${order}?from=bank&note=a%20b`, shopUrl).href,
        paymentDetails: { ...PRICE, currency: 'EUR', country: 'GR' },
        providerDetails: { providerId: 'IRIS' },
        payerDetails: { payerId: 'shopper-1' },
      })
      return nextStep(order, answer)
    },
    /** Finalizes the payment once the shopper has approved; returns its current state. */
    async follow(order: string): Promise<string> {
      const transactionId = transactionOf(order)
      const seen = await merchant.status(transactionId)
      if (seen.ok && seen.body.status === 'ACCEPTED') await merchant.finalize({ processingAccountId, transactionId })
      const now = await merchant.status(transactionId)
      return now.ok ? (now.body.lifecycle?.state ?? now.body.status) : 'UNKNOWN'
    },
    refund: (order: string) =>
      merchant.refund({
        processingAccountId,
        clientTransactionId: `${order}-refund`,
        transactionId: transactionOf(order),
        paymentDetails: { description: 'The jars broke' },
      }),
  }
}

const page = (title: string, refreshes: boolean, body: unknown) => html`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">
${refreshes ? html`<meta http-equiv="refresh" content="1">` : ''}
<h1>${title}</h1>${body}</html>`

const checkout = (problem?: string) =>
  page(
    'Checkout',
    false,
    html`
<p role="alert" data-testid="shop-problem">${problem}</p>
<form method="post" action="/pay/blik"><label>BLIK code <input name="code" data-testid="shop-blik-code"></label>
<button data-testid="shop-pay-blik">Pay with BLIK</button></form>
<form method="post" action="/pay/iris"><button data-testid="shop-pay-iris">Pay with IRIS</button></form>`,
  )

const order = (state: string, path: string) =>
  page(
    'Your order',
    state !== 'REFUNDED',
    html`
<p data-testid="shop-state">${state}</p>
${state === 'SETTLED' ? html`<form method="post" action="${path}/refund"><button data-testid="shop-refund">Refund</button></form>` : ''}`,
  )

import { readFileSync } from 'node:fs'
import type { Merchant } from '@assay-sandbox/assay/merchant'
import { type Context, Hono } from 'hono'
import { createOrders, type Order } from './orders.ts'
import { checkout, orderPage } from './pages.ts'

const ZLOTY = { amount: 4_990, currency: 'PLN', country: 'PL', description: 'Two jars of honey' }
const EURO = { amount: 1_190, currency: 'EUR', country: 'GR', description: 'Two jars of honey' }

/** Milliseconds for which the shop waits for webhooks before it polls the status. */
const PATIENCE_MS = 15_000

type Parts = {
  merchant: Merchant
  /** Secrets of the webhook endpoint: two during a rotation; none without an endpoint. */
  secrets?: readonly string[]
}

/** Creates the example shop, a small web shop: a checkout with BLIK and IRIS, and webhooks that update its orders. */
export const createShop = ({ merchant, secrets = [] }: Parts): Hono => {
  const orders = createOrders(merchant)
  const asked = new Map<string, number>()
  const shop = new Hono()

  /** Polls the status if webhooks are missing for long or there are none, or if no response came, at a limited rate. */
  const lookedAt = async (order: Order): Promise<Order> => {
    const patience = secrets.length > 0 && order.state !== 'unknown' ? PATIENCE_MS : 1_000
    const due = (asked.get(order.id) ?? 0) + patience < Date.now()
    if (!due || !['waiting', 'unknown', 'starting'].includes(order.state)) return order
    asked.set(order.id, Date.now())
    return orders.follow(order)
  }
  const start = async (c: Context, order: Order, way: Parameters<typeof orders.pay>[1]) => {
    asked.set(order.id, Date.now())
    const redirect = await orders.pay(order, way)
    return c.redirect(redirect ?? `/orders/${order.id}`, 303)
  }

  shop.get('/', c => c.html(checkout()))
  shop.post('/pay/blik', async c => {
    const code = String((await c.req.parseBody()).code).replace(/\D/g, '')
    if (code.length !== 6) return c.html(checkout('A BLIK code has six digits.'), 400)
    return start(c, orders.open(), { price: ZLOTY, provider: 'BLIK', payer: { oneTimeCode: code } })
  })
  shop.post('/pay/iris', async c => {
    const order = orders.open()
    const returnUrl = new URL(`/orders/${order.id}?from=bank`, c.req.url).href
    return start(c, order, { price: EURO, provider: 'IRIS', payer: { payerId: 'shopper-1' }, returnUrl })
  })
  shop.get('/orders/:id', async c => {
    const order = orders.get(c.req.param('id'))
    if (!order) return c.notFound()
    // Whoever comes back from the bank has decided: that is worth one look.
    return c.html(orderPage(c.req.query('from') === 'bank' ? await orders.follow(order) : await lookedAt(order)))
  })
  shop.get('/orders/:id/state', async c => {
    const order = orders.get(c.req.param('id'))
    return order ? c.json({ state: (await lookedAt(order)).state }) : c.notFound()
  })
  shop.post('/orders/:id/refund', async c => {
    const order = orders.get(c.req.param('id'))
    if (!order) return c.notFound()
    await orders.refund(order)
    return c.redirect(`/orders/${order.id}`, 303)
  })
  shop.post('/webhooks', receive({ merchant, secrets, told: orders.told }))
  for (const [path, type] of [
    ['/shop.css', 'text/css'],
    ['/shop.js', 'text/javascript'],
  ] as const)
    shop.get(path, c => c.body(readFileSync(new URL(`.${path}`, import.meta.url)), 200, { 'Content-Type': type }))
  return shop
}

type Receiving = Required<Parts> & { told: ReturnType<typeof createOrders>['told'] }

/** Webhook handler: verifies, acknowledges at once and works afterwards; duplicates are ignored. */
const receive = ({ merchant, secrets, told }: Receiving) => {
  const seen = new Set<string>()
  return async (c: Context) => {
    const body = new Uint8Array(await c.req.arrayBuffer())
    const header = (name: string) => c.req.header(name)
    const { pathname, search } = new URL(c.req.url)
    const verdict = await merchant.verifyWebhook({ target: `${pathname}${search}`, header, body }, secrets)
    if (!verdict.ok) return c.json({ error: verdict.message }, 401)
    const { notification } = verdict
    if (!seen.has(notification.notificationId)) {
      seen.add(notification.notificationId)
      void told(notification).catch(error => console.error(error))
    }
    return c.body(null, 204)
  }
}

import { Hono } from 'hono'
import { parseJson } from '../../contracts/protocol/parse-json-keeping-big-integers.ts'
import type { createShopOrders } from './pay-and-refund-shop-orders.ts'
import type { ShopMerchants } from './shop-merchant-clients.ts'

type Parts = {
  merchants: ShopMerchants
  orders: Pick<ReturnType<typeof createShopOrders>, 'told'>
  /** Secrets of the shop's endpoint, two during a rotation; none before a shop has sold anything. */
  secretsOf: (organizationId: string) => Promise<readonly string[]>
  /** Called when a webhook has been verified. */
  received: (organizationId: string) => void
  onError: (error: unknown) => void
}

/** Returns the path at which the demo shop of an organization receives its webhooks. */
export const webhookPath = (organizationId: string): string => `/shop/webhooks/${organizationId}`

/**
 * Creates the route at which shops receive webhooks as any merchant does: both signatures are verified, it is acknowledged at once,
 * and the order is followed afterwards. What does not verify gets 401, whether there is such an organization or not.
 */
export const shopWebhookRoutes = ({ merchants, orders, secretsOf, received, onError }: Parts): Hono =>
  new Hono().post(webhookPath(':organizationId'), async c => {
    const organizationId = c.req.param('organizationId') ?? ''
    const body = new Uint8Array(await c.req.arrayBuffer())
    const [merchant, secrets] = await Promise.all([merchants.of(organizationId), secretsOf(organizationId)])
    const webhook = { target: c.req.path, header: (name: string) => c.req.header(name), body }
    const verdict = (await merchant?.verifyWebhook(webhook, secrets)) ?? NOT_VERIFIED
    if (!verdict.ok) return c.json({ error: verdict.message }, 401)
    received(organizationId)
    const notice = parseJson(Buffer.from(body).toString('utf8'))
    void orders.told(organizationId, (notice ?? {}) as object).catch(onError)
    return c.body(null, 204)
  })

const NOT_VERIFIED = { ok: false, message: 'the signature of the webhook is by none of the secrets' } as const

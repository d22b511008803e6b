import type { Merchant } from '@assay-sandbox/assay/merchant'
import type { Hono } from 'hono'
import type { ShopChange } from './example-shop-driver.ts'

/** Creates a change of the example shop from a function that may respond to webhooks in place of the shop. */
export const interceptWebhooks = (
  hear: (notification: Heard, request: Request) => Response | undefined,
): ShopChange => ({
  before: (shop: Hono) => async request => {
    if (!request.url.endsWith('/webhooks')) return shop.fetch(request)
    const own = hear(JSON.parse(await request.clone().text()), request)
    return own ?? shop.fetch(request)
  },
})
type Heard = {
  notificationType: string
  transactionId: string
  status: string
  somethingNew?: unknown
  lifecycle?: { state: string }
}

export const respond500 = () => new Response(null, { status: 500 })

/**
 * Creates a faulty change of the example shop: it finalizes again under a new key when a notification is delivered
 * twice.
 */
export function finalizeOnRepeatedDelivery(): ShopChange {
  const seen = new Set<string>()
  let merchant: Merchant | undefined
  return {
    merchant: good => {
      merchant = good
      return good
    },
    before: shop => async request => {
      const text = await request.clone().text()
      const answer = await shop.fetch(request)
      if (!request.url.endsWith('/webhooks')) return answer
      const { notificationId, notificationType, transactionId } = JSON.parse(text)
      const processingAccountId = merchant?.credentials.processingAccountIds[0] ?? ''
      const isNews = notificationType !== 'PAYMENT_CAPTURE' || !seen.has(notificationId)
      if (!isNews) await merchant?.finalize({ processingAccountId, transactionId })
      seen.add(notificationId)
      return answer
    },
  }
}

/**
 * Creates a faulty change of the example shop: it refuses webhooks of a pending payment until its initiate response has
 * arrived.
 */
export function refuseBeforeInitiateResponse(): ShopChange {
  const known = new Set<string>()
  return {
    merchant: good => ({
      ...good,
      initiate: async (...sent) => {
        const answer = await good.initiate(...sent)
        if (answer.ok) known.add(answer.body.transactionId)
        return answer
      },
    }),
    before: shop => async request => {
      if (!request.url.endsWith('/webhooks')) return shop.fetch(request)
      const { transactionId, status } = JSON.parse(await request.clone().text())
      return status !== 'PENDING' || known.has(transactionId) ? shop.fetch(request) : respond500()
    },
  }
}

const ORDER = ['AWAITING_SHOPPER', 'AUTHENTICATED', 'AUTHORIZED', 'CAPTURED', 'SETTLED']

/** Creates a faulty webhook handler that refuses notifications with an older state than one received before. */
export function refuseOlderStates() {
  let newest = 0
  return ({ lifecycle }: Heard): Response | undefined => {
    const place = ORDER.indexOf(lifecycle?.state ?? '')
    if (place < newest) return respond500()
    newest = place
    return undefined
  }
}

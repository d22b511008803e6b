import type { Merchant } from 'assay/merchant'
import type { Hono } from 'hono'
import type { Spoil } from './shop-world.ts'

/** A shop whose receiver of webhooks says something of its own first. */
export const receiving = (hear: (notification: Heard, request: Request) => Response | undefined): Spoil => ({
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

export const refuse = () => new Response(null, { status: 500 })

/** Finalizes under a new key whenever a notification has come before. */
export function actingTwice(): Spoil {
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
      const isNews = notificationType !== 'PAYMENT_FINALIZE' || !seen.has(notificationId)
      if (!isNews) await merchant?.finalize({ processingAccountId, transactionId })
      seen.add(notificationId)
      return answer
    },
  }
}

/** Refuses the first webhook of a payment until the call that began it has been answered. */
export function awaitingAnswer(): Spoil {
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
      return status !== 'PENDING' || known.has(transactionId) ? shop.fetch(request) : refuse()
    },
  }
}

const ORDER = ['AWAITING_SHOPPER', 'AUTHENTICATED', 'AUTHORIZED', 'CAPTURED', 'SETTLED']

/** Refuses what is older than something heard before. */
export function inOrder() {
  let newest = 0
  return ({ lifecycle }: Heard): Response | undefined => {
    const place = ORDER.indexOf(lifecycle?.state ?? '')
    if (place < newest) return refuse()
    newest = place
    return undefined
  }
}

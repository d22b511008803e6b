import { randomUUID } from 'node:crypto'
import type { Merchant } from '@assay-sandbox/assay/merchant'
import { createMerchant } from '@assay-sandbox/assay/merchant'
import type { ShopChange } from './example-shop-driver.ts'
import {
  finalizeOnRepeatedDelivery,
  interceptWebhooks,
  refuseBeforeInitiateResponse,
  refuseOlderStates,
  respond500,
} from './faulty-webhook-handlers.ts'

type Initiate = Merchant['initiate']
type Sent = Parameters<Initiate>
type Got = Awaited<ReturnType<Initiate>>

/** A shop change that replaces how `initiate` is called. */
const beginning = (begin: (merchant: Merchant, ...sent: Sent) => Promise<Got>): ShopChange => ({
  merchant: good => {
    const bare = createMerchant(good.credentials)
    return { ...good, initiate: (...sent) => begin(bare, ...sent) }
  },
})

/** Sends initiate and accepts the response without verifying its signature. */
const unverified = async (merchant: Merchant, [json, more]: Sent): Promise<Got> => {
  const exchange = await merchant.request('initiate', { ...more, json })
  const body = JSON.parse(String(exchange.response?.body))
  return { ok: true, status: exchange.response?.status ?? 0, exchange, body } as Got
}

/** Takes a webhook for what it says, without verifying it. */
const unverifiedWebhook = (body: Uint8Array) => ({
  ok: true as const,
  notification: JSON.parse(Buffer.from(body).toString()),
})

/**
 * Faulty shops for tests of conduct, by the one rule that each breaks: the example shop with one defect, and the drill
 * that shows it.
 */
export const FAULTY_SHOPS: Readonly<Record<string, { drill: string; name: string; spoil: ShopChange }>> = {
  'CND-01': {
    name: 'takes a new key when no answer comes',
    drill: 'NEVER_ARRIVED',
    spoil: beginning(async (merchant, json, more) => {
      const answer = await merchant.initiate(json, more)
      return answer.ok ? answer : merchant.initiate(json, { idempotencyKey: randomUUID() })
    }),
  },
  'CND-02': {
    name: 'tries a declined payment once more',
    drill: 'DECLINED',
    spoil: {
      merchant: good => ({
        ...good,
        finalize: async (...sent) => {
          await good.finalize(...sent)
          return good.finalize(sent[0], { idempotencyKey: randomUUID() })
        },
      }),
    },
  },
  'CND-03': {
    name: 'does not wait for Retry-After',
    drill: 'TOO_MANY_CALLS',
    spoil: beginning(async (merchant, ...sent) => {
      const answer = await merchant.initiate(...sent)
      return answer.status === 429 ? merchant.initiate(...sent) : answer
    }),
  },
  'CND-04': {
    name: 'knocks at one pace',
    drill: 'PROVIDER_DOWN',
    spoil: beginning(async (merchant, ...sent) => {
      for (let times = 0; times < 3; times += 1) {
        const answer = await merchant.initiate(...sent)
        if (answer.ok) return answer
        await new Promise(resolve => setTimeout(resolve, 1_000))
      }
      return merchant.initiate(...sent)
    }),
  },
  'CND-05': {
    name: 'has one key for everything',
    drill: 'PLAIN_PAYMENT',
    spoil: {
      merchant: good => {
        let key: string | undefined
        return {
          ...good,
          initiate: (json, more) => {
            key = more?.idempotencyKey
            return good.initiate(json, more)
          },
          finalize: async (json, more) => {
            const answer = await good.finalize(json, { ...more, ...(key ? { idempotencyKey: key } : {}) })
            return answer.ok ? answer : good.finalize(json, more)
          },
        }
      },
    },
  },
  'CND-06': {
    name: 'fetches a token for every call',
    drill: 'THREE_SHOPPERS',
    spoil: {
      merchant: good => {
        const once = () => createMerchant(good.credentials)
        return {
          ...good,
          initiate: (...sent) => once().initiate(...sent),
          finalize: (...sent) => once().finalize(...sent),
          status: (...sent) => once().status(...sent),
        }
      },
    },
  },
  'CND-07': {
    name: 'never renews its token',
    drill: 'TOKEN_ENDED',
    spoil: {
      merchant: good => {
        const token = good.tokenFor()
        const initiate: Initiate = async (json, more) => {
          const exchange = await good.request('initiate', { ...more, json }, { token: await token })
          const body = JSON.parse(String(exchange.response?.body))
          const status = exchange.response?.status ?? 0
          return { status, exchange, ...(status < 300 ? { ok: true, body } : { ok: false, refusal: body }) } as Got
        }
        return { ...good, initiate }
      },
    },
  },
  'CND-08': {
    name: 'polls',
    drill: 'PLAIN_PAYMENT',
    spoil: beginning(async (merchant, ...sent) => {
      const answer = await merchant.initiate(...sent)
      for (let times = 0; answer.ok && times < 12; times += 1) await merchant.status(answer.body.transactionId)
      return answer
    }),
  },
  'CND-09': {
    name: 'believes an answer that somebody changed',
    drill: 'TAMPERED_RESPONSE',
    spoil: beginning(async (merchant, ...sent) => {
      const believed = await unverified(merchant, sent)
      if (believed.ok) await merchant.status(believed.body.transactionId)
      return merchant.initiate(...sent)
    }),
  },
  'CND-10': {
    name: 'stumbles over a field that it does not know',
    drill: 'WEBHOOK_OF_TOMORROW',
    spoil: interceptWebhooks(({ somethingNew }) => (somethingNew === undefined ? undefined : respond500())),
  },
  'CND-11': {
    name: 'looks at no signature of a webhook',
    drill: 'WEBHOOK_FORGED',
    spoil: { merchant: good => ({ ...good, verifyWebhook: async ({ body }) => unverifiedWebhook(body) }) },
  },
  'CND-12': {
    name: 'looks at no timestamp of a webhook',
    drill: 'WEBHOOK_STALE',
    spoil: { merchant: good => ({ ...good, verifyWebhook: async ({ body }) => unverifiedWebhook(body) }) },
  },
  'CND-13': {
    name: 'is too busy for a webhook',
    drill: 'PLAIN_PAYMENT',
    spoil: interceptWebhooks(({ notificationType }) =>
      notificationType === 'PAYMENT_CAPTURE' ? respond500() : undefined,
    ),
  },
  'CND-14': {
    name: 'does again what it did when a webhook comes again',
    drill: 'WEBHOOK_TWICE',
    spoil: finalizeOnRepeatedDelivery(),
  },
  'CND-15': {
    name: 'knows no payment before it has the answer',
    drill: 'WEBHOOK_BEFORE_RESPONSE',
    spoil: refuseBeforeInitiateResponse(),
  },
  'CND-16': {
    name: 'is confused by a consent before the shopper is back',
    drill: 'WEBHOOK_BEFORE_RETURN',
    spoil: {
      before: shop => async request => {
        const text = await request.clone().text()
        const answer = await shop.fetch(request)
        return request.url.endsWith('/webhooks') && text.includes('"ACCEPTED"') ? respond500() : answer
      },
    },
  },
  'CND-17': {
    name: 'wants webhooks in order',
    drill: 'WEBHOOK_OUT_OF_ORDER',
    spoil: interceptWebhooks(refuseOlderStates()),
  },
  'CND-18': {
    name: 'finishes only what the shopper comes back for',
    drill: 'SHOPPER_GONE',
    spoil: interceptWebhooks(() => new Response(null, { status: 204 })),
  },
  'CND-19': {
    name: 'goes on with the key that it began with',
    drill: 'KEY_ROTATION',
    spoil: { merchant: good => createMerchant(good.credentials) },
  },
  'CND-20': {
    name: 'forgets to finalize',
    drill: 'PLAIN_PAYMENT',
    spoil: {
      merchant: good => ({ ...good, finalize: (() => Promise.reject(new Error('later'))) as Merchant['finalize'] }),
    },
  },
  'CND-21': {
    name: 'authorizes and never captures',
    drill: 'WEEK_LATER',
    spoil: beginning((merchant, json, more) =>
      merchant.initiate({ ...json, paymentDetails: { ...json.paymentDetails, autoCapture: false } }, more),
    ),
  },
  'CND-22': {
    name: 'writes a card number into the metadata',
    drill: 'PLAIN_PAYMENT',
    spoil: beginning((merchant, json, more) =>
      merchant.initiate({ ...json, metadata: { note: 'card 4111 1111 1111 1111' } }, more),
    ),
  },
  'CND-23': {
    name: 'takes a new key after a decline for now',
    drill: 'PROVIDER_MAINTENANCE',
    spoil: { merchant: good => ({ ...good, finalize: json => good.finalize(json, { idempotencyKey: randomUUID() }) }) },
  },
}

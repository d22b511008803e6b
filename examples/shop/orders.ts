import { randomUUID } from 'node:crypto'
import { isTemporaryDecline, type Merchant, type MerchantResponse, type Shapes } from '@assay-sandbox/assay/merchant'

/** State of an order in the example shop as the shopper sees it. */
export type OrderState = 'starting' | 'waiting' | 'paid' | 'refunded' | 'failed' | 'unknown'

export type Order = {
  id: string
  state: OrderState
  /** Message for the shopper when the payment failed. */
  problem?: string
  transactionId?: string
  /** Page of the bank on which the shopper confirms the payment. */
  redirect?: string
  /** The initiated payment, to be repeated under the same key when no response came. */
  way?: Way
  /** One idempotency key per operation, reused for its retries (I2). */
  keys: Record<'initiate' | 'finalize' | 'refund', string>
}

export type Way = { price: Price; provider: 'BLIK' | 'IRIS'; payer: Record<string, string>; returnUrl?: string }
type Price = { amount: number; currency: string; country: string; description: string }
type Told = { transactionId: string; clientTransactionId: string }

const FINAL: readonly OrderState[] = ['refunded', 'failed']

/** Whether the provider declined temporarily: the same call under its key is worth a retry (7.4.2). */
const isForNow = ({ status, statusInfo }: Answer): boolean =>
  status === 'DECLINED' && isTemporaryDecline(statusInfo.reasonCode)
type Answer = Pick<Shapes['StatusResponse'], 'status' | 'statusInfo'>

/** Creates the order book of the example shop, whose methods open orders and carry out their payments. Every method may be repeated, by its idempotency key. */
export const createOrders = (merchant: Merchant) => {
  const orders = new Map<string, Order>()
  const [processingAccountId = ''] = merchant.credentials.processingAccountIds

  const open = (): Order => {
    const keys = { initiate: randomUUID(), finalize: randomUUID(), refund: randomUUID() }
    const order: Order = { id: `order-${randomUUID()}`, state: 'starting', keys }
    orders.set(order.id, order)
    return order
  }

  /** Initiates a payment; returns the redirect URL, if any. */
  const begin = async (order: Order, way: Way): Promise<string | undefined> => {
    const { price, provider, payer, returnUrl } = way
    order.way = way
    const request = {
      processingAccountId,
      clientTransactionId: order.id,
      transactionType: 'ONE_TIME' as const,
      paymentDetails: price,
      providerDetails: { providerId: provider },
      payerDetails: payer,
      ...(returnUrl === undefined ? {} : { returnUrl }),
    }
    const answer = await decided(() => merchant.initiate(request, { idempotencyKey: order.keys.initiate }))
    if (answer?.ok) {
      order.transactionId = answer.body.transactionId
      if (order.state !== 'paid') settle(order, answer.body)
      const { redirectUrl } = answer.body.providerDetails
      if (redirectUrl !== undefined) order.redirect = redirectUrl
      return redirectUrl
    }
    if (answer) fail(order, answer.refusal)
    else order.state = 'unknown'
    return undefined
  }

  /** Reads the status of a payment and finalizes it if accepted. The content of a webhook is never trusted. */
  const goOn = async (order: Order): Promise<Order> => {
    if (order.state === 'unknown' && order.way && order.transactionId === undefined) await begin(order, order.way)
    if (order.transactionId === undefined || FINAL.includes(order.state)) return order
    const { transactionId } = order
    const seen = await answered(() => merchant.status(transactionId))
    if (!seen?.ok) return order
    if (seen.body.status !== 'ACCEPTED') return settle(order, seen.body)
    const request = { processingAccountId, transactionId }
    const done = await decided(() => merchant.finalize(request, { idempotencyKey: order.keys.finalize }))
    return done?.ok && !isForNow(done.body) ? settle(order, done.body) : order
  }

  /** Serializes work per order: a webhook, a shopper's return and our own call may come at once. */
  const turns = new Map<string, Promise<unknown>>()
  const inTurn = <Outcome>(order: Order, work: () => Promise<Outcome>): Promise<Outcome> => {
    const mine = (turns.get(order.id) ?? Promise.resolve()).then(work)
    turns.set(
      order.id,
      mine.catch(() => undefined),
    )
    return mine
  }
  const pay = (order: Order, way: Way) => inTurn(order, () => begin(order, way))
  const follow = (order: Order) => inTurn(order, () => goOn(order))

  /** The lifecycle forbids the refund yet: reads the status before another may be asked for, under a key of its own (7.4.1). */
  const reconcileRefund = async (order: Order, transactionId: string): Promise<void> => {
    order.keys.refund = randomUUID()
    await answered(() => merchant.status(transactionId))
  }

  return {
    open,
    pay,
    follow,
    get: (id: string) => orders.get(id),
    /** Handles a webhook, which may come before the response to our own call; it is found by our reference. */
    told: async ({ transactionId, clientTransactionId }: Told): Promise<void> => {
      const order = orders.get(clientTransactionId)
      if (!order) return
      order.transactionId ??= transactionId
      await follow(order)
    },
    refund: async (order: Order): Promise<Order> => {
      if (order.transactionId === undefined || order.state !== 'paid') return order
      const request = {
        processingAccountId,
        clientTransactionId: `${order.id}-refund`,
        transactionId: order.transactionId,
        paymentDetails: { description: 'The jars broke' },
      }
      const done = await answered(() => merchant.refund(request, { idempotencyKey: order.keys.refund }))
      if (done?.status === 422) await reconcileRefund(order, order.transactionId)
      if (done?.ok && done.body.status !== 'DECLINED') {
        order.state = 'refunded'
        delete order.problem
      } else order.problem = (done?.ok ? done.body : done?.refusal)?.statusInfo?.message ?? 'Nobody knows yet.'
      return order
    },
  }
}

const settle = (order: Order, { status, statusInfo }: Answer): Order => {
  if (status === 'APPROVED') order.state = 'paid'
  else if (status === 'DECLINED' || status === 'CANCELED') fail(order, { statusInfo })
  else order.state = 'waiting'
  return order
}

const fail = (order: Order, why: { statusInfo?: { message?: string } } | undefined): void => {
  order.state = 'failed'
  order.problem = why?.statusInfo?.message ?? 'The payment was not accepted.'
}

/** Waits in milliseconds before each retry of a call that was declined for now. */
const BACKOFF = [250, 500, 1_000]

/** Repeats a call under its key while the provider declines it for now (7.4.2); returns the last answer. */
const decided = async <Body extends Answer>(call: () => Promise<MerchantResponse<Body>>) => {
  for (const wait of BACKOFF) {
    const answer = await answered(call)
    if (!answer?.ok || !isForNow(answer.body)) return answer
    await new Promise(resolve => setTimeout(resolve, wait))
  }
  return answered(call)
}

/** Returns undefined for a lost or unverified response and for 5xx: the outcome is read later. */
const answered = async <Body>(
  call: () => Promise<MerchantResponse<Body>>,
): Promise<MerchantResponse<Body> | undefined> => {
  const answer = await call().catch(() => undefined)
  return answer && (answer.ok || answer.status < 500) ? answer : undefined
}

import type { Merchant } from '../../contracts/client/merchant-client.ts'
import { REFUSALS } from '../../contracts/protocol/reason-codes.ts'
import type { Purchase, ShopOrder, ShopStep } from '../../hosted-pages/shop/demo-shop-types.ts'
import { accountOf, decidedResponseOf, isForNow, responseOf, startPayment } from './shop-calls.ts'
import type { ShopMerchants } from './shop-merchant-clients.ts'
import {
  isFinal,
  isPaidBack,
  openOrder,
  orderFromPayment,
  problemOf,
  problemOfRefusal,
  refunded,
  settled,
} from './shop-order.ts'
import { createOrderMemory, type RememberedOrder } from './shop-order-memory.ts'

/** Milliseconds after which a waiting order is looked at although no webhook came: with webhooks, and without. */
const PATIENCE = { told: 15_000, untold: 2_000 }

/** Steps that an order shows. */
const MOST_STEPS = 12

const ORDER_ID = /^shop-[0-9a-f-]{36}$/
/** What the references of an order's calls begin with. */
const ORDER_PREFIX = /^shop-[0-9a-f-]{36}/

type Parts = {
  merchants: ShopMerchants
  realNow: () => number
  /** Whether webhooks of the organization come to this process: with replicas they may come to another. */
  isTold: (organizationId: string) => boolean
}

/** A verified notification: the payment that it names, where its dialect names one as ours does. */
type Notice = { notificationType?: unknown; transactionId?: unknown; clientTransactionId?: unknown }

/**
 * Creates the functions that pay, show, refund and follow the orders of the demo shops by calls of the payment API. An
 * order is kept in memory and read from the service where it is not there: a restart or another replica loses none.
 * Every method may be repeated.
 */
export const createShopOrders = ({ merchants, realNow, isTold }: Parts) => {
  const memory = createOrderMemory()

  const update = (organizationId: string, before: RememberedOrder, order: ShopOrder, step?: ShopStep) =>
    memory.set(organizationId, {
      ...before,
      readAt: realNow(),
      order: step ? { ...order, steps: [...order.steps, step].slice(-MOST_STEPS) } : order,
    })

  const called = (name: string, isGood: boolean): ShopStep => ({ kind: 'call', name, isGood })

  /** Reads an order from the service; undefined where no payment has its reference, or none can be asked for now. */
  const recover = async (merchant: Merchant, organizationId: string, orderId: string) => {
    const query = { processingAccountId: accountOf(merchant), clientTransactionId: orderId, limit: 1 }
    const found = await responseOf(merchant.search(query))
    const transactionId = found?.ok ? found.body.payments[0]?.transactionId : undefined
    const whole = transactionId === undefined ? undefined : await responseOf(merchant.events(transactionId))
    if (!whole?.ok) return undefined
    return memory.set(organizationId, { order: orderFromPayment(orderId, whole.body), readAt: realNow() })
  }

  const begin = async (merchant: Merchant, before: RememberedOrder, purchase: Purchase): Promise<RememberedOrder> => {
    const { organizationId } = purchase
    const name = purchase.method === 'kept' ? 'charge' : 'initiate'
    const response = await decidedResponseOf(() => startPayment(merchant, purchase))
    if (!response) return update(organizationId, before, before.order, called(name, false))
    if (response.ok) {
      const { transactionId, providerDetails } = response.body
      const { redirectUrl } = providerDetails
      const started = { ...before.order, transactionId, ...(redirectUrl === undefined ? {} : { redirectUrl }) }
      return update(organizationId, before, settled(started, response.body), called(name, true))
    }
    const known = response.status === 409 ? await recover(merchant, organizationId, purchase.orderId) : undefined
    if (known) return known
    const failed = { ...before.order, state: 'failed' as const, ...problemOfRefusal(response.refusal) }
    const order = purchase.method === 'kept' ? { ...failed, reasonCode: REFUSALS.MANDATE_REFUSED.reasonCode } : failed
    return update(organizationId, before, order, called(name, false))
  }

  /** A refund may also come from elsewhere, as from another replica: the status does not tell it. */
  const afterRefunds = async (merchant: Merchant, order: ShopOrder, transactionId: string): Promise<ShopOrder> => {
    const whole = await responseOf(merchant.events(transactionId))
    return whole?.ok && isPaidBack(whole.body) ? refunded(order) : order
  }

  /**
   * Reads the status of a payment, and finalizes it once the shopper has approved; undefined where the payment is gone,
   * as after a reset.
   */
  const goOn = async (
    merchant: Merchant,
    organizationId: string,
    before: RememberedOrder,
  ): Promise<RememberedOrder | undefined> => {
    const { order, purchase } = before
    if (order.transactionId === undefined)
      return (
        (await recover(merchant, organizationId, order.orderId)) ??
        (purchase && order.state === 'unknown' ? begin(merchant, before, purchase) : before)
      )
    if (isFinal(order)) return before
    const { transactionId } = order
    if (order.state === 'paid')
      return update(organizationId, before, await afterRefunds(merchant, order, transactionId))
    const seen = await responseOf(merchant.status(transactionId))
    if (seen && !seen.ok && seen.status === 404) return void memory.forget(organizationId, order.orderId)
    if (!seen?.ok) return update(organizationId, before, order)
    if (seen.body.status !== 'ACCEPTED') return update(organizationId, before, settled(order, seen.body))
    const request = { processingAccountId: accountOf(merchant), transactionId }
    const key = { idempotencyKey: `${order.orderId}-finalize` }
    const done = await decidedResponseOf(() => merchant.finalize(request, key))
    if (!done?.ok || isForNow(done.body)) return update(organizationId, before, order, called('finalize', false))
    const isKept = done.body.payerDetails.paymentToken !== undefined
    const finalized = settled({ ...order, ...(isKept ? { isKept } : {}) }, done.body)
    return update(organizationId, before, finalized, called('finalize', true))
  }

  /** The order in memory, or else as the service has it; undefined where neither knows it. */
  const known = async (merchant: Merchant, organizationId: string, orderId: string) =>
    ORDER_ID.test(orderId)
      ? (memory.get(organizationId, orderId) ?? (await recover(merchant, organizationId, orderId)))
      : undefined

  const withOrder = async <Result>(
    organizationId: string,
    orderId: string,
    work: (merchant: Merchant, before: RememberedOrder) => Promise<Result>,
  ): Promise<Result | undefined> => {
    const merchant = await merchants.of(organizationId)
    if (!merchant) return undefined
    return memory.inTurn(organizationId, orderId, async () => {
      const before = await known(merchant, organizationId, orderId)
      return before && work(merchant, before)
    })
  }

  return {
    /** Pays for a purchase, once: whoever clicks twice, or comes back, gets the order as it is. */
    pay: async (purchase: Purchase): Promise<ShopOrder | undefined> => {
      const { organizationId, orderId } = purchase
      const merchant = await merchants.of(organizationId)
      if (!merchant || !ORDER_ID.test(orderId)) return undefined
      return memory.inTurn(organizationId, orderId, async () => {
        const before = memory.get(organizationId, orderId)
        if (before && before.order.state !== 'unknown') return before.order
        const opened = before ?? { order: openOrder(purchase), purchase, readAt: realNow() }
        return (await begin(merchant, opened, purchase)).order
      })
    },

    /** The order; looked at where the shopper comes back from a bank, or where no webhook came for long. */
    order: (organizationId: string, orderId: string, isBack: boolean): Promise<ShopOrder | undefined> =>
      withOrder(organizationId, orderId, async (merchant, before) => {
        const isPatient = isTold(organizationId) || before.order.state === 'paid'
        const isDue = isBack || before.readAt + (isPatient ? PATIENCE.told : PATIENCE.untold) <= realNow()
        return (isDue ? await goOn(merchant, organizationId, before) : before)?.order
      }),

    refund: (organizationId: string, orderId: string): Promise<ShopOrder | undefined> =>
      withOrder(organizationId, orderId, async (merchant, before) => {
        const { order } = before
        if (order.state !== 'paid' || order.transactionId === undefined) return order
        const { refusedRefunds = 0 } = before
        const reference = `${orderId}-refund${refusedRefunds === 0 ? '' : `-${refusedRefunds}`}`
        const done = await responseOf(
          merchant.refund(
            {
              processingAccountId: accountOf(merchant),
              clientTransactionId: reference,
              transactionId: order.transactionId,
              paymentDetails: { description: order.description },
            },
            { idempotencyKey: reference },
          ),
        )
        const isGood = done?.ok === true && done.body.status !== 'DECLINED'
        const { statusInfo } = (done?.ok ? done.body : done?.refusal) ?? {}
        const after = isGood ? refunded(order) : { ...order, ...(statusInfo ? problemOf(statusInfo) : { problem: '' }) }
        const counted = done && !isGood ? { ...before, refusedRefunds: refusedRefunds + 1 } : before
        return update(organizationId, counted, after, called('refund', isGood)).order
      }),

    /** Follows the payment of a verified webhook; its content is not trusted: the status is read. */
    told: async (organizationId: string, { clientTransactionId, notificationType }: Notice): Promise<void> => {
      const [named] = ORDER_PREFIX.exec(String(clientTransactionId)) ?? []
      const orderIds = clientTransactionId === undefined ? memory.waiting(organizationId) : named ? [named] : []
      for (const orderId of orderIds)
        await withOrder(organizationId, orderId, async (merchant, before) => {
          const step = { kind: 'webhook', name: String(notificationType ?? ''), isGood: true } as const
          return goOn(merchant, organizationId, update(organizationId, before, before.order, step))
        })
    },
  }
}

import type { Shapes } from '../../contracts/client/merchant-client.ts'
import { REFUSALS } from '../../contracts/protocol/reason-codes.ts'
import type { Purchase, ShopOrder } from '../../hosted-pages/shop/demo-shop-types.ts'

type Outcome = Pick<Shapes['StatusResponse'], 'status' | 'statusInfo'>

/** Whether an order of the demo shop is in a final state, in which it waits for nothing more. */
export const isFinal = ({ state }: ShopOrder): boolean => state === 'failed' || state === 'refunded'

/** Creates an order that has yet to be paid. */
export const openOrder = ({ orderId, method, price }: Purchase): ShopOrder => ({
  orderId,
  state: 'unknown',
  method: method === 'IRIS' ? 'IRIS' : 'BLIK',
  amount: price.amount,
  currency: price.currency,
  description: price.description,
  steps: [],
})

/**
 * Returns an order of the demo shop updated by the status of its payment; a refund is not undone by an older status.
 */
export const settled = (order: ShopOrder, { status, statusInfo }: Outcome): ShopOrder => {
  if (isFinal(order) || (order.state === 'paid' && status === 'APPROVED')) return order
  if (status === 'APPROVED') return withoutProblem({ ...order, state: 'paid' })
  if (status === 'DECLINED' || status === 'CANCELED') return { ...order, state: 'failed', ...problemOf(statusInfo) }
  return withoutProblem({ ...order, state: 'waiting' })
}

/** Returns an order of the demo shop marked as refunded, as its money is on its way back. */
export const refunded = (order: ShopOrder): ShopOrder => withoutProblem({ ...order, state: 'refunded' })

/** Returns what an order of the demo shop keeps of a refusal or decline. */
export const problemOf = ({
  message,
  reasonCode,
}: Outcome['statusInfo']): Pick<ShopOrder, 'problem' | 'reasonCode'> => ({
  problem: message,
  reasonCode,
})

/** Whether the whole amount of a payment was paid back; after a part, the order of a demo shop is still paid. */
export const isPaidBack = ({
  paymentDetails: { amount = 0, refundedAmount },
}: Pick<Shapes['EventsResponse'], 'paymentDetails'>): boolean => refundedAmount > 0 && refundedAmount >= amount

/**
 * Returns what an order of the demo shop keeps of a refused call. An invalid request has its reasonCode, by which the
 * page blames the BLIK code, only where no other field is named as the wrong one.
 */
export const problemOfRefusal = ({
  statusInfo,
  fields,
}: Partial<Shapes['Refusal']> = {}): ReturnType<typeof problemOf> => {
  if (!statusInfo) return {}
  const isOfCode = fields === undefined || Object.keys(fields).some(path => path.endsWith('oneTimeCode'))
  const isOfOther = statusInfo.reasonCode === REFUSALS.INVALID_INPUT.reasonCode && !isOfCode
  return isOfOther ? { problem: statusInfo.message } : problemOf(statusInfo)
}

const withoutProblem = ({ problem: _, reasonCode: __, ...order }: ShopOrder): ShopOrder => order

/** Returns the order of a payment that the service knows, as after a restart of the shop. */
export const orderFromPayment = (orderId: string, found: Shapes['EventsResponse']): ShopOrder => {
  const { providerDetails, paymentDetails, payerDetails, transactionId } = found
  const order: ShopOrder = {
    orderId,
    state: 'unknown',
    method: providerDetails.providerId === 'IRIS' ? 'IRIS' : 'BLIK',
    amount: paymentDetails.amount ?? 0,
    currency: paymentDetails.currency,
    description: paymentDetails.description,
    transactionId,
    ...(providerDetails.redirectUrl === undefined ? {} : { redirectUrl: providerDetails.redirectUrl }),
    ...(payerDetails.paymentToken === undefined ? {} : { isKept: true }),
    steps: [],
  }
  return isPaidBack(found) ? { ...order, state: 'refunded' } : settled(order, found)
}

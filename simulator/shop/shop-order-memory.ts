import type { Purchase, ShopOrder } from '../../hosted-pages/shop/demo-shop-types.ts'
import { createOneAtATime } from '../support/one-at-a-time.ts'

/** An order in memory; `readAt` is when its payment was last looked at, in epoch milliseconds. */
export type RememberedOrder = {
  order: ShopOrder
  purchase?: Purchase
  readAt: number
  /** How many refunds the service has refused: the next one has a key of its own, as a refusal is repeated under its key. */
  refusedRefunds?: number
}

/** Orders that a process remembers; older ones are read from the service when somebody asks. */
const LIMIT = 1_000

/** Creates the memory of orders, by organization and order id; work on one order is done one after the other. */
export const createOrderMemory = () => {
  const orders = new Map<string, RememberedOrder>()
  const oneAtATime = createOneAtATime()
  const keyOf = (organizationId: string, orderId: string): string => `${organizationId} ${orderId}`
  return {
    get: (organizationId: string, orderId: string) => orders.get(keyOf(organizationId, orderId)),
    set: (organizationId: string, remembered: RememberedOrder): RememberedOrder => {
      orders.set(keyOf(organizationId, remembered.order.orderId), remembered)
      const [oldest = ''] = orders.keys()
      if (orders.size > LIMIT) orders.delete(oldest)
      return remembered
    },
    forget: (organizationId: string, orderId: string): void => void orders.delete(keyOf(organizationId, orderId)),
    waiting: (organizationId: string): string[] =>
      [...orders].flatMap(([key, { order }]) =>
        key.startsWith(`${organizationId} `) && ['waiting', 'unknown'].includes(order.state) ? [order.orderId] : [],
      ),
    inTurn: <Result>(organizationId: string, orderId: string, work: () => Promise<Result>): Promise<Result> =>
      oneAtATime(keyOf(organizationId, orderId), work),
  }
}

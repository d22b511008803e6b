import { expect, test } from 'vitest'
import { createShopOrders } from '../../simulator/shop/pay-and-refund-shop-orders.ts'

const INITIATED = {
  transactionId: 'payment-1',
  providerDetails: {},
  status: 'PENDING',
  statusInfo: { reasonCode: '-1', message: '' },
}

test.each([500, 503])(
  '7.4: an order whose status fails with %i is asked for again after a while, not by every look',
  async status => {
    let [asked, now] = [0, 1_000_000]
    const merchant = {
      credentials: { processingAccountIds: ['shop-1'] },
      initiate: async () => ({ ok: true, status: 200, body: INITIATED }),
      status: async () => {
        asked += 1
        return { ok: false, status }
      },
    }
    const orders = createShopOrders({
      merchants: { of: async () => merchant, close: () => undefined },
      realNow: () => now,
      isTold: () => true,
    } as unknown as Parameters<typeof createShopOrders>[0])
    const orderId = 'shop-00000000-0000-4000-8000-000000000000'
    const price = { amount: 1, currency: 'PLN', country: 'PL', description: 'Honey' }
    const purchase = {
      organizationId: 'shop',
      orderId,
      method: 'BLIK',
      price,
      payerId: 'payer',
      code: '123456',
      locale: 'pl',
    }
    await orders.pay(purchase as unknown as Parameters<typeof orders.pay>[0])
    const look = async (after: number) => {
      now += after
      await orders.order('shop', orderId, false)
      return asked
    }
    expect([await look(16_000), await look(100), await look(100), await look(16_000)]).toEqual([1, 1, 1, 2])
  },
)

import { expect, test } from 'vitest'
import { problemInWords } from '../../hosted-pages/shop/order-problem.ts'
import type { Say } from '../../hosted-pages/text-lookup-by-language.ts'
import { createShopOrders } from '../../simulator/shop/pay-and-refund-shop-orders.ts'

type Parts = Parameters<typeof createShopOrders>[0]
type Purchase = Parameters<ReturnType<typeof createShopOrders>['pay']>[0]

const PURCHASE: Purchase = {
  organizationId: 'shop',
  orderId: 'shop-00000000-0000-4000-8000-000000000000',
  method: 'BLIK',
  price: { amount: 1, currency: 'PLN', country: 'PL', description: 'Honey' },
  payerId: 'payer',
  code: '123456',
  locale: 'pl',
}

/** The key of the text that an order's page shows where initiate was refused with 4000. */
const wordsFor = async (fields?: Record<string, string>) => {
  const refusal = {
    statusInfo: { reasonCode: '4000', message: 'The request is not valid.' },
    ...(fields && { fields }),
  }
  const merchant = {
    credentials: { processingAccountIds: ['shop-1'] },
    initiate: async () => ({ ok: false, status: 400, refusal }),
  }
  const parts = { merchants: { of: async () => merchant }, realNow: () => 1, isTold: () => true }
  const order = await createShopOrders(parts as unknown as Parts).pay(PURCHASE)
  expect(order?.state).toBe('failed')
  return order && problemInWords((key => key) as Say, order)
}

test.each([
  ['another member of the request', { processingAccountId: 'must have at most 64 characters' }, 'problemOther'],
  ['the code', { 'payerDetails.oneTimeCode': 'must be six digits' }, 'problemCode'],
  ['a code that D-42 has refused, without fields', undefined, 'problemCode'],
])('7.1: a refusal for %s blames the code only where it is wrong', async (_what, fields, words) => {
  expect(await wordsFor(fields)).toBe(words)
})

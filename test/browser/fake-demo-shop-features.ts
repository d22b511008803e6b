import type { ShopFeatures, ShopOrder } from '../../hosted-pages/shop/demo-shop-types.ts'

const WAITING: ShopOrder = {
  orderId: 'waiting',
  state: 'waiting',
  method: 'BLIK',
  amount: 999_999_999_999,
  currency: 'PLN',
  description: 'Something-with-a-name-of-one-very-long-word-that-goes-on-and-on-and-on-for-the-sake-of-this-test',
  transactionId: 'transaction-1',
  steps: [
    { kind: 'call', name: 'initiate', isGood: true },
    { kind: 'webhook', name: 'PAYMENT_INITIATE', isGood: true },
    { kind: 'call', name: 'finalize', isGood: false },
  ],
}

/** One order in each state that an order page shows. */
const ORDERS: readonly ShopOrder[] = [
  WAITING,
  { ...WAITING, orderId: 'at-bank', method: 'IRIS', currency: 'EUR', redirectUrl: 'http://localhost/iris/there' },
  { ...WAITING, orderId: 'paid', state: 'paid', isKept: true, amount: 3_490 },
  { ...WAITING, orderId: 'refunded', state: 'refunded' },
  {
    ...WAITING,
    orderId: 'failed',
    state: 'failed',
    problem: 'There is not enough money on the account.',
    reasonCode: '1001',
  },
  { ...WAITING, orderId: 'unknown', state: 'unknown', steps: [] },
]

/** Secret part of the URL of every shop in the fake of the demo shops, for browser tests. */
export const FAKE_SHOP_KEY = 'key'

/** Creates an in-memory fake of the features behind the pages of the demo shops, for browser tests. */
export const createFakeShop = (): ShopFeatures => {
  let made = 0
  return {
    keyOf: async () => FAKE_SHOP_KEY,
    isKey: async (_organizationId, key) => key === FAKE_SHOP_KEY,
    nameOf: organizationId => organizationId,
    newOrderId: () => {
      made += 1
      return `order-${made}`
    },
    newPayerId: () => 'shopper-0123456789abcdef0123',
    payerProofOf: async () => 'proof',
    isPayer: async () => true,
    pay: async () => WAITING,
    order: async (_organizationId, orderId) => ORDERS.find(order => order.orderId === orderId),
    refund: async () => WAITING,
    isKept: async () => true,
    timeline: async () => ({
      transactionId: 'transaction-1',
      clientTransactionId: 'waiting',
      providerId: 'BLIK',
      state: 'AWAITING_SHOPPER',
      status: 'PENDING',
      amount: 3_490,
      currency: 'PLN',
      description: WAITING.description,
      createdAt: 1_767_600_000_000,
      now: 1_767_600_003_000,
      marks: [],
    }),
  }
}

/** Returns one address for each page of the demo shop and the stage in each of its states, for browser tests. */
export const shopPageAddresses = (organizationId: string): [name: string, path: string][] => {
  const shop = `/shop/${organizationId}/${FAKE_SHOP_KEY}`
  return [
    ['shop', shop],
    ['shop, checkout', `${shop}/products/jar`],
    ['shop, code with too few digits', `${shop}/products/jar?code=wrong`],
    ...ORDERS.map(({ orderId }): [string, string] => [`shop, order ${orderId}`, `${shop}/orders/${orderId}`]),
    ['stage, no payment yet', `${shop}/timeline`],
  ]
}

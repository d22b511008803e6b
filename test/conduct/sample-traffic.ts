import type {
  ClientCall,
  ClientDelivery,
  ClientPayment,
  MerchantTraffic,
} from '../../contracts/conduct/merchant-traffic.ts'

let made = 0

/**
 * Returns a sample API call of a merchant's traffic that starts at this second: a successful token call unless `more`
 * changes it.
 */
export const call = (second: number, more: Partial<ClientCall> = {}): ClientCall => {
  made += 1
  const startedAt = second * 1000
  return { callId: `call-${made}`, startedAt, endedAt: startedAt + 10, status: 200, operation: 'token', ...more }
}

/** Returns a sample initiate call of a merchant's traffic that starts at this second. */
export const initiate = (second: number, more: Partial<ClientCall> = {}): ClientCall =>
  call(second, {
    operation: 'initiate',
    clientTransactionId: 'order-1',
    idempotencyKey: 'one',
    body: { a: 1 },
    ...more,
  })

export const finalize = (second: number, more: Partial<ClientCall> = {}): ClientCall =>
  call(second, { operation: 'finalize', transactionId: 'payment-1', idempotencyKey: 'two', body: { b: 1 }, ...more })

export const status = (second: number, more: Partial<ClientCall> = {}): ClientCall =>
  call(second, { operation: 'status', transactionId: 'payment-1', ...more })

/**
 * Returns a sample webhook delivery of a merchant's traffic at this second, which the shop answered with this HTTP
 * status.
 */
export const delivery = (second: number, answered: number, more: Partial<ClientDelivery> = {}): ClientDelivery => {
  made += 1
  const startedAt = second * 1000
  return {
    deliveryId: `delivery-${made}`,
    endpointId: 'endpoint-1',
    notificationId: `news-${made}`,
    transactionId: 'payment-1',
    injected: [],
    attempts: [{ startedAt, endedAt: startedAt + 10, status: answered }],
    ...more,
  }
}

export const payment = (states: string, more: Partial<ClientPayment> = {}): ClientPayment => ({
  transactionId: 'payment-1',
  clientTransactionId: 'order-1',
  states: states.split(' '),
  neverReturned: false,
  ...more,
})

export const traffic = (some: Partial<MerchantTraffic>): MerchantTraffic => ({
  calls: [],
  deliveries: [],
  payments: [],
  keys: [],
  until: 3_600_000,
  ...some,
})

import type { JournalEntry } from '../../simulator/journal/journal-entry.ts'
import type { Payment, PaymentEvent } from '../../simulator/payments/payment.ts'
import type { DeliveryWithAttempts, Message } from '../../simulator/store/webhook-store.ts'
import type { PaymentHistory } from '../../simulator/timeline/timeline.ts'

export const ID = '01a1fedd-706c-7ee3-bbd2-8e8de05e45cb'
export const START = Date.UTC(2026, 2, 2, 9, 30)

/** Builds the payment history of a timeline test; lists that the test does not give are empty. */
export const paymentHistoryOf = (more: Partial<PaymentHistory> = {}): PaymentHistory => ({
  payment: { transactionId: ID, clientTransactionId: 'order-7', createdAt: START, state: 'CAPTURED' } as Payment,
  events: [],
  calls: [],
  deliveries: [],
  inbox: [],
  activities: [],
  coming: [],
  ...more,
})

/** Builds the journal entry of a call for a timeline test, dated some milliseconds after START by both clocks. */
export const callAt = (after: number, more: Partial<JournalEntry> & { status?: number; sent?: string } = {}) => {
  const { status = 200, sent = JSON.stringify({ transactionId: ID }), ...rest } = more
  const at = new Date(START + after).toISOString()
  return {
    callId: `call-${after}`,
    at,
    clock: at,
    durationMilliseconds: 0,
    operation: 'finalize',
    request: { method: 'POST', target: '/payments/finalize', headers: {}, body: sent },
    response: { status, headers: {}, body: '{}' },
    ...rest,
  } satisfies JournalEntry
}

export const eventAt = (after: number, more: Partial<PaymentEvent> = {}): PaymentEvent => ({
  type: 'payment.authorized',
  cause: 'finalize',
  at: START + after,
  state: 'AUTHORIZED',
  statusInfo: { reasonCode: '-1', message: 'Authorized' },
  ...more,
})

export const messageAt = (after: number): Message => ({
  messageId: `sending-${after}`,
  notificationId: `notification-${after}`,
  type: 'PAYMENT_FINALIZE',
  transactionId: ID,
  clientTransactionId: 'order-7',
  body: '{}',
  dueAt: START + after,
  variation: {},
})

/** Builds a webhook delivery for a timeline test, with one attempt per status; 0 stands for a refused connection. */
export const deliveryAt = (after: number, statuses: readonly number[], between = 10_000): DeliveryWithAttempts => ({
  deliveryId: `delivery-${after}`,
  endpointId: 'endpoint-1',
  messageId: `sending-${after}`,
  firstDueAt: START + after,
  attemptCount: statuses.length,
  state: 'delivered',
  message: messageAt(after),
  attempts: statuses.map((status, nth) => ({
    at: START + after + nth * between,
    durationMilliseconds: 3,
    request: { method: 'POST', url: 'https://shop.example/hooks', headers: {} },
    ...(status === 0 ? { error: 'connection refused' } : { response: { status, headers: {}, body: '' } }),
  })),
})

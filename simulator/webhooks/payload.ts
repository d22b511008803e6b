import { type Cause, STATES } from '../payments/lifecycle.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import type { NotificationType } from './notification.ts'

/** What a merchant is told of each cause, and which sums beside the event's own (6, D-99). */
// biome-ignore format: a table reads by its columns
export const TOLD_AS = {
  initiate: { type: 'PAYMENT_INITIATE', sum: undefined },
  shopper:  { type: 'PAYMENT_INITIATE', sum: undefined },
  window:   { type: 'PAYMENT_INITIATE', sum: undefined },
  finalize: { type: 'PAYMENT_FINALIZE', sum: undefined },
  charge:   { type: 'PAYMENT_FINALIZE', sum: undefined },
  cancel:   { type: 'PAYMENT_FINALIZE', sum: undefined },
  hold:     { type: 'PAYMENT_FINALIZE', sum: undefined },
  capture:  { type: 'PAYMENT_CAPTURE',  sum: 'captured' },
  settle:   { type: 'PAYMENT_CAPTURE',  sum: 'captured' },
  refund:   { type: 'PAYMENT_REFUND',   sum: 'refunded' },
  dispute:  { type: 'PAYMENT_DISPUTE',  sum: 'refunded' },
} as const satisfies Record<Cause, { type: NotificationType; sum: 'captured' | 'refunded' | undefined }>

/** What a notification says (6, D-99). */
export type NotificationBody = {
  notificationId: string
  notificationType: string
  transactionId: string
  clientTransactionId: string
  status: string
  statusInfo: PaymentEvent['statusInfo']
  [more: string]: unknown
}

type Writing = { notificationId: string; showLifecycle: boolean }

/** The body that tells of an event; the sums are those after the change that it is part of. */
export const notificationBody = (
  payment: Payment,
  event: PaymentEvent,
  { notificationId, showLifecycle }: Writing,
): NotificationBody => {
  const { type, sum } = TOLD_AS[event.cause]
  const { transactionId, clientTransactionId, paymentToken } = payment
  const { stage, final } = STATES[event.state]
  return {
    notificationId,
    notificationType: type,
    transactionId,
    clientTransactionId,
    status: statusOf(event),
    statusInfo: event.statusInfo,
    ...(type === 'PAYMENT_FINALIZE' && paymentToken !== undefined ? { payerDetails: { paymentToken } } : {}),
    ...(sum === undefined || event.amount === undefined ? {} : { amount: event.amount }),
    ...(sum === undefined ? {} : { [`${sum}Amount`]: payment[sum] }),
    ...(showLifecycle ? { lifecycle: { state: event.state, stage, final } } : {}),
  }
}

/** The word for the event itself: a no or a not-yet that leaves the payment as it was says so all the same. */
const statusOf = ({ type, state }: PaymentEvent): string => {
  if (type.endsWith('-declined')) return 'DECLINED'
  return type.endsWith('-accepted') ? 'ACCEPTED' : STATES[state].status
}

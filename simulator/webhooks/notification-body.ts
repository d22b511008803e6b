import { type Cause, STATES } from '../payments/lifecycle.ts'
import type { NotificationType } from '../payments/notification-types.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'

/** Notification type of each cause of a change, and the total amount in its body beside the event's (6, D-99). */
// biome-ignore format: a table reads by its columns
export const NOTIFICATION_OF_CAUSE = {
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

/** Body of a notification (6, D-99). */
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

/** Creates the body of the notification of an event; totals are those after the whole change. */
export const createNotificationBody = (
  payment: Payment,
  event: PaymentEvent,
  { notificationId, showLifecycle }: Writing,
): NotificationBody => {
  const { type, sum } = NOTIFICATION_OF_CAUSE[event.cause]
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

/** Returns the status word of an event; a declined or accepted capture or refund has its own, not the payment's. */
const statusOf = ({ type, state }: PaymentEvent): string => {
  if (type.endsWith('-declined')) return 'DECLINED'
  return type.endsWith('-accepted') ? 'ACCEPTED' : STATES[state].status
}

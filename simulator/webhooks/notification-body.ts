import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { type Cause, STATES, statusOfEvent } from '../payments/lifecycle.ts'
import type { NotificationType } from '../payments/notification-types.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import { providerDetailsOfEvent } from '../payments/provider-details-of-capture-or-refund.ts'

/** Notification type of each cause of a change, and the total amount in its body beside the event's (6, D-99). */
// biome-ignore format: a table reads by its columns
const NOTIFICATION_OF_CAUSE = {
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
} as const satisfies Record<Cause, Kind>

type Kind = { type: NotificationType; sum: 'captured' | 'refunded' | undefined }

const SHOPPER_AS_FINALIZE = {
  shopper: { type: 'PAYMENT_FINALIZE', sum: undefined },
  window: { type: 'PAYMENT_FINALIZE', sum: undefined },
} as const
const SETTLEMENT_UNTOLD = { settle: undefined } as const

/** Causes of which a choice tells otherwise, or not at all. */
const OTHERWISE = {
  'every-event': {},
  'shopper-as-finalize': SHOPPER_AS_FINALIZE,
  'settlement-untold': SETTLEMENT_UNTOLD,
  'shopper-as-finalize-settlement-untold': { ...SHOPPER_AS_FINALIZE, ...SETTLEMENT_UNTOLD },
} as const satisfies Readonly<Record<string, Partial<Record<Cause, Kind | undefined>>>>

/** Returns how a cause is told by webhook; undefined for one that is not told. */
export const notificationOf = (cause: Cause, choices: DecisionChoices): Kind | undefined =>
  ({ ...NOTIFICATION_OF_CAUSE, ...OTHERWISE[choices['D-99']] })[cause]

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

type Writing = { kind: Kind; notificationId: string; showLifecycle: boolean }

/** Creates the body of the notification of an event; totals are those after the whole change. */
export const createNotificationBody = (
  payment: Payment,
  event: PaymentEvent,
  { kind: { type, sum }, notificationId, showLifecycle }: Writing,
): NotificationBody => {
  const { transactionId, clientTransactionId, paymentToken } = payment
  const { stage, final } = STATES[event.state]
  return {
    notificationId,
    notificationType: type,
    transactionId,
    clientTransactionId,
    status: statusOfEvent(event),
    statusInfo: event.statusInfo,
    ...(type === 'PAYMENT_FINALIZE' && paymentToken !== undefined ? { payerDetails: { paymentToken } } : {}),
    ...(sum === undefined || event.amount === undefined ? {} : { amount: event.amount }),
    ...(sum === undefined ? {} : { [`${sum}Amount`]: payment[sum] }),
    ...providerDetailsOfEvent(payment, event),
    ...(showLifecycle ? { lifecycle: { state: event.state, stage, final } } : {}),
  }
}

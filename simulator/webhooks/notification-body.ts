import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { type Cause, STATES, statusOfEvent } from '../payments/lifecycle.ts'
import type { NotificationType } from '../payments/notification-types.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import { providerDetailsOfEvent } from '../payments/provider-details-of-capture-or-refund.ts'

/** Notification type of each cause of a change, and the total amount in its body beside the event's (6, D-99). */
// biome-ignore format: a table reads by its columns
const NOTIFICATION_OF_CAUSE = {
  initiate: { type: 'PAYMENT_INITIATE', sum: undefined },
  shopper:  { type: 'PAYMENT_FINALIZE', sum: undefined },
  window:   { type: 'PAYMENT_FINALIZE', sum: undefined },
  consent:  { type: 'PAYMENT_FINALIZE', sum: undefined },
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

const OF_INITIATE = { type: 'PAYMENT_INITIATE', sum: undefined } as const

/** Causes whose notification type a choice changes. */
const OTHERWISE = {
  finalize: {},
  initiate: { shopper: OF_INITIATE, window: OF_INITIATE },
} as const satisfies Readonly<Record<string, Partial<Record<Cause, Kind>>>>

/** Events by which no step of the merchant ends: a shop that booked each notification would book one step twice. */
const AFTERMATHS = ['payment.remainder-released', 'payment.cancel-declined', 'payment.refund-accepted']
const SETTLEMENTS = ['payment.partially-settled', 'payment.settled']

/** Events that are not told, by choice. */
const UNTOLD = {
  once: [...AFTERMATHS, ...SETTLEMENTS],
  settlements: AFTERMATHS,
  'every-event': [],
} as const satisfies Readonly<Record<string, readonly string[]>>

/**
 * Returns the webhook's notification type for an event, and which total its body states; undefined for an event that is
 * not told (D-116).
 */
export const notificationOf = ({ type, cause }: PaymentEvent, choices: DecisionChoices): Kind | undefined =>
  (UNTOLD[choices['D-116']] as readonly string[]).includes(type)
    ? undefined
    : { ...NOTIFICATION_OF_CAUSE, ...OTHERWISE[choices['D-99']] }[cause]

/** Whether a webhook's notification type is that of an event, by either choice of D-99. */
export const mayTell = (type: string, { cause }: PaymentEvent): boolean =>
  [NOTIFICATION_OF_CAUSE, { ...NOTIFICATION_OF_CAUSE, ...OTHERWISE.initiate }].some(kinds => kinds[cause].type === type)

/** Body of a webhook notification (6, D-99). */
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

/** Creates the webhook body for an event of a payment; totals are those after the whole change. */
export const createNotificationBody = (
  payment: Payment,
  event: PaymentEvent,
  { kind: { type, sum }, notificationId, showLifecycle }: Writing,
): NotificationBody => {
  const { transactionId, clientTransactionId, paymentToken } = payment
  const { stage, final } = STATES[event.state]
  const amount = DISPUTES_WITHOUT_TRANSFER.includes(event.type) ? undefined : event.amount
  return {
    notificationId,
    notificationType: type,
    transactionId,
    clientTransactionId,
    status: statusOfEvent(event),
    statusInfo: event.statusInfo,
    ...(type === 'PAYMENT_FINALIZE' && paymentToken !== undefined ? { payerDetails: { paymentToken } } : {}),
    ...toNameOfStep(type, event),
    ...(sum === undefined || amount === undefined ? {} : { amount }),
    ...(sum === undefined ? {} : { [`${sum}Amount`]: payment[sum] }),
    ...providerDetailsOfEvent(payment, event),
    ...(showLifecycle ? { lifecycle: { state: event.state, stage, final } } : {}),
  }
}

/** Events of a dispute by which no money moves. */
const DISPUTES_WITHOUT_TRANSFER: readonly string[] = ['payment.disputed', 'payment.dispute-won']

const NAMES_OF_STEPS: Readonly<Partial<Record<NotificationType, 'capture' | 'refund'>>> = {
  PAYMENT_CAPTURE: 'capture',
  PAYMENT_REFUND: 'refund',
  PAYMENT_DISPUTE: 'refund',
}

/** Creates the member `capture` or `refund`, also of a lost dispute: the id of that step and the merchant's reference (D-48, D-50). */
const toNameOfStep = (type: NotificationType, { captureOrRefund }: PaymentEvent) => {
  const name = NAMES_OF_STEPS[type]
  return name && captureOrRefund ? { [name]: captureOrRefund } : {}
}

/** Types of webhook notifications of a payment (6). */
export const NOTIFICATION_TYPES = [
  'PAYMENT_INITIATE',
  'PAYMENT_FINALIZE',
  'PAYMENT_CAPTURE',
  'PAYMENT_REFUND',
  'PAYMENT_DISPUTE',
] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

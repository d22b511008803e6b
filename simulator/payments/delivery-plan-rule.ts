/** Deviations from normal webhook delivery that a delivery plan can apply to the notifications of a payment. */
export const DELIVERY_DEVIATIONS = [
  'duplicate',
  'reorder',
  'drop',
  'delay',
  'before-response',
  'before-return',
  'wrong-key',
  'stale-timestamp',
  'unknown-type',
  'extra-field',
] as const
export type DeliveryDeviation = (typeof DELIVERY_DEVIATIONS)[number]

/** Delivery deviations that take an `after`. */
export const TIMED_DEVIATIONS: readonly DeliveryDeviation[] = ['duplicate', 'reorder', 'delay', 'stale-timestamp']

/** A rule of a delivery plan: deviation `do` for notifications of type `on`, or of all; `after` in milliseconds. */
export type DeliveryRule = { on?: string; do: DeliveryDeviation; after?: number }

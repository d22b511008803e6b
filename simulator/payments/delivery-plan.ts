/** What a delivery plan can do to the notifications of a payment. */
export const PLAN_DEEDS = [
  'duplicate',
  'reorder',
  'drop',
  'delay',
  'before-answer',
  'before-return',
  'wrong-key',
  'stale-timestamp',
  'unknown-type',
  'extra-field',
] as const
export type PlanDeed = (typeof PLAN_DEEDS)[number]

/** A deviation in how a payment's notifications are delivered, of one type or of all; `after` in milliseconds. */
export type PlanRule = { on?: string; do: PlanDeed; after?: number }

import type { DeliveryDeviation, DeliveryRule } from '../payments/delivery-plan-rule.ts'
import type { Cause } from '../payments/lifecycle.ts'
import type { NotificationType } from '../payments/notification-types.ts'
import type { Payment } from '../payments/payment.ts'
import type { DeliveryPlan, DeliveryPlanMatch, MessageVariation } from '../store/webhook-store.ts'
import { MINUTE } from '../support/duration.ts'
import type { NotificationBody } from './notification-body.ts'

/** A webhook notification before it becomes a message: body, due time and deviations. */
export type NotificationDraft = {
  type: NotificationType
  cause: Cause
  body: NotificationBody
  dueAt: number
  variation: MessageVariation
}

/** Notifications as changed by delivery plans; the response waits for `waiting`; `spent` counts uses by planId. */
type PlannedNotifications = {
  drafts: readonly NotificationDraft[]
  waiting: readonly NotificationDraft[]
  spent: ReadonlyMap<string, number>
}

type Rule = DeliveryRule & { planId?: string; left?: number }

/** Applies a deviation to one notification; returns no, one or two notifications. */
type ApplyDeviation = (draft: NotificationDraft, after: number | undefined) => readonly NotificationDraft[]

const DEFAULT_DELAY = MINUTE
const DEFAULT_STALENESS = 10 * MINUTE

const delayed = (draft: NotificationDraft, milliseconds: number): NotificationDraft => ({
  ...draft,
  dueAt: draft.dueAt + milliseconds,
})
const withVariation = (draft: NotificationDraft, variation: MessageVariation): NotificationDraft => ({
  ...draft,
  variation: { ...draft.variation, ...variation },
})
const withDeviation = (draft: NotificationDraft, deviation: DeliveryDeviation): NotificationDraft =>
  withVariation(draft, { deviations: [...(draft.variation.deviations ?? []), deviation] })
const withBody = (draft: NotificationDraft, more: object): NotificationDraft => ({
  ...draft,
  body: { ...draft.body, ...more },
})

// biome-ignore format: a table reads by its columns
const APPLY_DEVIATION: Readonly<Record<Exclude<DeliveryDeviation, 'reorder' | 'before-response' | 'before-return'>, ApplyDeviation>> = {
  'duplicate':       (draft, after = 0) => [draft, delayed(draft, after)],
  'drop':            () => [],
  'delay':           (draft, after = DEFAULT_DELAY) => [delayed(draft, after)],
  'wrong-key':       draft => [withVariation(draft, { wrongKey: true })],
  'stale-timestamp': (draft, after = DEFAULT_STALENESS) => [withVariation(draft, { staleBy: after })],
  'unknown-type':    draft => [withBody(draft, { notificationType: 'PAYMENT_SOMETHING_NEW' })],
  'extra-field':     draft => [withBody(draft, { somethingNew: { of: 'a later minor version' } })],
}

/**
 * Applies delivery plans to the webhook notifications of one change: rules in sequence, each on the result of those
 * before. A payment's own rules apply to all of its notifications, armed plans to the number they were armed for.
 */
export const applyDeliveryPlans = (
  drafts: readonly NotificationDraft[],
  payment: Payment,
  armed: readonly DeliveryPlan[],
): PlannedNotifications => {
  const fitting = armed.filter(({ match }) => matchesPayment(match, payment))
  const spent = new Map<string, number>()
  const waiting = new Set<string>()
  let batch = drafts
  const rules: readonly Rule[] = [...(payment.plan ?? []), ...fitting]
  for (const rule of rules) {
    const { used, after } = applyRule(rule, batch, waiting)
    batch = after
    if (rule.planId !== undefined && used > 0) spent.set(rule.planId, used)
  }
  return { drafts: batch, waiting: batch.filter(({ body }) => waiting.has(body.notificationId)), spent }
}

const applyRule = (rule: Rule, batch: readonly NotificationDraft[], waiting: Set<string>) => {
  const affected = batch.filter(({ type }) => rule.on === undefined || rule.on === type).slice(0, rule.left)
  const used = affected.length
  if (rule.do === 'reorder') return { used: Math.min(used, 1), after: reordered(batch, affected, rule.after) }
  if (rule.do === 'before-response' || rule.do === 'before-return') {
    const awaited = affected.filter(({ cause }) => (cause === 'shopper') === (rule.do === 'before-return'))
    for (const { body } of awaited) waiting.add(body.notificationId)
    return {
      used: awaited.length,
      after: batch.map(draft => (awaited.includes(draft) ? withDeviation(draft, rule.do) : draft)),
    }
  }
  const apply = APPLY_DEVIATION[rule.do]
  const done = (draft: NotificationDraft) => apply(draft, rule.after).map(made => withDeviation(made, rule.do))
  return { used, after: batch.flatMap(draft => (affected.includes(draft) ? done(draft) : [draft])) }
}

/** Reverses the order of several notifications; delays a single notification, so that later ones overtake it. */
const reordered = (
  batch: readonly NotificationDraft[],
  affected: readonly NotificationDraft[],
  after = DEFAULT_DELAY,
): readonly NotificationDraft[] => {
  if (affected.length === 0) return batch
  const moved = batch.map(draft => withDeviation(draft, 'reorder'))
  return batch.length > 1 ? moved.toReversed() : moved.map(draft => delayed(draft, after))
}

const matchesPayment = (match: DeliveryPlanMatch, payment: Payment): boolean =>
  (['transactionId', 'clientTransactionId', 'payerId'] as const).every(
    name => match[name] === undefined || match[name] === payment[name],
  )

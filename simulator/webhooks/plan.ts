import { MINUTE } from '../duration.ts'
import type { PlanDeed, PlanRule } from '../payments/delivery-plan.ts'
import type { Cause } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import type { ArmedPlan, NotificationType, PlanMatch, Variant } from './notification.ts'
import type { NotificationBody } from './payload.ts'

/** A notification before it is written down: what it says, and how it is to go out. */
export type Draft = {
  type: NotificationType
  cause: Cause
  body: NotificationBody
  dueAt: number
  variant: Variant
}

/** The drafts as they go out, whose answer is to wait for them, and how often each armed plan was used. */
export type Planned = { drafts: readonly Draft[]; waiting: readonly Draft[]; spent: ReadonlyMap<string, number> }

type Rule = PlanRule & { planId?: string; left?: number }

/** What a rule makes of one notification: none, one or two. */
type Deed = (draft: Draft, after: number | undefined) => readonly Draft[]

const HELD_BACK = MINUTE
export const STALE_BY = 10 * MINUTE

const later = (draft: Draft, milliseconds: number): Draft => ({ ...draft, dueAt: draft.dueAt + milliseconds })
const vary = (draft: Draft, variant: Variant): Draft => ({ ...draft, variant: { ...draft.variant, ...variant } })
const mark = (draft: Draft, deed: PlanDeed): Draft => vary(draft, { deeds: [...(draft.variant.deeds ?? []), deed] })
const say = (draft: Draft, more: object): Draft => ({ ...draft, body: { ...draft.body, ...more } })

// biome-ignore format: a table reads by its columns
const DEEDS: Readonly<Record<Exclude<PlanDeed, 'reorder' | 'before-answer' | 'before-return'>, Deed>> = {
  'duplicate':       (draft, after = 0) => [draft, later(draft, after)],
  'drop':            () => [],
  'delay':           (draft, after = HELD_BACK) => [later(draft, after)],
  'wrong-key':       draft => [vary(draft, { wrongKey: true })],
  'stale-timestamp': (draft, after = STALE_BY) => [vary(draft, { staleBy: after })],
  'unknown-type':    draft => [say(draft, { notificationType: 'PAYMENT_SOMETHING_NEW' })],
  'extra-field':     draft => [say(draft, { somethingNew: { of: 'a later minor version' } })],
}

/**
 * What the plans make of the notifications of one change: rules one after the other, each on what those before it
 * left. A payment's own rules hold for all of its notifications, armed ones as often as they were armed for.
 */
export const planned = (drafts: readonly Draft[], payment: Payment, armed: readonly ArmedPlan[]): Planned => {
  const fitting = armed.filter(({ match }) => fits(match, payment))
  const spent = new Map<string, number>()
  const waiting = new Set<string>()
  let batch = drafts
  const rules: readonly Rule[] = [...(payment.plan ?? []), ...fitting]
  for (const rule of rules) {
    const { used, after } = applied(rule, batch, waiting)
    batch = after
    if (rule.planId !== undefined && used > 0) spent.set(rule.planId, used)
  }
  return { drafts: batch, waiting: batch.filter(({ body }) => waiting.has(body.notificationId)), spent }
}

const applied = (rule: Rule, batch: readonly Draft[], waiting: Set<string>) => {
  const meant = batch.filter(({ type }) => rule.on === undefined || rule.on === type).slice(0, rule.left)
  const used = meant.length
  if (rule.do === 'reorder') return { used: Math.min(used, 1), after: reordered(batch, meant, rule.after) }
  if (rule.do === 'before-answer' || rule.do === 'before-return') {
    const awaited = meant.filter(({ cause }) => (cause === 'shopper') === (rule.do === 'before-return'))
    for (const { body } of awaited) waiting.add(body.notificationId)
    return { used: awaited.length, after: batch.map(draft => (awaited.includes(draft) ? mark(draft, rule.do) : draft)) }
  }
  const deed = DEEDS[rule.do]
  const done = (draft: Draft) => deed(draft, rule.after).map(made => mark(made, rule.do))
  return { used, after: batch.flatMap(draft => (meant.includes(draft) ? done(draft) : [draft])) }
}

/** The last comes first; where there is only one, it comes after what follows soon. */
const reordered = (batch: readonly Draft[], meant: readonly Draft[], after = HELD_BACK): readonly Draft[] => {
  if (meant.length === 0) return batch
  const moved = batch.map(draft => mark(draft, 'reorder'))
  return batch.length > 1 ? moved.toReversed() : moved.map(draft => later(draft, after))
}

const fits = (match: PlanMatch, payment: Payment): boolean =>
  (['transactionId', 'clientTransactionId', 'payerId'] as const).every(
    name => match[name] === undefined || match[name] === payment[name],
  )

import type { Rules } from './decided-rules-of-deployment.ts'
import { refused, type Shown, served, shows } from './expectation.ts'
import { type Stage, stageOf } from './lifecycle.ts'
import type { Call } from './model-call-and-judged-response.ts'
import { capturedOf, claimedOf, type ModelState, type Payment, refundedOf, settledOf } from './model-state.ts'
import type { Outcome } from './outcome.ts'

const ENDS = ['declined', 'canceled', 'expired']

/** Lifecycle categories (3) by which a status may show a stage. */
const categoriesOf = (payment: Payment, rules: Rules): readonly string[] => {
  const stage = stageOf(payment)
  const all: Readonly<Partial<Record<Stage, readonly string[]>>> = {
    'partly captured':
      settledOf(payment) > 0 && !rules.isConfirmed('D-32') ? ['captured', 'settled', 'refunded'] : ['captured'],
    captured: refundedOf(payment) > 0 && !rules.isConfirmed('D-120') ? ['captured', 'refunded'] : ['captured'],
    'partly refunded': ['refunded'],
    declined: rules.choice('D-43') === 'declined' ? ['declined'] : ENDS,
    expired: rules.isConfirmed('D-43') ? ['expired'] : ENDS,
  }
  return all[stage] ?? [stage]
}

/**
 * Returns the outcome that the model permits for a call on a payment that is not there, or not the caller's: a refusal
 * (7.1); a wrong account may also be refused as any bad request (D-54).
 */
export const notFound = (state: ModelState, isForeignAccount: boolean): Outcome => ({
  expect: refused(isForeignAccount ? [400, 403, 404] : [403, 404]),
  clause: '7.1',
  after: [state],
})

/** Returns the outcomes that the model permits for status and events of the caller's own payment (4, 6, E1). */
export const readPayment = (state: ModelState, payment: Payment, call: Call, rules: Rules): Outcome[] => {
  const isTokenized = stageOf(payment) === 'tokenized'
  const stage = isTokenized ? [] : [shows.stage(...categoriesOf(payment, rules))]
  const sums = shows.sums(capturedOf(payment), refundedOf(payment), claimedOf(payment))
  const history: Shown[] =
    call.operation === 'events' && payment.history ? [shows.history(payment.history, payment.changed)] : []
  const clause = call.operation === 'events' ? '4, 6' : '3, 4'
  const reason = call.operation === 'status' && payment.reason !== undefined ? [shows.reason(payment.reason)] : []
  return [{ expect: served(...stage, ...reason, sums, ...history), clause: `${clause}, E1`, after: [state] }]
}

/** Returns the outcomes that the model permits for a search by the reference of a payment (4, 8). */
export const search = (state: ModelState, payment: Payment | undefined, call: Call): Outcome[] => {
  const isOwn = payment?.owner === call.by
  return [{ expect: served(shows.found(payment?.id, isOwn)), clause: isOwn ? '4, 8, E1' : '7.1', after: [state] }]
}

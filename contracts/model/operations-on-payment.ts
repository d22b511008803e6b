import type { DecisionChoices, SwitchedDecision } from '../dialect/decision-choices.ts'
import type { Act } from '../operations.ts'
import { mayBe, type Rules } from './decided-rules-of-deployment.ts'
import { authorized, captured } from './effects-of-time-and-shopper.ts'
import { declined, type Expectation, REFUSED, refused, served } from './expectation.ts'
import { type Stage, stageOf } from './lifecycle.ts'
import { mayFinalize } from './mock-setting-and-matching.ts'
import type { Call, ProviderFault } from './model-call-and-judged-response.ts'
import { type ModelState, openToCapture, openToRefund, type Payment, withPayment } from './model-state.ts'
import type { Outcome } from './outcome.ts'

/**
 * `do`: carried out; `refuse`: 5xxx with 422, or 409 as a conflict of states (7.1); `named`: with 422, as R5 names it;
 * `keep`: no effect, and served, or refused where that is undecided.
 */
type Effect = 'do' | 'refuse' | 'named' | 'keep'
/** Effects by the value of a decision, any of several; where it is open, all of them are permitted. */
type Rule = { clause: string } & (
  | { is: Effect }
  | { decidedBy: SwitchedDecision; is: Readonly<Record<string, Effect | readonly Effect[]>> }
)

const UNSETTLED: Rule = { clause: 'R1, R5', is: 'named' }
const TWICE: Rule = { clause: '3, R5', is: 'named' }
const R2: Rule = { clause: 'R2, R5', is: 'refuse' }
const R5: Rule = { clause: '3, R5', is: 'refuse' }
const DO: Rule = { clause: '3', is: 'do' }
const REFUND: Rule = { clause: 'R1', is: 'do' }
const ONCE: Rule = { clause: '3, D-35', decidedBy: 'D-35', is: { refused: 'refuse', repeated: 'keep' } }
/** A payment that ended without a finalize has none to repeat (R5). */
const NEVER: Rule = {
  clause: '3, D-35',
  decidedBy: 'D-35',
  is: { refused: 'refuse', repeated: ['keep', 'refuse'] },
}
const EARLY: Rule = { clause: '3, D-34', decidedBy: 'D-34', is: { pending: 'keep', '422': 'refuse' } }
const CALL_OFF: Rule = { clause: 'R2, D-39', decidedBy: 'D-39', is: { waiting: 'do', authorized: 'refuse' } }
const AGAIN: Rule = {
  clause: 'R2, D-39',
  decidedBy: 'D-39',
  is: { waiting: 'refuse', authorized: 'refuse', '': 'keep' },
}
const REST: Rule = { clause: 'R2, D-39', decidedBy: 'D-39', is: { waiting: 'refuse', authorized: 'refuse', '': 'do' } }

/** Stage × act: the heart of the lifecycle (3, R1 to R5). */
// biome-ignore format: a table reads by its columns
const ACTS: Readonly<Record<Stage, Readonly<Record<Act, Rule>>>> = {
  waiting:           { finalize: EARLY, capture: R5,    cancel: CALL_OFF,                    refund: UNSETTLED },
  authenticated:     { finalize: DO,    capture: R5,    cancel: CALL_OFF,                    refund: UNSETTLED },
  authorized:        { finalize: ONCE,  capture: DO,    cancel: { clause: 'R2', is: 'do' },  refund: UNSETTLED },
  'partly captured': { finalize: ONCE,  capture: DO,    cancel: REST,                        refund: REFUND },
  captured:          { finalize: ONCE,  capture: TWICE, cancel: REST,                        refund: REFUND },
  settled:           { finalize: ONCE,  capture: TWICE, cancel: R2,                          refund: REFUND },
  'partly refunded': { finalize: ONCE,  capture: TWICE, cancel: R2,                          refund: REFUND },
  refunded:          { finalize: ONCE,  capture: TWICE, cancel: R2,                          refund: R5 },
  tokenized:         { finalize: ONCE,  capture: R5,    cancel: AGAIN,                       refund: UNSETTLED },
  declined:          { finalize: NEVER, capture: R5,    cancel: AGAIN,                       refund: UNSETTLED },
  canceled:          { finalize: NEVER, capture: R5,    cancel: AGAIN,                       refund: UNSETTLED },
  expired:           { finalize: NEVER, capture: R5,    cancel: AGAIN,                       refund: UNSETTLED },
}

/** The rule for an act on a payment: D-35 settles nothing of one that a charge began, which has nothing to finalize. */
const ruleOf = (payment: Payment, act: Act, rules: Rules): Rule => {
  const rule = ACTS[stageOf(payment)][act]
  return (rule === ONCE || rule === NEVER) && payment.beganBy === 'charge' && rules.choice('D-35') !== undefined
    ? R5
    : rule
}

const effectsOf = (rule: Rule, rules: Rules): Effect[] => {
  if (!('decidedBy' in rule)) return [rule.is]
  const choice = rules.choice(rule.decidedBy) as DecisionChoices[SwitchedDecision] | undefined
  const permitted = choice === undefined ? Object.values(rule.is) : [rule.is[choice] ?? []]
  return [...new Set(permitted.flat())]
}

const LIFECYCLE = refused([422], '5')
const CONFLICT = refused([422, 409], '5')

/**
 * Whether a method may lack what an act needs, so that it may be refused with 501 in any state, and before its sum is
 * looked at (1, 7.1). R2 has each method cancel an authorization; what was never held alone may have no cancel.
 */
const mayBeUnsupported = (
  { method, amount: whole, phase }: Payment,
  { operation, amount = whole }: Call,
  rules: Rules,
): boolean => {
  if (rules.isConfirmed('D-37') || operation === 'finalize') return false
  if (operation === 'cancel') return phase !== 'held' || rules.supports('laterCapture', method) !== true
  const [all, part] =
    operation === 'capture' ? (['laterCapture', 'partialCapture'] as const) : (['refund', 'partialRefund'] as const)
  return rules.supports(all, method) !== true || (amount !== whole && rules.supports(part, method) !== true)
}

/** Returns the outcomes that the model permits for a finalize, capture, cancel or refund of a payment of the caller. */
export const actOn = (state: ModelState, name: string, payment: Payment, call: Call, rules: Rules): Outcome[] => {
  const act = call.operation as Act
  const rule = ruleOf(payment, act, rules)
  const { clause } = rule
  const still = (expect: Expectation, of = clause): Outcome => ({ expect, clause: of, after: [state] })
  const isOpen = act === 'finalize' && payment.phase === 'waiting' && mayFinalize(state, payment, call)
  const isDecided = !isOpen && 'decidedBy' in rule && rules.choice(rule.decidedBy) !== undefined
  const effects = isOpen ? (['do', 'refuse', 'keep'] as const) : effectsOf(rule, rules)
  return effects.flatMap(effect => {
    if (effect === 'refuse' || effect === 'named')
      return [
        still(effect === 'named' ? LIFECYCLE : CONFLICT),
        ...(mayBeUnsupported(payment, call, rules) ? [still(unsupported(rules))] : []),
      ]
    if (effect === 'keep') return [still(served()), still(declined()), ...(isDecided ? [] : [still(REFUSED)])]
    const [fault, ...later] = payment.faults[act] ?? []
    const met = { ...payment, faults: { ...payment.faults, [act]: later } }
    const done = (become: (payment: Payment) => Payment | Payment[], of = clause): Outcome => ({
      expect: served(),
      clause: of,
      after: [become(met)].flat().map(one => withPayment(mandated(state, name, call), name, one)),
      isDone: true,
    })
    const carriedOut = [
      ...CARRIED_OUT[act]({ payment, call, rules, still, done }),
      ...(mayBeUnsupported(payment, call, rules) ? [still(unsupported(rules), '7.1')] : []),
    ]
    return carriedOut.flatMap(outcome => {
      if (!outcome.isDone || fault === undefined) return [outcome]
      const ends = act === 'finalize' ? [{ ...met, phase: 'declined' as const, changed: true }] : [met]
      const isKept = fault === 'passing' && act === 'finalize' && mayBe(rules, 'D-117', 'unused')
      const isEnded = fault === 'decline' || act !== 'finalize' || mayBe(rules, 'D-117', 'replayed')
      const after = [...(isKept ? [met] : []), ...(isEnded ? ends : [])].map(one => withPayment(state, name, one))
      return isDecline(fault) ? [{ ...outcome, expect: declined(), after }] : [outcome]
    })
  })
}

/** Whether a fault of the provider in the model is a decline, for good or for a cause that may pass. */
export const isDecline = (fault: ProviderFault | undefined): boolean => fault === 'decline' || fault === 'passing'

/** A finalize of a recurring or token-only payment makes a mandate (1, D-62). */
const mandated = (state: ModelState, name: string, { operation }: Call): ModelState => {
  if (operation !== 'finalize' || state.payments[name]?.type === 'ONE_TIME') return state
  return { ...state, mandates: [...state.mandates, name] }
}

type Acting = {
  payment: Payment
  call: Call
  rules: Rules
  still(expect: Expectation, clause?: string): Outcome
  done(become: (payment: Payment) => Payment | Payment[], clause?: string): Outcome
}

const CARRIED_OUT: Readonly<Record<Act, (acting: Acting) => Outcome[]>> = {
  finalize: ({ call, rules, done }) => [done(payment => authorized(payment, call, rules))],
  cancel: ({ done }) => [done(({ ends: _, ...payment }) => ({ ...payment, phase: 'canceled', changed: true }))],
  capture: ({ payment, call, rules, still, done }) => {
    const rest = openToCapture(payment)
    const amount = call.amount ?? rest
    if (amount > rest) return [still(tooMuch(rules, 'D-40'), '1, R5')]
    const isFirst = payment.captures.length === 0
    const capability = amount < rest ? 'partialCapture' : isFirst ? 'laterCapture' : 'multiplePartialCaptures'
    return supported(
      rules.supports(capability, payment.method),
      [done(one => captured(one, amount, call, rules), amount < rest || !isFirst ? '1, R5' : '3')],
      still(unsupported(rules), '7.1'),
    )
  },
  refund: ({ payment, call, rules, still, done }) => {
    const open = openToRefund(payment)
    const amount = call.amount ?? open
    if (open === 0) return [still(LIFECYCLE, 'R1, R5')]
    const early = stageOf(payment) === 'captured' || stageOf(payment) === 'partly captured'
    const choice = early ? rules.choice('D-120') : 'settled-part'
    if (choice === 'settled-payment') return [still(LIFECYCLE, 'R1, D-120')]
    const notYet = choice === undefined ? [still(LIFECYCLE, 'R1, D-120')] : []
    if (amount > open) return [...notYet, still(tooMuch(rules, 'D-41'), '1, R1, R5')]
    const isWhole = amount === payment.amount && payment.refunds.length === 0
    const capability = isWhole ? 'refund' : payment.refunds.length === 0 ? 'partialRefund' : 'multiplePartialRefunds'
    const refunds =
      (isDone: boolean) =>
      (one: Payment): Payment => ({ ...one, refunds: [...one.refunds, { amount, done: isDone }], changed: true })
    const now = mayBe(rules, 'D-41', '422', '400') ? [done(refunds(true), 'R1')] : []
    const later = mayBe(rules, 'D-41', 'accepted-first') ? [done(refunds(false), 'R1, D-41')] : []
    return [
      ...notYet,
      ...supported(rules.supports(capability, payment.method), [...now, ...later], still(unsupported(rules), '7.1')),
    ]
  },
}

const tooMuch = (rules: Rules, decision: 'D-40' | 'D-41'): Expectation =>
  refused([
    ...(mayBe(rules, decision, '422') || rules.choice(decision) === 'accepted-first' ? [422] : []),
    ...(mayBe(rules, decision, '400') ? [400] : []),
  ])

/** Returns the refusals that the rules permit for what the scheme does not support: 501, 422 or either (7.1, D-09). */
export const unsupported = (rules: Rules): Expectation =>
  refused([...(mayBe(rules, 'D-09', '501') ? [501] : []), ...(mayBe(rules, 'D-09', '422') ? [422] : [])])

const supported = (is: boolean | undefined, yes: Outcome[], no: Outcome): Outcome[] => [
  ...(is === false ? [] : yes),
  ...(is === true ? [] : [no]),
]

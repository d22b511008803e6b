import type { Exchange } from '../../client/http-exchange.ts'
import { choiceOf } from '../../dialect/decision-choices.ts'
import { assumed } from '../../harness/judge/check.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { ACTS, type Act } from '../../operations.ts'
import type { CheckContext } from '../context/check-context.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import {
  createApprovedPayment,
  createAuthorizedPayment,
  createSettledPayment,
  ensureServed,
  initiate,
  letShopper,
  readTransactionId,
} from '../given/create-payments.ts'
import { lackedOperation } from './cell-judgments.ts'
import { createLapsedPayment, ENDED_BY_TIME } from './create-lapsed-payment.ts'
import { isByHand } from './signed-operation-columns.ts'

/**
 * How an act is refused that R5 names, one that names too large an amount as well (D-41), one that R5 does not name (7.1), and
 * one whose refusal is our reading (R1).
 */
export const REFUSALS = {
  'named in R5': { status: 422, code: '5' },
  'named in R5, or too much': { status: 422, or: 400, code: ['5', '4'] },
  forbidden: { status: 422, or: 409, code: '5' },
  'forbidden by D-39': { status: 422, or: 409, code: '5' },
  'forbidden by D-62': { status: 422, or: 409, code: '5' },
} as const

/** What a state says to an act: allowed; refused; without effect; or left open. */
type Rule = keyof typeof REFUSALS | 'allowed' | 'without effect' | `open: ${string}`

/** Returns the number of the decision on which a rule rests; undefined where it is stated. */
export const decisionOf = (rule: Rule): string | undefined => /^forbidden by (D-\d+)$/.exec(rule)?.[1]

/** Whether a state refuses an act, as far as that is stated. */
export const isForbidden = (rule: Rule): rule is keyof typeof REFUSALS => rule in REFUSALS

/** What bringing a payment to a state needs, or shows, beside its calls. */
export type Hooks = {
  /** A payer who can be charged. */
  payer?(): Promise<{ payerId: string }>
}

/** A state of a payment as a row of the grid of state × act. */
export type StateRow = {
  id: string
  clause: string
  title: string
  /** Lifecycle categories of `states` that show the premise; none where no category stands for it. */
  stages: readonly string[]
  create(context: CheckContext, hooks?: Hooks): Promise<string>
  /** Whether the shopper has ended the payment, which a profile may call a cancel (D-43). */
  byShopper?: true
  /** Whether its payment may be of another method than those that are approved, with acts of its own (1). */
  ofAnyMethod?: true
  /** Whether payments come to this state only where they are captured by hand. */
  byHand?: true
  /** Whether its payment settles by itself (R4), so that its refund may become allowed meanwhile. */
  settles?: true
  /** Returns why a deployment has no payments in this state, or none on which an act can be judged; undefined where it has. */
  lacked?(profile: Profile, act: string): string | undefined
  /** Whether what brought a payment to this state shows in a read of how it stands: it may be carried out later (E5). */
  hasShown?(profile: Profile, standing: Exchange): boolean
} & Readonly<Record<Act, Rule>>

const waiting = async (context: CheckContext) =>
  readTransactionId(context.profile, await initiate(context, { will: 'wait', autoCapture: !isByHand(context) }))
const declined = async (context: CheckContext) => {
  const choice = { will: 'decline', autoCapture: !isByHand(context) } as const
  const initiated = await initiate(context, choice)
  return letShopper(context.profile, context, initiated, choice)
}

/** Creates a payment that is authorized and not captured. */
export const authorized = (context: CheckContext) => createAuthorizedPayment(context.profile, context)

/** Creates a payment that is captured and not settled. */
export const captured = async (context: CheckContext) => {
  if (isByHand(context)) return after(authorized, 'capture')(context)
  return after(() => createApprovedPayment(context.profile, context, true), 'finalize')(context)
}
const settled = (context: CheckContext) => createSettledPayment(context.profile, context)

/** Creates the function that makes a payment and then takes this act on it. */
export const after =
  (create: (context: CheckContext) => Promise<string>, act: Act) => async (context: CheckContext) => {
    const transactionId = await create(context)
    await ensureServed(context.profile, operationsOn(context, transactionId)[act]())
    return transactionId
  }
const NOT_YET = 'open: LIF-30 judges it (D-39)'

// biome-ignore format: a table reads by its columns
/** Every state of a payment, and what it says to each act (3, R1 to R5). */
export const STATES: readonly StateRow[] = [
  { id: 'GRD-13', clause: '3, R1, R5', title: 'nothing is taken before the shopper consents',   stages: ['waiting'],    create: waiting, ofAnyMethod: true,    finalize: 'without effect', capture: 'forbidden', cancel: NOT_YET,      refund: 'named in R5' },
  { id: 'GRD-14', clause: '3, R1, R5', title: 'nothing follows a decline',                      stages: ['declined'],   create: declined, byShopper: true, ofAnyMethod: true, finalize: 'without effect', capture: 'forbidden', cancel: 'without effect', refund: 'named in R5' },
  { id: 'GRD-42', clause: '3, R1, R5', title: 'nothing follows a lapse',                        stages: ENDED_BY_TIME, create: createLapsedPayment, ofAnyMethod: true, finalize: 'without effect', capture: 'forbidden', cancel: 'without effect', refund: 'named in R5' },
  { id: 'GRD-15', clause: 'R1, R5',    title: 'an authorization cannot be refunded',            stages: ['authorized'], create: authorized, byHand: true,      finalize: 'without effect', capture: 'allowed',   cancel: 'allowed',    refund: 'named in R5' },
  { id: 'GRD-16', clause: 'R1, R2, R5', title: 'what is captured and not settled can neither be voided nor refunded', stages: ['captured'], create: captured, settles: true,      finalize: 'without effect', capture: 'named in R5', cancel: 'forbidden by D-39', refund: 'named in R5' },
  { id: 'GRD-17', clause: 'R2, R5',    title: 'what is settled can neither be captured nor voided', stages: ['settled'], create: settled,                       finalize: 'without effect', capture: 'named in R5', cancel: 'forbidden',  refund: 'allowed' },
  { id: 'GRD-18', clause: 'R1, R2, R5', title: 'nothing follows a cancel',                      stages: ['canceled'],   create: after(authorized, 'cancel'), byHand: true, finalize: 'without effect', capture: 'forbidden', cancel: 'without effect', refund: 'named in R5' },
  { id: 'GRD-19', clause: 'R2, R5',    title: 'what is refunded can neither be captured nor voided', stages: ['refunded'], create: after(settled, 'refund'),     finalize: 'without effect', capture: 'named in R5', cancel: 'forbidden',  refund: 'open: LIF-18 judges it' },
]

/** Lifecycle categories by which a profile shows the state of a row. */
export const stagesOf = ({ stages, byShopper }: StateRow, profile: Profile): readonly string[] =>
  byShopper && choiceOf(profile, 'D-43') === 'canceled' ? [...stages, 'canceled'] : stages

/** Creates the function that returns why a row has no cell for an act: the deployment lacks it, or the state. */
export const lackedIn =
  ({ byHand, lacked }: StateRow) =>
  (profile: Profile, act: string): string | undefined =>
    lacked?.(profile, act) ?? lackedOperation(profile, act) ?? (byHand && lackedOperation(profile, 'capture'))

/** Returns the decisions on which a row of states rests, as the basis of its check; false where all its rules are stated. */
export const basisOf = (row: StateRow) => {
  const decisions = [...new Set(ACTS.flatMap(act => decisionOf(row[act]) ?? []))]
  return decisions.length > 0 && assumed(...decisions)
}

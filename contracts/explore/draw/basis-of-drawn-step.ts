import { type Stage as PaymentStage, stageOf } from '../../model/lifecycle.ts'
import type { ModelState, Payment } from '../../model/model-state.ts'
import type { Abilities } from '../abilities.ts'
import type { Stage } from '../organizations-and-values-of-play.ts'
import type { Step } from '../step.ts'
import type { Random } from './random.ts'

/** Basis on which the next step of a sequence is drawn: the abilities of the target, and how one play stands. */
export type Draw = {
  random: Random
  abilities: Abilities
  stage: Stage
  state: ModelState
  /** Whether the sequence has clocks of its own, so that days may pass. */
  isLong: boolean
  /** The step before. */
  last?: Step
}

/** A function that draws one kind of exploration step; undefined where the play gives no occasion for it. */
export type DrawKind = (draw: Draw) => Omit<Step, 'id'> | undefined

export type Begun = { name: string; payment: Payment; at: PaymentStage }

/** Returns the payments that one play of an exploration has begun and whose id is known. */
export const begun = ({ state, stage }: Pick<Draw, 'state' | 'stage'>): Begun[] =>
  Object.entries(state.payments).flatMap(([name, payment]) =>
    stage.payments.has(name) ? [{ name, payment, at: stageOf(payment) }] : [],
  )

/** Returns the caller that owns a payment, as a member of an exploration step. */
export const asOwner = ({ owner }: Payment): Pick<Step, 'by'> => (owner === 'second' ? { by: 'second' } : {})

export const PAYERS = ['u1', 'u1b', 'u2'] as const
export const REFERENCES = ['r1', 'r2'] as const

import type { DecisionChoices, SwitchedDecision } from '../dialect/decision-choices.ts'
import type { ProviderId } from '../protocol/provider-codes.ts'
import type { Capability } from '../protocol/providers-and-capabilities.ts'

/**
 * Rules by which the model judges one deployment: what it has settled where the document leaves something open.
 * Nothing is guessed: undefined permits every reading.
 */
export type Rules = {
  /** The value of a decision that the profile chooses or confirms; undefined where it does neither. */
  choice<Number extends SwitchedDecision>(number: Number): DecisionChoices[Number] | undefined
  /** Whether a decision is confirmed. */
  isConfirmed(number: string): boolean
  /** Whether a method has a capability; undefined where nobody says. */
  supports(capability: Capability, method: ProviderId): boolean | undefined
  /** Shortest time until a capture has settled, in milliseconds, where it is known (R4). */
  settlesAfter?: number
  /** Longest time until a capture has settled, in milliseconds; undefined: any (R4). */
  settledWithin: number | undefined
  /** How long an authorization lives; undefined: any time (R3). */
  holdFor: number | undefined
  /** How long a consent waits for finalize; undefined: any time, Infinity: for ever. */
  consentFor: number | undefined
  /** Whether shoppers act without being told, because no driver can tell them. */
  shoppersAct: boolean
}

/**
 * Whether a deployment may have one of these values for a decision: its profile chooses one of them, or leaves the
 * decision open.
 */
export const mayBe = <Number extends SwitchedDecision>(
  rules: Rules,
  number: Number,
  ...values: DecisionChoices[Number][]
): boolean => {
  const choice = rules.choice(number)
  return choice === undefined || values.includes(choice)
}

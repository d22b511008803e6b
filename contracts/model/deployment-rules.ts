import type { DecisionChoices, SwitchedDecision } from '../dialect/decision-choices.ts'
import type { ProviderId } from '../protocol/provider-codes.ts'
import type { Capability } from '../protocol/providers.ts'

/**
 * Rules of one deployment for the model: what it has settled of that which the document leaves open. Nothing is
 * guessed: undefined permits every reading.
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

/** Whether a deployment's choice for a decision may be one of these values: it is, or it is open. */
export const mayBe = <Number extends SwitchedDecision>(
  rules: Rules,
  number: Number,
  ...values: DecisionChoices[Number][]
): boolean => {
  const choice = rules.choice(number)
  return choice === undefined || values.includes(choice)
}

import type { DecisionChoices, SwitchedDecision } from '../../dialect/decision-choices.ts'
import type { ExpectedRefusal } from '../../harness/judge/check-assertions.ts'
import type { Profile } from '../../harness/profile/profile.ts'

/** Refusals by the value of a decision; a value without one leaves the check as it is. */
type ByValue<Number extends SwitchedDecision> = Readonly<Partial<Record<DecisionChoices[Number], ExpectedRefusal>>>

/**
 * Returns the refusal that a profile's decisions choose for a case; nothing where they do not, so that the check
 * accepts what it always does.
 */
export const chosenRefusal = <Number extends SwitchedDecision>(
  { decisions = {} }: Profile,
  number: Number,
  refusals: ByValue<Number>,
): ExpectedRefusal => {
  const chosen = decisions[number]
  return (chosen === undefined ? undefined : refusals[chosen]) ?? {}
}

/** Functions, by operation, that return how a profile's decisions refuse an amount above the rest (D-40, D-41). */
export const REFUSED_AMOUNT = {
  capture: (profile: Profile) => chosenRefusal(profile, 'D-40', { '422': { status: 422 }, '400': { status: 400 } }),
  refund: (profile: Profile) =>
    chosenRefusal(profile, 'D-41', {
      '422': { status: 422 },
      '400': { status: 400 },
      'accepted-first': { status: 422 },
    }),
}

/** How a charge without a valid mandate is refused, by the value of D-63. */
export const REFUSED_CHARGE = { '422': { status: 422 }, '403': { status: 403 }, '404': { status: 404 } }

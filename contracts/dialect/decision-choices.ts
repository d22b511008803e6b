import { DECISION_SWITCHES } from '../decision-switches.gen.ts'

/** Number of a decision that a profile can switch. */
export type SwitchedDecision = keyof typeof DECISION_SWITCHES

/** Choices of a deployment where the interface document is silent: the value of each decision that can be switched. */
export type DecisionChoices = { readonly [Number in SwitchedDecision]: (typeof DECISION_SWITCHES)[Number][number] }

/** Returns the choices of a profile's `decisions`, with the usual value of each decision that it does not name. */
export const decisionChoices = (chosen: Partial<DecisionChoices> = {}): DecisionChoices => ({ ...USUAL, ...chosen })

const USUAL = Object.fromEntries(
  Object.entries(DECISION_SWITCHES).map(([number, [usual]]) => [number, usual]),
) as unknown as DecisionChoices

/** Returns the value of one decision in a profile's `decisions`; the usual value if the profile does not name it. */
export const choiceOf = <Number extends SwitchedDecision>(
  { decisions }: { decisions?: Partial<DecisionChoices> },
  number: Number,
): DecisionChoices[Number] => decisionChoices(decisions)[number]

/** Returns the numbers of the decisions that a profile can switch. */
export const switchableDecisions = (): string[] => Object.keys(DECISION_SWITCHES)

/** Returns the values of a decision's switch, the usual one first; undefined where it has none. */
export const switchValues = (number: string): readonly string[] | undefined =>
  (DECISION_SWITCHES as Readonly<Record<string, readonly string[]>>)[number]

/** A function that returns the meaning of a decision's value as a sentence, as the table of decisions has it. */
export type MeaningOf = (number: string, value: string) => string

/** Returns the numbers of the decisions for which these choices have another value than the usual one. */
export const chosenOtherwise = (choices: DecisionChoices): SwitchedDecision[] =>
  (Object.keys(USUAL) as SwitchedDecision[]).filter(number => choices[number] !== USUAL[number])

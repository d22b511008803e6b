import fc from 'fast-check'
import { DECISION_SWITCHES } from '../../../contracts/decision-switches.gen.ts'
import type { DecisionChoices } from '../../../contracts/dialect/decision-choices.ts'

const NUMBERS = Object.keys(DECISION_SWITCHES) as (keyof typeof DECISION_SWITCHES)[]

/** fast-check arbitrary of values of some of the decisions that the profile of a generated deployment can switch. */
export const generateDecisions: fc.Arbitrary<Partial<DecisionChoices>> = fc
  .subarray(NUMBERS)
  .chain(numbers =>
    fc.tuple(
      ...numbers.map(number => fc.constantFrom(...DECISION_SWITCHES[number]).map(value => [number, value] as const)),
    ),
  )
  .map(entries => Object.fromEntries(entries))

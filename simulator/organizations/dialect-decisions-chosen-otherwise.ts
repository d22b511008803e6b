import { chosenOtherwise, type DecisionChoices, decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { meaningOfChoice, readDecisions } from '../../contracts/read-decisions-table.ts'

/** A decision for which a dialect has another value than the usual one; texts are Markdown. */
export type DecisionChosenOtherwise = { number: string; question: string; value: string; meaning: string }

/**
 * Returns the decisions for which a dialect has another value than the usual one, in the order of their numbers, and
 * the count of the usual ones.
 */
export const decisionsChosenOtherwise = (
  choices: DecisionChoices,
): { otherwise: readonly DecisionChosenOtherwise[]; usual: number } => {
  const numbers = chosenOtherwise(choices)
  return {
    otherwise: numbers.map(number => describe(number, choices[number])),
    usual: Object.keys(decisionChoices()).length - numbers.length,
  }
}

const describe = (number: string, value: string): DecisionChosenOtherwise => {
  const { question = '' } = readDecisions().find(one => one.number === number) ?? {}
  return { number, question, value, meaning: meaningOfChoice(number, value) }
}

import { readDecisions } from '../../contracts/decisions.ts'
import {
  type DecisionChoices,
  decisionChoices,
  type SwitchedDecision,
} from '../../contracts/dialect/decision-choices.ts'

/** A decision for which a dialect has another value than the usual one; texts are Markdown. */
export type DecisionChosenOtherwise = { number: string; question: string; value: string; meaning: string }

/** Returns the decisions that are chosen otherwise than usual, in the order of their numbers, and counts the usual ones. */
export const decisionsChosenOtherwise = (
  choices: DecisionChoices,
): { otherwise: readonly DecisionChosenOtherwise[]; usual: number } => {
  const usual = decisionChoices()
  const numbers = Object.keys(usual) as SwitchedDecision[]
  const otherwise = numbers.filter(number => choices[number] !== usual[number])
  return {
    otherwise: otherwise.map(number => describe(number, choices[number])),
    usual: numbers.length - otherwise.length,
  }
}

const describe = (number: SwitchedDecision, value: string): DecisionChosenOtherwise => {
  const decision = readDecisions().find(one => one.number === number)
  const others = decision?.switch && 'others' in decision.switch ? decision.switch.others : {}
  return { number, question: decision?.question ?? '', value, meaning: others[value] ?? '' }
}

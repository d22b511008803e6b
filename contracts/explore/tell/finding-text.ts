import type { Shrunk } from '../shrink.ts'
import { describePlayed, describeStep } from './describe-step.ts'

/** Formats a counterexample as text: the clause and how often it shows, the story in three lines, and the steps. */
export const findingText = (shrunk: Shrunk): string => {
  const { play, shown, replays } = shrunk
  const { violation, played } = play
  if (!violation) return ''
  const clauses = violation.clauses.join(', ')
  return [
    replays === 0
      ? `Suspected violation of ${clauses}: an early end kept it from being confirmed.`
      : `Violation of ${clauses}: ${shown} of ${replays} replays show it.`,
    ...storyOf(shrunk).map(line => `  ${line}`),
    'The steps:',
    ...played.map(one => `  ${describePlayed(one)}`),
    '',
  ].join('\n')
}

/**
 * Tells the story of a violation that exploration found in three lines: what was done, what the contract permits, what
 * came.
 */
export const storyOf = ({ play: { violation, played } }: Shrunk): string[] => {
  if (!violation) return []
  const { step, expected, got } = violation
  const before = played.filter(({ step: { id } }) => id !== step.id).length
  const after = before === 0 ? 'At first' : `After ${before} ${before === 1 ? 'step' : 'steps'}`
  return [`${after}, ${step.id}: ${describeStep(step)}.`, `Expected: ${expected.join('; or ')}.`, `Got: ${got}.`]
}

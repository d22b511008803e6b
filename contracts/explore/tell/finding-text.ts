import type { Shrunk } from '../shrink.ts'
import { describePlayed } from './describe-step.ts'

/** A counterexample in words: the clause, how often it shows, the steps, what was permitted and what came. */
export const findingText = ({ play, shown, replays }: Shrunk): string => {
  const { violation, played } = play
  if (!violation) return ''
  const { clauses, expected, got, step } = violation
  const often = `${shown} of ${replays} replays show it`
  return [
    `Violation of ${clauses.join(', ')}: ${often}.`,
    ...played.map(one => `  ${describePlayed(one)}`),
    `  expected at ${step.id}: ${expected.join('; or ')}`,
    `  got: ${got}`,
    '',
  ].join('\n')
}

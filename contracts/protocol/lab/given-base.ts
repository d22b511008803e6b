import { type Finding, finding } from './causes.ts'
import { differenceOf } from './compare.ts'
import type { Deviation } from './deviation.ts'
import { baseText } from './draft.ts'
import type { Facts } from './facts.ts'
import { deviationsOf, pairsOf, rootsOf } from './search.ts'

/** What is unusual about a base that somebody shows, told by its text alone; undefined where no known way leads to it. */
export const waysOfText = (text: string, facts: Facts): readonly Deviation[] | undefined => {
  const visible = deviationsOf(facts).filter(({ aspect }) => !['message', 'hash', 'charset'].includes(aspect))
  const roots = rootsOf(facts)
  const combinations = function* () {
    yield []
    for (const single of visible) yield [single]
    yield* pairsOf(visible)
  }
  for (const deviations of combinations())
    for (const [, root] of roots)
      if (baseText(deviations.reduce((draft, { edit }) => edit(draft), root)) === text) return deviations
  return undefined
}

/** What is wrong with a base that somebody shows: by name where the way is known, else by place. */
export const givenFindings = (text: string, expected: string, facts: Facts): readonly Finding[] => {
  const ways = waysOfText(text, facts)
  if (ways) return ways.map(({ cause, values }) => finding(cause, values))
  const difference = differenceOf(expected, text)
  return difference
    ? [finding('base-differs', { line: String(difference.line), column: String(difference.column) })]
    : []
}

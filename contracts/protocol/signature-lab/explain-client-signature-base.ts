import type { Deviation } from './base-deviation-type.ts'
import { findBaseDifference } from './compare-signature-bases.ts'
import { createRootDrafts, listDeviations, pairsOf } from './search-signed-base.ts'
import { serializeBase } from './signature-base-draft.ts'
import type { SignatureBaseInputs } from './signature-base-inputs.ts'
import { type DetectedCause, detectedCause } from './signature-error-causes.ts'

/** Finds the deviations that produce a given base text; undefined where no known combination does. */
const findDeviationsOf = (text: string, facts: SignatureBaseInputs): readonly Deviation[] | undefined => {
  const visible = listDeviations(facts).filter(({ aspect }) => !['message', 'hash', 'charset'].includes(aspect))
  const roots = createRootDrafts(facts)
  const combinations = function* () {
    yield []
    for (const single of visible) yield [single]
    yield* pairsOf(visible)
  }
  for (const deviations of combinations())
    for (const [, root] of roots)
      if (serializeBase(deviations.reduce((draft, { edit }) => edit(draft), root)) === text) return deviations
  return undefined
}

/** Explains how a signature base that the client reports differs from the expected one: by cause, else by position. */
export const explainClientBase = (
  text: string,
  expected: string,
  facts: SignatureBaseInputs,
): readonly DetectedCause[] => {
  const ways = findDeviationsOf(text, facts)
  if (ways) return ways.map(({ cause, values }) => detectedCause(cause, values))
  const difference = findBaseDifference(expected, text)
  return difference
    ? [detectedCause('base-differs', { line: String(difference.line), column: String(difference.column) })]
    : []
}

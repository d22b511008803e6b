type Bounds = { least: number; margin: number }

/**
 * Result of pairing two lists: the clear pairs; and of each other one of the first list, those of the second that it
 * may be.
 */
export type Matches<One, Other> = { pairs: [One, Other][]; unclear: ReadonlyMap<One, readonly Other[]> }

/**
 * Pairs two lists by a score, the best pairs first. A pair is clear if it has the least score, and if neither of its two has
 * another pair that is within the margin; what is not clear is not paired.
 */
export const matchBest = <One, Other>(
  ones: readonly One[],
  others: readonly Other[],
  scoreOf: (one: One, other: Other) => number,
  { least, margin }: Bounds,
): Matches<One, Other> => {
  let open = ones
    .flatMap(one => others.map(other => ({ one, other, score: scoreOf(one, other) })))
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score)
  const pairs: [One, Other][] = []
  const unclear = new Map<One, readonly Other[]>()
  while (open.length > 0) {
    const [best] = open
    if (!best) break
    const isNear = ({ score }: { score: number }) => best.score - score < margin
    const rivals = open.filter(
      pair => pair !== best && (pair.one === best.one) !== (pair.other === best.other) && isNear(pair),
    )
    if (rivals.length === 0) {
      pairs.push([best.one, best.other])
      open = open.filter(({ one, other }) => one !== best.one && other !== best.other)
      continue
    }
    const doubtful = new Set([best, ...rivals].map(({ one }) => one))
    for (const one of doubtful)
      unclear.set(one, [...new Set(open.filter(pair => pair.one === one && isNear(pair)).map(({ other }) => other))])
    const contested = new Set([best, ...rivals].map(({ other }) => other))
    open = open.filter(({ one, other }) => !doubtful.has(one) && !contested.has(other))
  }
  return { pairs, unclear }
}

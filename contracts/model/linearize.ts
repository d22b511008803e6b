import type { Answer, Call } from './call.ts'
import { worldsAfter } from './permitted.ts'
import type { Rules } from './rules.ts'
import type { World } from './world.ts'

/** A call with its answer; both carry the interval in which it took effect at one instant. */
export type Answered = { call: Call; answer: Answer }

/**
 * The worlds after calls that were made at once: those that some order of them explains, in which no call comes before one that
 * had been answered when it was sent (Wing and Gong, over sets of calls). None where no order does: they are not linearizable.
 */
export const worldsAfterAll = (worlds: readonly World[], history: readonly Answered[], rules: Rules): World[] => {
  const all = 2 ** history.length - 1
  const reached = new Map<number, World[]>([[0, [...worlds]]])
  for (let taken = 0; taken < all; taken += 1) {
    const here = reached.get(taken)
    if (!here || here.length === 0) continue
    history.forEach(({ call, answer }, index) => {
      const bit = 2 ** index
      const isBefore = ({ call: other }: Answered, place: number) =>
        (taken & (2 ** place)) === 0 && other.receivedAt < call.sentAt
      if ((taken & bit) !== 0 || history.some(isBefore)) return
      const next = worldsAfter(here, call, answer, rules)
      reached.set(taken | bit, [...(reached.get(taken | bit) ?? []), ...next])
    })
  }
  return reached.get(all) ?? []
}

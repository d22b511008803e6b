import type { Mark } from './timeline-mark-types.ts'

/** Fewest consecutive equal calls that are joined and shown as one mark. */
const RUN = 3

/**
 * Joins runs of equal calls in a timeline: calls with equal responses and nothing between them become one counted mark.
 */
export const joinRepeatedCalls = (marks: readonly Mark[]): Mark[] => {
  const runs: Mark[][] = []
  for (const mark of marks) {
    const open = runs.at(-1)
    if (open?.[0] && isAlike(open[0], mark)) open.push(mark)
    else runs.push([mark])
  }
  return runs.flatMap(run => {
    const [first, last] = [run[0], run.at(-1)]
    if (run.length < RUN || first?.lane !== 'call' || !last) return run
    return [{ ...first, times: run.length, lastAt: last.at }]
  })
}

const isAlike = (a: Mark, b: Mark): boolean =>
  a.lane === 'call' &&
  b.lane === 'call' &&
  a.method === 'GET' &&
  a.target === b.target &&
  a.status === b.status &&
  a.message === b.message

import type { Mark } from './live-port.ts'

/** So many equal calls on end are one mark. */
const RUN = 3

/** Shops ask again and again: calls that were answered alike, with nothing between them, become one mark that counts them. */
export const withRuns = (marks: readonly Mark[]): Mark[] => {
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

import type { Run } from './load.ts'

/** The middle one of some figures. */
export const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Calls in a second. */
export const rateOf = ({ latencies, seconds }: Run): number => latencies.length / seconds

/** How long the middle call took, and the slowest but one in a hundred. */
export const spreadOf = (latencies: readonly number[]): { p50Ms: number; p99Ms: number } => {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** Who comes first changes from round to round, so that nobody gains by a place. */
export const turned = <Lane>(lanes: readonly Lane[], round: number): Lane[] => {
  const first = round % lanes.length
  return [...lanes.slice(first), ...lanes.slice(0, first)]
}

import type { LoadRun } from './http-load.ts'

/** Returns the median of numbers. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Returns the calls per second of a load run. */
export const rateOf = ({ latencies, seconds }: LoadRun): number => latencies.length / seconds

/** Returns the median and 99th percentile of latencies, in milliseconds. */
export const percentilesOf = (latencies: readonly number[]): { p50Ms: number; p99Ms: number } => {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** Rotates the servers of a measurement by the number of the round, so that none always runs first. */
export const rotated = <Lane>(lanes: readonly Lane[], round: number): Lane[] => {
  const first = round % lanes.length
  return [...lanes.slice(first), ...lanes.slice(0, first)]
}

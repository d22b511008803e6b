import { median } from '../load/statistics.ts'
import { goalValues } from './performance-goals.ts'
import type { SpeedFigures } from './speed-figures.ts'

/**
 * Joins speed figures of several runs: each number is its median, and the goals have the value of every run. What only
 * some runs measured, such as public mock servers, is the median of those.
 */
export const medianOfRuns = (runs: readonly SpeedFigures[]): SpeedFigures => ({
  ...joined(runs),
  goals: goalsOfRuns(runs),
})

const goalsOfRuns = (runs: readonly SpeedFigures[]): Record<string, number[]> => {
  const values = runs.flatMap(run => Object.entries(goalValues(run)))
  return Object.fromEntries(
    [...Map.groupBy(values, ([goal]) => goal)].map(([goal, seen]) => [goal, seen.map(([, value]) => value)]),
  )
}

/** Joins values of one shape: medians of numbers, members by name, rows of arrays by their name or place. */
const joined = <Value>(all: readonly Value[]): Value => {
  const [first] = all
  if (typeof first === 'number') return median(all as readonly number[]) as Value
  if (Array.isArray(first)) return joinedRows(all as readonly unknown[][]) as Value
  if (typeof first !== 'object' || first === null) return first as Value
  const members = Object.keys(first).map(name => [
    name,
    joined(all.map(one => one[name as keyof Value]).filter(value => value !== undefined)),
  ])
  return Object.fromEntries(members) as Value
}

const joinedRows = (all: readonly unknown[][]): unknown[] => {
  const nameOf = (row: unknown, place: number) => (row as { name?: string } | null)?.name ?? place
  const rows = all.flatMap(rows => rows.map((row, place) => ({ name: nameOf(row, place), row })))
  return [...Map.groupBy(rows, ({ name }) => name).values()].map(same => joined(same.map(({ row }) => row)))
}

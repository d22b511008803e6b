import { median } from '../load/statistics.ts'
import type { SpeedFigures, SpeedRow } from './speed-figures.ts'
import { SERVER_NAMES } from './start-measured-servers.ts'

/** A goal with what was measured: the median of all runs and its range. */
type GoalResult = { goal: string; limit: number; value: number; least: number; most: number; met: boolean }

type Goal = { goal: string; limit: number; at: 'least' | 'most'; value(speed: SpeedFigures): number | undefined }

const rowAt = ({ initiates }: SpeedFigures, connections: number, name: string): SpeedRow | undefined =>
  initiates.find(level => level.connections === connections)?.rows.find(row => row.name === name)
const byOneCore = (speed: SpeedFigures): number | undefined => {
  const [ours, alone] = [SERVER_NAMES.signed, SERVER_NAMES.alone].map(name => rowAt(speed, 50, name)?.perSecond)
  return ours && alone && ours / alone
}
const startOf = ({ starts }: SpeedFigures, name: string) => starts.find(start => start.name === name)
const spread = (row: SpeedRow | undefined) => row && row.p99Ms / row.p50Ms
const startByHono = (speed: SpeedFigures): number | undefined => {
  const [ours, hono] = [SERVER_NAMES.signed, SERVER_NAMES.hono].map(name => startOf(speed, name)?.readyMs)
  return ours && hono && ours / hono
}
/** A whole payment of six calls by six times its most costly one. */
const paymentByCalls = (speed: SpeedFigures): number | undefined => {
  const { payments } = speed
  const whole = payments
    .find(({ connections }) => connections === 50)
    ?.rows.find(row => row.name === SERVER_NAMES.signed)
  const initiate = rowAt(speed, 50, SERVER_NAMES.signed)
  return whole && initiate && whole.p50Ms / (6 * initiate.p50Ms)
}

// biome-ignore format: a table reads by its columns
const GOALS: readonly Goal[] = [
  { goal: 'signed initiate: rate by that of the bare server, 50 at once',           limit: 0.9,  at: 'least', value: speed => rowAt(speed, 50, SERVER_NAMES.signed)?.ratio?.rate },
  { goal: 'signed initiate: processor time of the bare server by ours, 50 at once', limit: 0.8,  at: 'least', value: speed => rowAt(speed, 50, SERVER_NAMES.signed)?.ratio?.cpu },
  { goal: 'signed initiate: rate by that of the bare server on one core, 50 at once', limit: 1,  at: 'least', value: speed => byOneCore(speed) },
  { goal: 'signed initiate: p99 by p50, 1 at once',                                 limit: 3,    at: 'most',  value: speed => spread(rowAt(speed, 1, SERVER_NAMES.signed)) },
  { goal: 'signed initiate: p99 by p50, 50 at once',                                limit: 5,    at: 'most',  value: speed => spread(rowAt(speed, 50, SERVER_NAMES.signed)) },
  { goal: 'a whole BLIK payment: p50 by six initiates, 50 at once',                 limit: 1.5,  at: 'most',  value: speed => paymentByCalls(speed) },
  { goal: 'layers off: rate by that of bare Hono, 50 at once',                      limit: 0.75, at: 'least', value: speed => rowAt(speed, 50, SERVER_NAMES.plain)?.ratio?.rate },
  { goal: 'layers off: p99 in ms, 50 at once',                                      limit: 25,   at: 'most',  value: speed => rowAt(speed, 50, SERVER_NAMES.plain)?.p99Ms },
  { goal: 'start to ready by that of bare Hono',                                    limit: 1.4,  at: 'most',  value: speed => startByHono(speed) },
  { goal: 'memory idle in MB',                                                      limit: 100,  at: 'most',  value: speed => startOf(speed, SERVER_NAMES.signed)?.memoryIdleMb },
  { goal: 'memory in MB after all calls',                                           limit: 140,  at: 'most',  value: speed => startOf(speed, SERVER_NAMES.signed)?.memoryLoadedMb },
]

/** Returns what speed figures of one run say about each goal, by its name. */
export const goalValues = (speed: SpeedFigures): Record<string, number> =>
  Object.fromEntries(GOALS.map(({ goal, value }) => [goal, value(speed) ?? Number.NaN]))

/** Compares the measured figures with the performance goals: the median of their runs. */
export const compareWithGoals = (speed: SpeedFigures): GoalResult[] => {
  const one = goalValues(speed)
  return GOALS.map(({ goal, limit, at }) => {
    const runs = speed.goals?.[goal] ?? [one[goal] ?? Number.NaN]
    const value = median(runs)
    const met = at === 'least' ? value >= limit : value <= limit
    return { goal, limit, value, least: Math.min(...runs), most: Math.max(...runs), met }
  })
}

export const goalsTable = (speed: SpeedFigures): string => {
  const goals = compareWithGoals(speed)
  const width = Math.max(...goals.map(({ goal }) => goal.length))
  const two = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0))
  const range = ({ least, most }: GoalResult) => (least === most ? '' : `${two(least)}–${two(most)}`)
  return [
    `${'goals'.padEnd(width)}${'goal'.padStart(8)}${'seen'.padStart(8)}${'range'.padStart(14)}`,
    ...goals.map(
      one =>
        `${one.goal.padEnd(width)}${two(one.limit).padStart(8)}${two(one.value).padStart(8)}${range(one).padStart(14)}  ${one.met ? 'met' : 'missed'}`,
    ),
  ].join('\n')
}

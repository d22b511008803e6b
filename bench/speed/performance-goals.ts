import type { SpeedFigures, SpeedRow } from './speed-figures.ts'
import { SERVER_NAMES } from './start-measured-servers.ts'

type GoalResult = { goal: string; limit: number; value: number; met: boolean }

type Goal = { goal: string; limit: number; at: 'least' | 'most'; value(speed: SpeedFigures): number | undefined }

const rowAt = ({ initiates }: SpeedFigures, connections: number, name: string): SpeedRow | undefined =>
  initiates.find(level => level.connections === connections)?.rows.find(row => row.name === name)
const byOneCore = (speed: SpeedFigures): number | undefined => {
  const [ours, alone] = [SERVER_NAMES.signed, SERVER_NAMES.alone].map(name => rowAt(speed, 50, name)?.perSecond)
  return ours && alone && ours / alone
}
const startOf = ({ starts }: SpeedFigures, name: string) => starts.find(start => start.name === name)
const spread = (row: SpeedRow | undefined) => row && row.p99Ms / row.p50Ms

// biome-ignore format: a table reads by its columns
const GOALS: readonly Goal[] = [
  { goal: 'signed initiate: rate by that of the bare server, 50 at once',         limit: 0.8,  at: 'least', value: speed => rowAt(speed, 50, SERVER_NAMES.signed)?.ratio?.rate },
  { goal: 'signed initiate: processor time of the bare server by ours, 50 at once', limit: 0.8,  at: 'least', value: speed => rowAt(speed, 50, SERVER_NAMES.signed)?.ratio?.cpu },
  { goal: 'signed initiate: rate by that of the bare server on one core, 50 at once', limit: 1, at: 'least', value: speed => byOneCore(speed) },
  { goal: 'signed initiate: p99 by p50, 50 at once',                              limit: 5,    at: 'most',  value: speed => spread(rowAt(speed, 50, SERVER_NAMES.signed)) },
  { goal: 'layers off: rate by that of bare Hono, 50 at once',                    limit: 0.5,  at: 'least', value: speed => rowAt(speed, 50, SERVER_NAMES.plain)?.ratio?.rate },
  { goal: 'layers off: p99 in ms, 50 at once',                                    limit: 25,   at: 'most',  value: speed => rowAt(speed, 50, SERVER_NAMES.plain)?.p99Ms },
  { goal: 'start to ready in ms',                                                 limit: 400,  at: 'most',  value: speed => startOf(speed, SERVER_NAMES.signed)?.readyMs },
  { goal: 'memory idle in MB',                                                    limit: 100,  at: 'most',  value: speed => startOf(speed, SERVER_NAMES.signed)?.memoryIdleMb },
  { goal: 'memory in MB after all calls',                                         limit: 140,  at: 'most',  value: speed => startOf(speed, SERVER_NAMES.signed)?.memoryLoadedMb },
]

/** Compares the measured figures with the performance goals. */
export const compareWithGoals = (speed: SpeedFigures): GoalResult[] =>
  GOALS.map(({ goal, limit, at, value }) => {
    const found = value(speed) ?? Number.NaN
    return { goal, limit, value: found, met: at === 'least' ? found >= limit : found <= limit }
  })

export const goalsTable = (speed: SpeedFigures): string => {
  const goals = compareWithGoals(speed)
  const width = Math.max(...goals.map(({ goal }) => goal.length))
  const two = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0)).padStart(8)
  return [
    `${'goals'.padEnd(width)}${'goal'.padStart(8)}${'seen'.padStart(8)}`,
    ...goals.map(
      ({ goal, limit, value, met }) => `${goal.padEnd(width)}${two(limit)}${two(value)}  ${met ? 'met' : 'missed'}`,
    ),
  ].join('\n')
}

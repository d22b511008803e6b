import type { Row, Speed } from './speed-figures.ts'
import { NAMES } from './stage.ts'

export type Judged = { goal: string; limit: number; value: number; met: boolean }

type Goal = { goal: string; limit: number; at: 'least' | 'most'; value(speed: Speed): number | undefined }

const rowAt = ({ initiates }: Speed, connections: number, name: string): Row | undefined =>
  initiates.find(level => level.connections === connections)?.rows.find(row => row.name === name)
const byOneCore = (speed: Speed): number | undefined => {
  const [ours, alone] = [NAMES.signed, NAMES.alone].map(name => rowAt(speed, 50, name)?.perSecond)
  return ours && alone && ours / alone
}
const startOf = ({ starts }: Speed, name: string) => starts.find(start => start.name === name)
const spread = (row: Row | undefined) => row && row.p99Ms / row.p50Ms

// biome-ignore format: a table reads by its columns
const GOALS: readonly Goal[] = [
  { goal: 'signed initiate: rate by that of the bare server, 50 at once',         limit: 0.8,  at: 'least', value: speed => rowAt(speed, 50, NAMES.signed)?.ratio?.rate },
  { goal: 'signed initiate: processor time of the bare server by ours, 50 at once', limit: 0.8,  at: 'least', value: speed => rowAt(speed, 50, NAMES.signed)?.ratio?.cpu },
  { goal: 'signed initiate: rate by that of the bare server on one core, 50 at once', limit: 1, at: 'least', value: speed => byOneCore(speed) },
  { goal: 'signed initiate: p99 by p50, 50 at once',                              limit: 5,    at: 'most',  value: speed => spread(rowAt(speed, 50, NAMES.signed)) },
  { goal: 'layers off: rate by that of bare Hono, 50 at once',                    limit: 0.5,  at: 'least', value: speed => rowAt(speed, 50, NAMES.plain)?.ratio?.rate },
  { goal: 'layers off: p99 in ms, 50 at once',                                    limit: 25,   at: 'most',  value: speed => rowAt(speed, 50, NAMES.plain)?.p99Ms },
  { goal: 'start to ready in ms',                                                 limit: 400,  at: 'most',  value: speed => startOf(speed, NAMES.signed)?.readyMs },
  { goal: 'memory idle in MB',                                                    limit: 100,  at: 'most',  value: speed => startOf(speed, NAMES.signed)?.memoryIdleMb },
  { goal: 'memory in MB after all calls',                                         limit: 140,  at: 'most',  value: speed => startOf(speed, NAMES.signed)?.memoryLoadedMb },
]

/** What we set ourselves, beside what was measured. */
export const judge = (speed: Speed): Judged[] =>
  GOALS.map(({ goal, limit, at, value }) => {
    const found = value(speed) ?? Number.NaN
    return { goal, limit, value: found, met: at === 'least' ? found >= limit : found <= limit }
  })

export const goalsTable = (speed: Speed): string => {
  const goals = judge(speed)
  const width = Math.max(...goals.map(({ goal }) => goal.length))
  const two = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0)).padStart(8)
  return [
    `${'goals'.padEnd(width)}${'goal'.padStart(8)}${'seen'.padStart(8)}`,
    ...goals.map(
      ({ goal, limit, value, met }) => `${goal.padEnd(width)}${two(limit)}${two(value)}  ${met ? 'met' : 'missed'}`,
    ),
  ].join('\n')
}

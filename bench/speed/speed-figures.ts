import type { LoadRun } from '../load/http-load.ts'
import { median, percentilesOf, rateOf } from '../load/statistics.ts'

export type MeasuredRound = LoadRun & { name: string; connections: number; round: number; cpuMs: number }

type Start = { name: string; firstReadyMs: number; readyMs: number; memoryIdleMb: number; memoryLoadedMb: number }

/** Rate, latency and CPU time per call of one server; CPU time includes child processes, threads and the kernel. */
type Pace = { name: string; perSecond: number; p50Ms: number; p99Ms: number; cpuMicroseconds: number }
/** Ratio of Assay to a reference server: of rates, and of CPU times, which no other load distorts. */
type Ratio = { to: string; rate: number; cpu: number }
export type SpeedRow = Pace & { ratio?: Ratio }
export type SpeedTable = { connections: number; rows: SpeedRow[] }[]

/** Figures of the speed measurement; `missing` says in one sentence each which server could not be measured, and why. */
export type SpeedFigures = {
  calls: number
  starts: Start[]
  initiates: SpeedTable
  payments: SpeedTable
  missing: string[]
  /** Value of each goal in every run, by its name, where there were several. */
  goals?: Record<string, number[]>
}

type Measured = {
  calls: number
  starts: Start[]
  measures: ReadonlyMap<string, string | undefined>
  initiates: readonly MeasuredRound[]
  payments: readonly MeasuredRound[]
  missing: string[]
}

/** Summarizes the rounds: one row per server and number of connections; ratios are taken within the same round. */
export const summarizeSpeed = ({ measures, initiates, payments, ...rest }: Measured): SpeedFigures => ({
  ...rest,
  initiates: tableOf(initiates, measures),
  payments: tableOf(payments, new Map()),
})

const tableOf = (all: readonly MeasuredRound[], measures: Measured['measures']): SpeedTable =>
  [...Map.groupBy(all, ({ connections }) => connections)].map(([connections, ofLevel]) => {
    const runners = Map.groupBy(ofLevel, ({ name }) => name)
    const rows = [...runners].map(([name, rounds]) => {
      const to = measures.get(name)
      const theirs = to === undefined ? undefined : runners.get(to)
      const pace = paceOf(name, rounds)
      return to === undefined || !theirs ? pace : { ...pace, ratio: { to, ...ratioOf(rounds, theirs) } }
    })
    return { connections, rows }
  })

const paceOf = (name: string, rounds: readonly MeasuredRound[]): Pace => ({
  name,
  perSecond: median(rounds.map(rateOf)),
  ...percentilesOf(rounds.flatMap(({ latencies }) => latencies)),
  cpuMicroseconds: median(rounds.map(cpuOf)),
})

/** Returns the median of the ratios of each round to the reference server's round of the same number. */
const ratioOf = (rounds: readonly MeasuredRound[], theirs: readonly MeasuredRound[]) => {
  const pairs = rounds.flatMap(own => {
    const twin = theirs.find(({ round }) => round === own.round)
    return twin ? [{ own, twin }] : []
  })
  return {
    rate: median(pairs.map(({ own, twin }) => rateOf(own) / rateOf(twin))),
    cpu: median(pairs.map(({ own, twin }) => cpuOf(twin) / cpuOf(own))),
  }
}

const cpuOf = ({ latencies, cpuMs }: MeasuredRound): number => (cpuMs * 1000) / latencies.length

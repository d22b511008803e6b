import type { Run } from './load.ts'
import { middle, rateOf, spreadOf } from './rounds.ts'

export type Round = Run & { name: string; connections: number; round: number; cpuMs: number }

type Start = { name: string; firstReadyMs: number; readyMs: number; memoryIdleMb: number; memoryLoadedMb: number }

/** Processor time is that of the server's process with those that it started, threads and kernel included. */
export type Pace = { name: string; perSecond: number; p50Ms: number; p99Ms: number; cpuMicroseconds: number }
/** To whom, and how many times their rate; `cpu` is their processor time by ours, which no load beside it can bend. */
export type Ratio = { to: string; rate: number; cpu: number }
export type Row = Pace & { ratio?: Ratio }
export type Table = { connections: number; rows: Row[] }[]

/** `missing` says in a sentence each who could not be measured, and why. */
export type Speed = { calls: number; starts: Start[]; initiates: Table; payments: Table; missing: string[] }

type Measured = {
  calls: number
  starts: Start[]
  measures: ReadonlyMap<string, string | undefined>
  initiates: readonly Round[]
  payments: readonly Round[]
  missing: string[]
}

/** One row for each runner at each number of connections; what a ratio is to was measured in the same round. */
export const summarize = ({ measures, initiates, payments, ...rest }: Measured): Speed => ({
  ...rest,
  initiates: tableOf(initiates, measures),
  payments: tableOf(payments, new Map()),
})

const tableOf = (all: readonly Round[], measures: Measured['measures']): Table =>
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

const paceOf = (name: string, rounds: readonly Round[]): Pace => ({
  name,
  perSecond: middle(rounds.map(rateOf)),
  ...spreadOf(rounds.flatMap(({ latencies }) => latencies)),
  cpuMicroseconds: middle(rounds.map(cpuOf)),
})

/** The middle of the ratios of each round to its twin. */
const ratioOf = (rounds: readonly Round[], theirs: readonly Round[]) => {
  const pairs = rounds.flatMap(own => {
    const twin = theirs.find(({ round }) => round === own.round)
    return twin ? [{ own, twin }] : []
  })
  return {
    rate: middle(pairs.map(({ own, twin }) => rateOf(own) / rateOf(twin))),
    cpu: middle(pairs.map(({ own, twin }) => cpuOf(twin) / cpuOf(own))),
  }
}

const cpuOf = ({ latencies, cpuMs }: Round): number => (cpuMs * 1000) / latencies.length

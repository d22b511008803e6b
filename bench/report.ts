import { availableParallelism } from 'node:os'
import type { Round, Run } from './load.ts'

export type Measured = {
  firstReadyMs: number
  readyMs: number
  memoryIdleMb: number
  memoryLoadedMb: number
  calls: number
  levels: { connections: number; rounds: Round[] }[]
}

type Side = { callsPerSecond: number; p50Ms: number; p99Ms: number }
export type Figures = Omit<Measured, 'levels'> & {
  levels: { connections: number; assay: Side; floor: Side; ratio: number }[]
}

/** One row for each number of connections; rate and ratio are those of the middle round, each against its own twin. */
export function summarize({ levels, ...rest }: Measured): Figures {
  const rows = levels.map(({ connections, rounds }) => ({
    connections,
    assay: side(rounds.map(round => round.assay)),
    floor: side(rounds.map(round => round.floor)),
    ratio: middle(rounds.map(({ assay, floor }) => rate(assay) / rate(floor))),
  }))
  return { ...rest, levels: rows }
}

function side(runs: Run[]): Side {
  const latencies = runs.flatMap(run => run.latencies).sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN
  return { callsPerSecond: middle(runs.map(rate)), p50Ms: at(0.5), p99Ms: at(0.99) }
}

const rate = ({ latencies, seconds }: Run): number => latencies.length / seconds

function middle(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** The figures as a table for people. */
export function table({ firstReadyMs, readyMs, memoryIdleMb, memoryLoadedMb, calls, levels }: Figures): string {
  return [
    `Node ${process.version}, ${availableParallelism()} cores, clients on the same machine`,
    '',
    line('start to ready, first start', firstReadyMs, 'ms'),
    line('start to ready, later', readyMs, 'ms'),
    line('memory idle', memoryIdleMb, 'MB'),
    line(`memory after ${calls.toLocaleString('en')} calls`, memoryLoadedMb, 'MB'),
    '',
    'signed initiate over mTLS             Assay                      bare server',
    'connections        calls/s  p50 ms  p99 ms      calls/s  p50 ms  p99 ms      ratio',
    ...levels.map(
      ({ connections, assay, floor, ratio }) =>
        `${String(connections).padStart(11)}    ${columns(assay)}  ${columns(floor)}  ${figure(ratio, 9, 2)}`,
    ),
  ].join('\n')
}

const line = (what: string, value: number, unit: string) => `${what.padEnd(30)}${figure(value, 6)} ${unit}`

const columns = ({ callsPerSecond, p50Ms, p99Ms }: Side) =>
  `${figure(callsPerSecond, 11)}${figure(p50Ms, 8, 2)}${figure(p99Ms, 8, 2)}`

const figure = (value: number, width: number, digits = 0): string => value.toFixed(digits).padStart(width)

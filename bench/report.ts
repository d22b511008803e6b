import { availableParallelism } from 'node:os'
import type { Round, Run } from './load.ts'

export type Figures = {
  firstReadyMs: number
  readyMs: number
  memoryIdleMb: number
  memoryLoadedMb: number
  calls: number
  levels: { connections: number; rounds: Round[] }[]
}

/** The figures as a table for people; the ratio is the middle one of the rounds, each against its own twin. */
export function report({ firstReadyMs, readyMs, memoryIdleMb, memoryLoadedMb, calls, levels }: Figures): string {
  const many = calls.toLocaleString('en')
  return [
    `Node ${process.version}, ${availableParallelism()} cores, clients on the same machine`,
    '',
    `start to ready, first start   ${figure(firstReadyMs, 7)} ms`,
    `start to ready, later         ${figure(readyMs, 7)} ms`,
    `memory idle                   ${figure(memoryIdleMb, 7)} MB`,
    `${`memory after ${many} calls`.padEnd(30)}${figure(memoryLoadedMb, 7)} MB`,
    '',
    'signed initiate over mTLS      Assay                       bare server',
    'connections                  calls/s  p50 ms  p99 ms     calls/s  p50 ms  p99 ms     ratio',
    ...levels.map(levelRow),
  ].join('\n')
}

function levelRow({ connections, rounds }: Figures['levels'][number]): string {
  const ratio = middle(rounds.map(({ assay, floor }) => rate(assay) / rate(floor)))
  const columns = [side(rounds.map(round => round.assay)), side(rounds.map(round => round.floor)), figure(ratio, 7, 2)]
  return `${String(connections).padStart(11)}             ${columns.join('   ')}`
}

function side(runs: Run[]): string {
  const latencies = runs.flatMap(run => run.latencies).sort((a, b) => a - b)
  const at = (share: number) => figure(latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN, 8, 2)
  return `${figure(middle(runs.map(rate)), 12)}${at(0.5)}${at(0.99)}`
}

const rate = ({ latencies, seconds }: Run): number => latencies.length / seconds

const middle = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const figure = (value: number, width: number, digits = 0): string => value.toFixed(digits).padStart(width)

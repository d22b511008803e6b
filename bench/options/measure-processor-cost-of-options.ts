import { join } from 'node:path'
import { type Credentials, readKit } from '../../contracts/client/credentials.ts'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { irisPayment } from '../../contracts/suites/given/request-bodies.ts'
import { cpuMsOfThreads } from '../load/process-usage.ts'
import { startAssay } from '../load/start-servers.ts'
import { median, rotated } from '../load/statistics.ts'

/**
 * Processor time of a signed initiate without and with options of the sandbox, in microseconds, and as a ratio to that
 * without them: the median of the rounds of a run, each run with processes of its own.
 */
export type OptionCostFigures = {
  calls: number
  rounds: number
  runs: number
  limit: number
  sandboxes: readonly SandboxCost[]
}
type SandboxCost = { name: string; cpuUs: number; ratio: { median: number; least: number; most: number } }

/** Sandboxes to compare, each with its options; the first has none. `limit` is the highest ratio that is wanted. */
type Comparison = { sandboxes: Readonly<Record<string, readonly string[]>>; limit: number }

const dialectFile = (name: string): string => join(import.meta.dirname, `../../test/conformance/dialects/${name}.yaml`)

/** What a call in another dialect costs beside one in our own. */
export const DIALECTS: Comparison = {
  limit: 1.15,
  sandboxes: {
    'our own': [],
    'snake-case': ['--dialect', dialectFile('snake-case')],
    bookkeeping: ['--dialect', dialectFile('bookkeeping')],
    'coarse-states': ['--dialect', dialectFile('coarse-states')],
  },
}

/** What metrics and lines of a log cost. */
export const TELEMETRY: Comparison = {
  limit: 1.02,
  sandboxes: { without: [], '--metrics on': ['--metrics', 'on'], '--log json': ['--log', 'json'] },
}

/**
 * Measures what options cost: the same signed initiates on several sandboxes in rounds, by their processor time. One
 * process differs from the next of the same options by more than some options cost, so each run starts others.
 */
export const measureProcessorCostOfOptions = async (
  { sandboxes, limit }: Comparison,
  folder: string,
  quick: boolean,
): Promise<OptionCostFigures> => {
  const [calls, rounds, runs] = quick ? [100, 2, 1] : [1000, 5, 9]
  const costs: Cost[][] = []
  for (let run = 0; run < runs; run += 1)
    costs.push(await runRounds(sandboxes, { calls, rounds, folder: join(folder, String(run)) }))
  const names = Object.keys(sandboxes)
  return { calls, rounds, runs, limit, sandboxes: names.map(name => figuresOf(name, names[0] ?? '', costs)) }
}

/** Microseconds of a call in one round, by the name of the sandbox. */
type Cost = Record<string, number>

const runRounds = async (
  sandboxes: Comparison['sandboxes'],
  { calls, rounds, folder }: { calls: number; rounds: number; folder: string },
): Promise<Cost[]> => {
  const lanes: Lane[] = []
  try {
    for (const [at, [name, options]] of Object.entries(sandboxes).entries())
      lanes.push(await startLane(join(folder, String(at)), name, options))
    for (const lane of lanes) await lane.run(calls)
    const costs: Cost[] = []
    for (let round = 0; round < rounds; round += 1) {
      const cost: Cost = {}
      for (const lane of rotated(lanes, round)) cost[lane.name] = await lane.run(calls)
      costs.push(cost)
    }
    return costs
  } finally {
    await Promise.all(lanes.map(lane => lane.stop()))
  }
}

/** A sandbox with its options; `run` makes calls and returns the processor time of one, in microseconds. */
type Lane = { name: string; run(calls: number): Promise<number>; stop(): Promise<void> }

const CONNECTIONS = 8

const startLane = async (folder: string, name: string, options: readonly string[]): Promise<Lane> => {
  const server = await startAssay(folder, options)
  const kit: Credentials = readKit(join(folder, 'kit/demo-merchant'))
  const merchant = createMerchant({ ...kit, baseUrl: `https://localhost:${server.port}` })
  const json = irisPayment({ account: kit.processingAccountIds[0] ?? '' })
  const run = async (calls: number): Promise<number> => {
    const before = cpuMsOfThreads(server.pid)
    const connection = async () => {
      for (let call = 0; call < calls / CONNECTIONS; call += 1) {
        const { response } = await merchant.request('initiate', { json })
        if ((response?.status ?? 500) >= 300) throw new Error(`initiate answered ${response?.status} in ${name}.`)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, connection))
    return ((cpuMsOfThreads(server.pid) - before) * 1000) / calls
  }
  const stop = async (): Promise<void> => {
    merchant.close()
    await server.stop()
  }
  return { name, run, stop }
}

const figuresOf = (name: string, plain: string, runs: readonly Cost[][]): SandboxCost => {
  const costIn = (cost: Cost, of: string): number => cost[of] ?? Number.NaN
  const ratios = runs.map(costs => median(costs.map(cost => costIn(cost, name) / costIn(cost, plain))))
  return {
    name,
    cpuUs: median(runs.flat().map(cost => costIn(cost, name))),
    ratio: { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) },
  }
}

/** Formats the processor time of a signed initiate without and with options as a text table. */
export const optionCostTable = ({ calls, rounds, runs, limit, sandboxes }: OptionCostFigures): string =>
  [
    `${'processor time of a signed initiate'.padEnd(40)}µs   ratio to the first, median (range) of ${runs} runs of ${rounds} rounds of ${calls} calls`,
    ...sandboxes.map(({ name, cpuUs, ratio: { median: middle, least, most } }, at) => {
      const range = `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`
      return `${name.padEnd(36)}${cpuUs.toFixed(0).padStart(6)}   ${at === 0 ? '' : `${range}, limit ${limit}`}`.trimEnd()
    }),
  ].join('\n')

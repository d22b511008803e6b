import { join } from 'node:path'
import { type Credentials, readKit } from '../../contracts/client/credentials.ts'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { irisPayment } from '../../contracts/suites/given/request-bodies.ts'
import { startAssay } from '../load/start-servers.ts'
import { median, rotated } from '../load/statistics.ts'

/** Processor time of an initiate in each dialect, in microseconds, and as a ratio to our own in the same round. */
export type DialectFigures = { calls: number; rounds: number; limit: number; dialects: readonly DialectCost[] }
type DialectCost = { name: string; cpuUs: number; ratio: { median: number; least: number; most: number } }

/** Dialects of the tests, each with a simulator of its own. */
const DIALECTS = ['snake-case', 'bookkeeping', 'coarse-states'] as const
const OWN = 'our own'
/** The most that a call in another dialect may cost, as a ratio to our own. */
const LIMIT = 1.15

/** Measures what a dialect costs: the same signed initiates on several sandboxes in rounds, by their processor time. */
export const measureDialectCost = async (folder: string, quick: boolean): Promise<DialectFigures> => {
  const [calls, rounds] = quick ? [100, 2] : [1000, 40]
  const lanes: Lane[] = []
  try {
    for (const name of [OWN, ...DIALECTS]) lanes.push(await startLane(join(folder, name), name))
    for (const lane of lanes) await lane.run(calls)
    const costs: Record<string, number>[] = []
    for (let round = 0; round < rounds; round += 1) {
      const cost: Record<string, number> = {}
      for (const lane of rotated(lanes, round)) cost[lane.name] = await lane.run(calls)
      costs.push(cost)
    }
    return { calls, rounds, limit: LIMIT, dialects: lanes.map(({ name }) => figuresOf(name, costs)) }
  } finally {
    await Promise.all(lanes.map(lane => lane.stop()))
  }
}

/** A sandbox that speaks one dialect; `run` makes calls and returns the processor time of one, in microseconds. */
type Lane = { name: string; run(calls: number): Promise<number>; stop(): Promise<void> }

const CONNECTIONS = 8

const startLane = async (folder: string, name: string): Promise<Lane> => {
  const file = join(import.meta.dirname, `../../test/conformance/dialects/${name}.yaml`)
  const server = await startAssay(folder, name === OWN ? [] : ['--dialect', file])
  const kit: Credentials = readKit(join(folder, 'kit/demo-merchant'))
  const merchant = createMerchant({ ...kit, baseUrl: `https://localhost:${server.port}` })
  const json = irisPayment(kit.processingAccountIds[0] ?? '')
  const run = async (calls: number): Promise<number> => {
    const before = server.usage().cpuMs
    const connection = async () => {
      for (let call = 0; call < calls / CONNECTIONS; call += 1) {
        const { response } = await merchant.request('initiate', { json })
        if ((response?.status ?? 500) >= 300) throw new Error(`initiate answered ${response?.status} in ${name}.`)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, connection))
    return ((server.usage().cpuMs - before) * 1000) / calls
  }
  const stop = async (): Promise<void> => {
    merchant.close()
    await server.stop()
  }
  return { name, run, stop }
}

const figuresOf = (name: string, costs: readonly Record<string, number>[]): DialectCost => {
  const own = costs.map(cost => cost[name] ?? Number.NaN)
  const ratios = costs.map(cost => (cost[name] ?? Number.NaN) / (cost[OWN] ?? Number.NaN))
  return {
    name,
    cpuUs: median(own),
    ratio: { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) },
  }
}

/** Formats the processor time of an initiate in each dialect as a text table. */
export const dialectTable = ({ calls, rounds, limit, dialects }: DialectFigures): string =>
  [
    `${'processor time of a signed initiate'.padEnd(40)}µs   ratio to our own, median (range) of ${rounds} rounds of ${calls} calls`,
    ...dialects.map(({ name, cpuUs, ratio: { median: middle, least, most } }) => {
      const range = `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`
      return `${name.padEnd(36)}${cpuUs.toFixed(0).padStart(6)}   ${name === OWN ? '' : `${range}, limit ${limit}`}`.trimEnd()
    }),
  ].join('\n')

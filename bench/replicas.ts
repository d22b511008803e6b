import { join } from 'node:path'
import type { Pool } from 'undici'
import { schemaFor } from '../test/support/schema.ts'
import { type Fleet, ownPostgres, startFleet } from './fleet.ts'
import { drive, initiateOf, type Run, securePool, send, signedWith, tokenFor } from './load.ts'
import type { FleetFigures, Replicas } from './replicas-table.ts'
import { measureTrips } from './round-trips.ts'
import type { Server } from './servers.ts'
import { middle } from './speed-figures.ts'

type Plan = { connections: number; calls: number; rounds: number }
type Round = Run & { serviceMs: number; databaseMs: number }
type Keep = <Some extends Server>(server: Some) => Some

const FULL: Plan = { connections: 30, calls: 1_500, rounds: 5 }
const QUICK: Plan = { connections: 6, calls: 150, rounds: 1 }
const MOST = 3

/** One to three replicas over one PostgreSQL beside the embedded store, in turns; then what one call waits for. */
export const measureReplicas = async (folder: string, quick: boolean, keep: Keep): Promise<Replicas> => {
  const plan = quick ? QUICK : FULL
  const postgres = await ownPostgres()
  const servers: Server[] = []
  const kept: Keep = server => {
    servers.push(server)
    return keep(server)
  }
  try {
    const fleets = [await startFleet({ name: 'SQLite', folder, count: 1, url: undefined })]
    for (let count = 1; count <= MOST; count += 1) {
      const name = `PostgreSQL, ${count} ${count === 1 ? 'replica' : 'replicas'}`
      fleets.push(await startFleet({ name, folder, count, url: postgres.url }))
    }
    for (const server of fleets.flatMap(({ replicas }) => replicas)) kept(server)
    const rounds = await runAll(fleets, plan, postgres.cpuMs)
    const store = await schemaFor(postgres.url)
    const trips = await measureTrips({ dataDir: join(folder, 'trips'), store, port: postgres.port }, kept)
    return { connections: plan.connections, fleets: fleets.map(({ name }) => figuresOf(name, rounds)), trips }
  } finally {
    await Promise.all(servers.map(server => server.stop()))
    postgres.remove()
  }
}

/** All rounds of each, by name; one before them warms up. */
const runAll = async (fleets: readonly Fleet[], { connections, calls, rounds }: Plan, databaseMs: () => number) => {
  const lanes = await Promise.all(fleets.map(fleet => openLane(fleet, connections)))
  const done = new Map<string, Round[]>(fleets.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round += 1)
    for (const { name, serviceMs, works, pools } of turned(lanes, round)) {
      const given = await works(calls)
      const before = { service: serviceMs(), database: databaseMs() }
      const run = await drive(pools, given, connections)
      const spent = { serviceMs: serviceMs() - before.service, databaseMs: databaseMs() - before.database }
      if (round > 0) done.get(name)?.push({ ...run, ...spent })
    }
  await Promise.all(lanes.flatMap(({ pools }) => pools.map(pool => pool.close())))
  return done
}

/** Who comes first changes from round to round. */
const turned = <Lane>(lanes: readonly Lane[], round: number): Lane[] => {
  const first = round % lanes.length
  return [...lanes.slice(first), ...lanes.slice(0, first)]
}

/** Calls go to the replicas in turns, as at a proxy. */
const openLane = async ({ name, replicas, kit }: Fleet, connections: number) => {
  const pools = replicas.map(({ port }) => securePool(port, connections / replicas.length, kit))
  const sign = signedWith(kit, await tokenFor(replicas[0]?.port ?? 0, kit))
  const works = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const ready = await sign(initiateOf(kit.processingAccountId))
        return (over: readonly Pool[]) => send(over[at % over.length] as Pool, ready)
      }),
    )
  const serviceMs = () => replicas.reduce((sum, server) => sum + server.usage().cpuMs, 0)
  return { name, works, serviceMs, pools }
}

const figuresOf = (name: string, rounds: ReadonlyMap<string, readonly Round[]>): FleetFigures => {
  const [[, firsts = []] = []] = rounds
  const own = rounds.get(name) ?? []
  const latencies = own.flatMap(round => round.latencies).sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN
  const each = (of: 'serviceMs' | 'databaseMs') =>
    middle(own.map(round => (round[of] * 1_000) / round.latencies.length))
  return {
    name,
    perSecond: middle(own.map(rateOf)),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    serviceMicroseconds: each('serviceMs'),
    databaseMicroseconds: each('databaseMs'),
    ratio: middle(own.map((round, number) => rateOf(round) / rateOf(firsts[number] as Round))),
  }
}

const rateOf = ({ latencies, seconds }: Round): number => latencies.length / seconds

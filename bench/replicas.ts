import { join } from 'node:path'
import type { Pool } from 'undici'
import { schemaFor } from '../test/support/schema.ts'
import { type Fleet, overPostgres, startFleet } from './fleet.ts'
import { drive, initiateOf, type Run, securePool, send, signedWith, tokenFor } from './load.ts'
import type { FleetFigures, Replicas } from './replicas-table.ts'
import { measureTrips } from './round-trips.ts'
import { middle, rateOf, spreadOf, turned } from './rounds.ts'

type Plan = { connections: number; calls: number; rounds: number }
type Round = Run & { serviceMs: number; databaseMs: number }

const FULL: Plan = { connections: 30, calls: 1_500, rounds: 5 }
const QUICK: Plan = { connections: 6, calls: 150, rounds: 1 }
const MOST = 3

/** One to three replicas over one PostgreSQL beside the embedded store, in turns; then what one call waits for. */
export const measureReplicas = (folder: string, quick: boolean): Promise<Replicas> =>
  overPostgres(async ({ url, port, cpuMs }, keep) => {
    const plan = quick ? QUICK : FULL
    const fleets = [await startFleet({ name: 'SQLite', folder, count: 1, url: undefined, keep })]
    for (let count = 1; count <= MOST; count += 1) {
      const name = `PostgreSQL, ${count} ${count === 1 ? 'replica' : 'replicas'}`
      fleets.push(await startFleet({ name, folder, count, url, keep }))
    }
    const rounds = await runAll(fleets, plan, cpuMs)
    const trips = await measureTrips({ dataDir: join(folder, 'trips'), store: await schemaFor(url), port }, keep)
    return { connections: plan.connections, fleets: fleets.map(({ name }) => figuresOf(name, rounds)), trips }
  })

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
  const each = (of: 'serviceMs' | 'databaseMs') =>
    middle(own.map(round => (round[of] * 1_000) / round.latencies.length))
  return {
    name,
    perSecond: middle(own.map(rateOf)),
    ...spreadOf(own.flatMap(({ latencies }) => latencies)),
    serviceMicroseconds: each('serviceMs'),
    databaseMicroseconds: each('databaseMs'),
    ratio: middle(own.map((round, number) => rateOf(round) / rateOf(firsts[number] as Round))),
  }
}

import { join } from 'node:path'
import type { Pool } from 'undici'
import { createPostgresSchema } from '../../test/support/create-postgres-schema.ts'
import {
  initiateRequestOf,
  type LoadRun,
  prepareSigned,
  requestToken,
  runLoad,
  securePool,
  sendPrepared,
} from '../load/http-load.ts'
import { measureOverPostgres } from '../load/run-with-postgres.ts'
import { median, percentilesOf, rateOf, rotated } from '../load/statistics.ts'
import { openBareRows } from './bare-rows.ts'
import { measureDueJobs } from './measure-due-jobs.ts'
import { measureRoundTrips } from './measure-round-trips.ts'
import { type ReplicaSet, startReplicaSet } from './replica-set.ts'
import type { ReplicaFigures, ReplicaSetFigures } from './replicas-table.ts'

/** `warmUp` are the calls of each replica before the rounds: each compiles its code by itself. */
type Plan = { connections: number; warmUp: number; calls: number; rounds: number }
type Round = LoadRun & { serviceMs: number; databaseMs: number; flushes: number }
/** What takes part in the rounds: `run` makes calls at once, `serviceMs` is the processor time of the service so far. */
type Lane = {
  name: string
  replicas: number
  run(calls: number): Promise<LoadRun>
  serviceMs(): number
  close(): Promise<unknown>
}

/** Name of the rows of an initiate without a service. */
const BARE = 'the same rows, no service'

const FULL: Plan = { connections: 30, warmUp: 3_000, calls: 1_500, rounds: 5 }
const QUICK: Plan = { connections: 6, warmUp: 50, calls: 150, rounds: 1 }
const MOST = 3

/**
 * Measures one to three replicas over one PostgreSQL beside the embedded store, then round trips per call and how fast
 * due jobs run.
 */
export const measureReplicas = (folder: string, quick: boolean): Promise<ReplicaFigures> =>
  measureOverPostgres(async ({ url, port, cpuMs, flushes }, keep) => {
    const plan = quick ? QUICK : FULL
    const fleets = [await startReplicaSet({ name: 'SQLite', folder, count: 1, url: undefined, keep })]
    for (let count = 1; count <= MOST; count += 1) {
      const name = `PostgreSQL, ${count} ${count === 1 ? 'replica' : 'replicas'}`
      fleets.push(await startReplicaSet({ name, folder, count, url, keep }))
    }
    const lanes = await Promise.all(fleets.map(fleet => openLane(fleet, plan.connections)))
    for (const lane of lanes) await lane.run(plan.connections) // the rows that the plain client copies
    lanes.push(await openBareLane(fleets[1]?.store ?? '', plan.connections))
    const rounds = await runAll(lanes, plan, { cpuMs, flushes })
    const trips = await measureRoundTrips(
      { dataDir: join(folder, 'trips'), store: await createPostgresSchema(url), port },
      keep,
    )
    await Promise.all(fleets.flatMap(({ replicas }) => replicas.map(server => server.stop())))
    const dueJobs = await measureDueJobs({ folder, url, quick, cpuMs }, keep)
    return { connections: plan.connections, fleets: lanes.map(({ name }) => figuresOf(name, rounds)), trips, dueJobs }
  })

type Database = { cpuMs(): number; flushes(): Promise<number> }

/** Runs all rounds after a warm-up round; returns them by the name of the lane. */
const runAll = async (lanes: readonly Lane[], { warmUp, calls, rounds }: Plan, database: Database) => {
  const done = new Map<string, Round[]>(lanes.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round += 1)
    for (const { name, replicas, serviceMs, run } of rotated(lanes, round)) {
      const before = { service: serviceMs(), database: database.cpuMs(), flushes: await database.flushes() }
      const made = await run(round === 0 ? warmUp * replicas : calls)
      const flushes = (await database.flushes()) - before.flushes
      const spent = { serviceMs: serviceMs() - before.service, databaseMs: database.cpuMs() - before.database, flushes }
      if (round > 0) done.get(name)?.push({ ...made, ...spent })
    }
  await Promise.all(lanes.map(lane => lane.close()))
  return done
}

const openBareLane = async (url: string, connections: number): Promise<Lane> => {
  const { run, close } = await openBareRows(url, connections)
  return { name: BARE, replicas: 1, run, serviceMs: () => 0, close }
}

/** Measures the load on one set of replicas: calls go round-robin, as through a proxy. */
const openLane = async ({ name, replicas, kit }: ReplicaSet, connections: number): Promise<Lane> => {
  const pools = replicas.map(({ port }) => securePool(port, connections / replicas.length, kit))
  const sign = prepareSigned(kit, await requestToken(replicas[0]?.port ?? 0, kit))
  const works = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const ready = await sign(initiateRequestOf(kit.processingAccountId))
        return (over: readonly Pool[]) => sendPrepared(over[at % over.length] as Pool, ready)
      }),
    )
  return {
    name,
    replicas: replicas.length,
    run: async calls => runLoad(pools, await works(calls), connections),
    serviceMs: () => replicas.reduce((sum, server) => sum + server.usage().cpuMs, 0),
    close: () => Promise.all(pools.map(pool => pool.close())),
  }
}

const figuresOf = (name: string, rounds: ReadonlyMap<string, readonly Round[]>): ReplicaSetFigures => {
  const [[, firsts = []] = []] = rounds
  const own = rounds.get(name) ?? []
  const each = (of: 'serviceMs' | 'databaseMs' | 'flushes') =>
    median(own.map(round => (round[of] * 1_000) / round.latencies.length))
  return {
    name,
    perSecond: median(own.map(rateOf)),
    ...percentilesOf(own.flatMap(({ latencies }) => latencies)),
    serviceMicroseconds: each('serviceMs'),
    databaseMicroseconds: each('databaseMs'),
    flushes: each('flushes') / 1_000,
    ratio: median(own.map((round, number) => rateOf(round) / rateOf(firsts[number] as Round))),
  }
}

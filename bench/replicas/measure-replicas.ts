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
import { measureRoundTrips } from './measure-round-trips.ts'
import { type ReplicaSet, startReplicaSet } from './replica-set.ts'
import type { ReplicaFigures, ReplicaSetFigures } from './replicas-table.ts'

type Plan = { connections: number; calls: number; rounds: number }
type Round = LoadRun & { serviceMs: number; databaseMs: number }

const FULL: Plan = { connections: 30, calls: 1_500, rounds: 5 }
const QUICK: Plan = { connections: 6, calls: 150, rounds: 1 }
const MOST = 3

/** Measures one to three replicas over one PostgreSQL beside the embedded store, then round trips per call. */
export const measureReplicas = (folder: string, quick: boolean): Promise<ReplicaFigures> =>
  measureOverPostgres(async ({ url, port, cpuMs }, keep) => {
    const plan = quick ? QUICK : FULL
    const fleets = [await startReplicaSet({ name: 'SQLite', folder, count: 1, url: undefined, keep })]
    for (let count = 1; count <= MOST; count += 1) {
      const name = `PostgreSQL, ${count} ${count === 1 ? 'replica' : 'replicas'}`
      fleets.push(await startReplicaSet({ name, folder, count, url, keep }))
    }
    const rounds = await runAll(fleets, plan, cpuMs)
    const trips = await measureRoundTrips(
      { dataDir: join(folder, 'trips'), store: await createPostgresSchema(url), port },
      keep,
    )
    return { connections: plan.connections, fleets: fleets.map(({ name }) => figuresOf(name, rounds)), trips }
  })

/** Runs all rounds after a warm-up round; returns them by the name of the replica set. */
const runAll = async (
  fleets: readonly ReplicaSet[],
  { connections, calls, rounds }: Plan,
  databaseMs: () => number,
) => {
  const lanes = await Promise.all(fleets.map(fleet => openLane(fleet, connections)))
  const done = new Map<string, Round[]>(fleets.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round += 1)
    for (const { name, serviceMs, works, pools } of rotated(lanes, round)) {
      const given = await works(calls)
      const before = { service: serviceMs(), database: databaseMs() }
      const run = await runLoad(pools, given, connections)
      const spent = { serviceMs: serviceMs() - before.service, databaseMs: databaseMs() - before.database }
      if (round > 0) done.get(name)?.push({ ...run, ...spent })
    }
  await Promise.all(lanes.flatMap(({ pools }) => pools.map(pool => pool.close())))
  return done
}

/** Measures the load on one set of replicas: calls go round-robin, as through a proxy. */
const openLane = async ({ name, replicas, kit }: ReplicaSet, connections: number) => {
  const pools = replicas.map(({ port }) => securePool(port, connections / replicas.length, kit))
  const sign = prepareSigned(kit, await requestToken(replicas[0]?.port ?? 0, kit))
  const works = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const ready = await sign(initiateRequestOf(kit.processingAccountId))
        return (over: readonly Pool[]) => sendPrepared(over[at % over.length] as Pool, ready)
      }),
    )
  const serviceMs = () => replicas.reduce((sum, server) => sum + server.usage().cpuMs, 0)
  return { name, works, serviceMs, pools }
}

const figuresOf = (name: string, rounds: ReadonlyMap<string, readonly Round[]>): ReplicaSetFigures => {
  const [[, firsts = []] = []] = rounds
  const own = rounds.get(name) ?? []
  const each = (of: 'serviceMs' | 'databaseMs') =>
    median(own.map(round => (round[of] * 1_000) / round.latencies.length))
  return {
    name,
    perSecond: median(own.map(rateOf)),
    ...percentilesOf(own.flatMap(({ latencies }) => latencies)),
    serviceMicroseconds: each('serviceMs'),
    databaseMicroseconds: each('databaseMs'),
    ratio: median(own.map((round, number) => rateOf(round) / rateOf(firsts[number] as Round))),
  }
}

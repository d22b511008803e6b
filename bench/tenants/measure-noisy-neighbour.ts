import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Pool } from 'undici'
import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import {
  initiateRequestOf,
  type PreparedRequest,
  plainPool,
  prepareSigned,
  prepareUnsigned,
  requestToken,
  securePool,
  sendPrepared,
} from '../load/http-load.ts'
import { type MerchantCredentials, toMerchantCredentials } from '../load/read-merchant-credentials.ts'
import type { KeepServer } from '../load/start-servers.ts'
import { percentilesOf } from '../load/statistics.ts'
import { type ReplicaSet, startReplicaSet } from '../replicas/replica-set.ts'
import type { NoiseCounts, NoiseSettings, NoisyClientSettings } from './noisy-client.ts'
import type { NeighbourFigures } from './tenants-table.ts'

const REPLICAS = 2
const QUOTA = 50
/** Interval between the quiet organization's calls: twenty a second. */
const PACE_MS = 50
const FULL = { quiet: 100, loud: 1_000 }
const QUICK = { quiet: 20, loud: 200 }

// biome-ignore format: a table reads by its columns
const NOISES: readonly { name: string; quota: boolean; noise?: NoiseSettings }[] = [
  { name: 'alone',                                               quota: true },
  { name: 'beside 30 connections, no quota',                     quota: false, noise: { connections: 30 } },
  { name: `beside 30 connections, quota of ${QUOTA} a second`,   quota: true,  noise: { connections: 30 } },
  { name: 'the same, Retry-After heeded',                        quota: true,  noise: { connections: 30, heeds: true } },
  { name: 'the same quota, 300 connections',                     quota: true,  noise: { connections: 300 } },
  { name: 'the same quota, a new connection for each call',      quota: true,  noise: { connections: 30, anew: true } },
]

type NoisyNeighbourOptions = { folder: string; url: string; quick: boolean; keep: KeepServer }
type Caller = { kit: MerchantCredentials; ports: readonly number[]; calls: PreparedRequest[] }

/**
 * Measures the latency of a quiet organization's calls beside a noisy organization that calls as fast as it can, with
 * and without a rate limit. The noisy one ignores `Retry-After`, except in one row.
 */
export const measureNoisyNeighbour = async ({
  folder,
  url,
  quick,
  keep,
}: NoisyNeighbourOptions): Promise<NeighbourFigures[]> => {
  const counts = quick ? QUICK : FULL
  const rows: NeighbourFigures[] = []
  for (const quota of [true, false]) {
    const name = quota ? 'bounded' : 'free'
    const limit = ['--rate-limit', quota ? `${QUOTA}` : '0']
    const fleet = await startReplicaSet({ name, folder, count: REPLICAS, url, keep }, limit)
    const quiet = await callerOf(fleet, fleet.kit)
    const loud = await callerOf(fleet, await addLoud(fleet))
    await besides(await quiet(counts.quiet)) // warms up
    for (const row of NOISES.filter(one => one.quota === quota)) {
      const beside = row.noise && { ...(await loud(counts.loud)), noise: row.noise }
      rows.push({ name: row.name, ...(await besides(await quiet(counts.quiet), beside)) })
    }
    await Promise.all(fleet.replicas.map(server => server.stop()))
  }
  const place = ({ name }: NeighbourFigures) => NOISES.findIndex(row => row.name === name)
  return rows.sort((a, b) => place(a) - place(b))
}

const addLoud = async ({ replicas }: ReplicaSet): Promise<MerchantCredentials> => {
  const pages = plainPool(replicas[0]?.pagesPort ?? 0, 1)
  const asked = { method: 'POST', path: '/control/organizations', body: { id: 'loud' } } as const
  const made = await sendPrepared(pages, await prepareUnsigned(asked))
  await pages.close()
  return toMerchantCredentials(credentialsFromKit(JSON.parse(made)))
}

/** Creates a caller with a token that prepares calls on demand, since a signature is valid for minutes only. */
const callerOf = async ({ replicas }: ReplicaSet, kit: MerchantCredentials) => {
  const ports = replicas.map(({ port }) => port)
  const sign = prepareSigned(kit, await requestToken(ports[0] ?? 0, kit))
  return async (count: number): Promise<Caller> => {
    const calls = await Promise.all(
      Array.from({ length: count }, () => sign(initiateRequestOf(kit.processingAccountId))),
    )
    return { kit, ports, calls }
  }
}

/** Measures the quiet organization's calls while the noisy organization, if any, calls too. */
const besides = async (
  { kit, ports, calls }: Caller,
  loud?: Caller & { noise: NoiseSettings },
): Promise<Omit<NeighbourFigures, 'name'>> => {
  const pools = ports.map(port => securePool(port, 1, kit))
  const worker = loud && (await startNoise(loud))
  const begun = performance.now()
  const latencies: number[] = []
  for (const [at, call] of calls.entries()) {
    const due = begun + at * PACE_MS
    await pause(Math.max(0, due - performance.now()))
    await sendPrepared(pools[at % pools.length] as Pool, call)
    latencies.push(performance.now() - due)
  }
  const seconds = (performance.now() - begun) / 1_000
  const { served, refused } = worker ? await endNoise(worker) : { served: 0, refused: 0 }
  await Promise.all(pools.map(pool => pool.close()))
  return { ...percentilesOf(latencies), served: served / seconds, refused: refused / seconds }
}

/** Starts the noisy client's worker and waits for its first response. */
const startNoise = async ({ kit, ports, calls, noise }: Caller & { noise: NoiseSettings }): Promise<Worker> => {
  const { trusted, certificate, privateKey } = kit
  const workerData: NoisyClientSettings = { ...noise, ports, calls, kit: { trusted, certificate, privateKey } }
  const worker = new Worker(new URL('./noisy-client.ts', import.meta.url), { workerData })
  await once(worker, 'message')
  return worker
}

const endNoise = async (worker: Worker): Promise<NoiseCounts> => {
  const heard = once(worker, 'message')
  worker.postMessage('over')
  const [counts] = await heard
  await worker.terminate()
  return counts
}

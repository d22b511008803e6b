import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Pool } from 'undici'
import { credentialsFromKit } from '../contracts/client/credentials.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type Kit, kitOf } from './kit.ts'
import { initiateOf, plainly, plainPool, type Ready, securePool, send, signedWith, tokenFor } from './load.ts'
import type { Heard, Loud, Noise } from './loud.ts'
import { spreadOf } from './rounds.ts'
import type { Keep } from './servers.ts'
import type { Beside } from './tenants-table.ts'

const REPLICAS = 2
const QUOTA = 50
/** The quiet one makes twenty calls a second. */
const PACE_MS = 50
const FULL = { quiet: 100, loud: 1_000 }
const QUICK = { quiet: 20, loud: 200 }

// biome-ignore format: a table reads by its columns
const NOISES: readonly { name: string; quota: boolean; noise?: Noise }[] = [
  { name: 'alone',                                               quota: true },
  { name: 'beside 30 connections, no quota',                     quota: false, noise: { connections: 30 } },
  { name: `beside 30 connections, quota of ${QUOTA} a second`,   quota: true,  noise: { connections: 30 } },
  { name: 'the same, Retry-After heeded',                        quota: true,  noise: { connections: 30, heeds: true } },
  { name: 'the same quota, 300 connections',                     quota: true,  noise: { connections: 300 } },
  { name: 'the same quota, a new connection for each call',      quota: true,  noise: { connections: 30, anew: true } },
]

type Wish = { folder: string; url: string; quick: boolean; keep: Keep }
type Caller = { kit: Kit; ports: readonly number[]; calls: Ready[] }

/**
 * How long a quiet organization's calls take at a steady pace, beside one that calls as fast as it can and, but for one
 * row, does not heed Retry-After: without a quota and with one.
 */
export const measureNeighbours = async ({ folder, url, quick, keep }: Wish): Promise<Beside[]> => {
  const counts = quick ? QUICK : FULL
  const rows: Beside[] = []
  for (const quota of [true, false]) {
    const name = quota ? 'bounded' : 'free'
    const limit = ['--rate-limit', quota ? `${QUOTA}` : '0']
    const fleet = await startFleet({ name, folder, count: REPLICAS, url, keep }, limit)
    const quiet = await callerOf(fleet, fleet.kit)
    const loud = await callerOf(fleet, await addLoud(fleet))
    await besides(await quiet(counts.quiet)) // warms up
    for (const row of NOISES.filter(one => one.quota === quota)) {
      const beside = row.noise && { ...(await loud(counts.loud)), noise: row.noise }
      rows.push({ name: row.name, ...(await besides(await quiet(counts.quiet), beside)) })
    }
    await Promise.all(fleet.replicas.map(server => server.stop()))
  }
  const place = ({ name }: Beside) => NOISES.findIndex(row => row.name === name)
  return rows.sort((a, b) => place(a) - place(b))
}

const addLoud = async ({ replicas }: Fleet): Promise<Kit> => {
  const pages = plainPool(replicas[0]?.pagesPort ?? 0, 1)
  const asked = { method: 'POST', path: '/control/organizations', body: { id: 'loud' } } as const
  const made = await send(pages, await plainly(asked))
  await pages.close()
  return kitOf(credentialsFromKit(JSON.parse(made)))
}

/** It has its token before there is any noise; its calls are signed when they are wanted: a signature holds for minutes only. */
const callerOf = async ({ replicas }: Fleet, kit: Kit) => {
  const ports = replicas.map(({ port }) => port)
  const sign = signedWith(kit, await tokenFor(ports[0] ?? 0, kit))
  return async (count: number): Promise<Caller> => {
    const calls = await Promise.all(Array.from({ length: count }, () => sign(initiateOf(kit.processingAccountId))))
    return { kit, ports, calls }
  }
}

/** The quiet one's calls from the first to the last; the loud one begins before and ends after. */
const besides = async (
  { kit, ports, calls }: Caller,
  loud?: Caller & { noise: Noise },
): Promise<Omit<Beside, 'name'>> => {
  const pools = ports.map(port => securePool(port, 1, kit))
  const worker = loud && (await startNoise(loud))
  const begun = performance.now()
  const latencies: number[] = []
  for (const [at, call] of calls.entries()) {
    const due = begun + at * PACE_MS
    await pause(Math.max(0, due - performance.now()))
    await send(pools[at % pools.length] as Pool, call)
    latencies.push(performance.now() - due)
  }
  const seconds = (performance.now() - begun) / 1_000
  const { served, refused } = worker ? await endNoise(worker) : { served: 0, refused: 0 }
  await Promise.all(pools.map(pool => pool.close()))
  return { ...spreadOf(latencies), served: served / seconds, refused: refused / seconds }
}

/** Once it is heard. */
const startNoise = async ({ kit, ports, calls, noise }: Caller & { noise: Noise }): Promise<Worker> => {
  const { trusted, certificate, privateKey } = kit
  const workerData: Loud = { ...noise, ports, calls, kit: { trusted, certificate, privateKey } }
  const worker = new Worker(new URL('./loud.ts', import.meta.url), { workerData })
  await once(worker, 'message')
  return worker
}

const endNoise = async (worker: Worker): Promise<Heard> => {
  const heard = once(worker, 'message')
  worker.postMessage('over')
  const [counts] = await heard
  await worker.terminate()
  return counts
}

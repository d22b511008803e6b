import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Pool } from 'undici'
import { type PreparedRequest, securePool } from '../load/http-load.ts'
import type { MerchantCredentials } from '../load/read-merchant-credentials.ts'

/** Settings of the load that the noisy organization makes. */
export type NoiseSettings = {
  connections: number
  /** Waits as `Retry-After` says. */
  heeds?: boolean
  /** Opens a new connection for each call. */
  anew?: boolean
}
export type NoisyClientSettings = NoiseSettings & {
  ports: readonly number[]
  kit: Pick<MerchantCredentials, 'trusted' | 'certificate' | 'privateKey'>
  calls: readonly PreparedRequest[]
}
export type NoiseCounts = { served: number; refused: number }

/** Repeats the same calls in a worker thread until a message ends it; later repeats are idempotent replays. */
const makeNoise = async ({
  ports,
  kit,
  calls,
  connections,
  heeds,
  anew,
}: NoisyClientSettings): Promise<NoiseCounts> => {
  const over = new AbortController()
  const { signal } = over
  const ended = (error: unknown) => {
    if (!signal.aborted) throw error
  }
  const pools: Pool[] = ports.map(port => securePool(port, Math.ceil(connections / ports.length), kit))
  parentPort?.once('message', () => {
    over.abort()
    for (const pool of pools) pool.destroy().catch(ended)
  })
  const heard = { served: 0, refused: 0 }
  const connection = async (first: number) => {
    for (let next = first; !signal.aborted; next += connections) {
      const { method, path, headers, body } = calls[next % calls.length] as PreparedRequest
      const pool = pools[next % pools.length] as Pool
      const answer = await pool.request({ method, path, headers, body: body ?? null, reset: anew === true })
      await answer.body.dump()
      if (heard.served + heard.refused === 0) parentPort?.postMessage('begun')
      heard[answer.statusCode === 200 ? 'served' : 'refused'] += 1
      if (heeds && answer.statusCode === 429)
        await pause(Number(answer.headers['retry-after']) * 1_000, undefined, { signal })
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, first) => connection(first).catch(ended)))
  return heard
}

parentPort?.postMessage(await makeNoise(workerData as NoisyClientSettings))

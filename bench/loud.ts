import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Pool } from 'undici'
import type { Kit } from './kit.ts'
import { type Ready, securePool } from './load.ts'

/** How an organization makes itself a nuisance. */
export type Noise = {
  connections: number
  /** Waits as Retry-After says. */
  heeds?: boolean
  /** Every call over a connection of its own. */
  anew?: boolean
}
export type Loud = Noise & {
  ports: readonly number[]
  kit: Pick<Kit, 'trusted' | 'certificate' | 'privateKey'>
  calls: readonly Ready[]
}
export type Heard = { served: number; refused: number }

/** Again and again the same calls, in a thread of its own: from the second time on they are replays. It ends when told. */
const makeNoise = async ({ ports, kit, calls, connections, heeds, anew }: Loud): Promise<Heard> => {
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
      const { method, path, headers, body } = calls[next % calls.length] as Ready
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

parentPort?.postMessage(await makeNoise(workerData as Loud))

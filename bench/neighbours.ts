import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'undici'
import { credentialsFromKit } from '../contracts/client/credentials.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type Kit, kitOf } from './kit.ts'
import { initiateOf, plainly, plainPool, type Ready, securePool, send, signedWith, tokenFor } from './load.ts'
import { spreadOf } from './rounds.ts'
import type { Keep } from './servers.ts'
import type { Beside } from './tenants-table.ts'

const REPLICAS = 2
const QUOTA = 50
const LOUD_CONNECTIONS = 30
const FULL = { quiet: 300, loud: 1_000 }
const QUICK = { quiet: 40, loud: 200 }

type Wish = { folder: string; url: string; quick: boolean; keep: Keep }
type Caller = { pools: Pool[]; calls: Ready[] }

/** How long a quiet organization's calls take, one after the other, beside a loud one: without a quota and with one. */
export const measureNeighbours = async ({ folder, url, quick, keep }: Wish): Promise<Beside[]> => {
  const counts = quick ? QUICK : FULL
  const open = async (name: string, limit: number) => {
    const fleet = await startFleet({ name, folder, count: REPLICAS, url, keep }, ['--rate-limit', `${limit}`])
    return openCallers(fleet, counts)
  }
  const [free, bounded] = [await open('free', 0), await open('bounded', QUOTA)]
  await besides(free.quiet) // warms up
  const rows: Beside[] = []
  const add = async (name: string, quiet: Caller, loud?: Caller & { heeds: boolean }) =>
    rows.push({ name, ...(await besides(quiet, loud)) })
  await add('alone', free.quiet)
  await add('beside one at full speed, without a quota', free.quiet, { ...free.loud, heeds: false })
  const quota = `beside one at full speed, quota of ${QUOTA} a second`
  await add(quota, bounded.quiet, { ...bounded.loud, heeds: false })
  await add(`${quota}, Retry-After heeded`, bounded.quiet, { ...bounded.loud, heeds: true })
  await Promise.all(
    [free, bounded].flatMap(({ quiet, loud }) => [...quiet.pools, ...loud.pools]).map(pool => pool.close()),
  )
  return rows
}

const openCallers = async ({ replicas, kit }: Fleet, counts: typeof FULL) => {
  const [first] = replicas
  const pages = plainPool(first?.pagesPort ?? 0, 1)
  const made = await send(
    pages,
    await plainly({ method: 'POST', path: '/control/organizations', body: { id: 'loud' } }),
  )
  await pages.close()
  const callerOf = async (own: Kit, count: number, connections: number): Promise<Caller> => {
    const sign = signedWith(own, await tokenFor(first?.port ?? 0, own))
    const calls = await Promise.all(Array.from({ length: count }, () => sign(initiateOf(own.processingAccountId))))
    return { calls, pools: replicas.map(({ port }) => securePool(port, connections, own)) }
  }
  return {
    quiet: await callerOf(kit, counts.quiet, 1),
    loud: await callerOf(kitOf(credentialsFromKit(JSON.parse(made))), counts.loud, LOUD_CONNECTIONS / REPLICAS),
  }
}

/** The quiet one's calls from the first to the last; the loud one begins before and ends after. */
const besides = async (quiet: Caller, loud?: Caller & { heeds: boolean }): Promise<Omit<Beside, 'name'>> => {
  const noise = { isOver: new AbortController(), served: 0, refused: 0 }
  const making = loud ? makeNoise(loud, noise) : undefined
  making?.catch(() => undefined) // told below, where it is waited for
  const begun = performance.now()
  const latencies: number[] = []
  for (const [at, call] of quiet.calls.entries()) {
    const start = performance.now()
    await send(poolOf(quiet, at), call)
    latencies.push(performance.now() - start)
  }
  const seconds = (performance.now() - begun) / 1_000
  noise.isOver.abort()
  await making
  return { ...spreadOf(latencies), served: noise.served / seconds, refused: noise.refused / seconds }
}

type Noise = { isOver: AbortController; served: number; refused: number }

/** Again and again the same calls: from the second time on they are replays. */
const makeNoise = async (loud: Caller & { heeds: boolean }, noise: Noise): Promise<void> => {
  let next = 0
  const { signal } = noise.isOver
  const connection = async () => {
    while (!signal.aborted) {
      next += 1
      const { method, path, headers, body } = loud.calls[next % loud.calls.length] as Ready
      const {
        statusCode,
        headers: told,
        body: answer,
      } = await poolOf(loud, next).request({ method, path, headers, body: body ?? null })
      await answer.dump()
      if (statusCode !== 200 && statusCode !== 429) throw new Error(`${path} answered ${statusCode}, not 200 or 429.`)
      noise[statusCode === 200 ? 'served' : 'refused'] += 1
      if (loud.heeds && statusCode === 429)
        await pause(Number(told['retry-after']) * 1_000, undefined, { signal }).catch(() => undefined)
    }
  }
  await Promise.all(Array.from({ length: LOUD_CONNECTIONS }, connection))
}

const poolOf = ({ pools }: Caller, at: number): Pool => pools[at % pools.length] as Pool

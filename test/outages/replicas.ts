import { join } from 'node:path'
import { openShop, type Shop } from '../crash/shop.ts'
import { startVictim, type Victim } from '../crash/victim.ts'

/** Replicas in processes of their own, as an operator starts them, and a merchant at each. */
export type Replicas = {
  /** Merchants at those that run. */
  shops(): readonly Shop[]
  /** What `/ready` says at each that runs. */
  ready(): Promise<number[]>
  kill(at: number): Promise<void>
  stop(at: number): Promise<void>
  start(at: number): Promise<void>
  /** All that they said on stderr. */
  said: string[]
  end(): Promise<void>
}

type Wish = { folder: string; store: string; count: number; problem: (sentence: string) => void }

export const startReplicas = async ({ folder, store, count, problem }: Wish): Promise<Replicas> => {
  const running = new Map<number, { victim: Victim; shop: Shop }>()
  const said: string[] = []
  const start = async (at: number): Promise<void> => {
    const victim = await startVictim(join(folder, `replica-${at}`), heard, ['--store', store, '--rate-limit', '0'])
    running.set(at, { victim, shop: openShop(victim) })
  }
  const heard = (line: string) => {
    said.push(line)
    if (line.startsWith('it ended')) problem(line)
  }
  const take = (at: number): Victim => {
    const one = running.get(at)
    if (!one) throw new Error(`replica ${at} does not run`)
    running.delete(at) // no new call goes there, as a proxy would have it
    gone.push(one.shop)
    return one.victim
  }
  const gone: Shop[] = []
  await Promise.all(Array.from({ length: count }, (_, at) => start(at)))
  return {
    said,
    start,
    shops: () => [...running.values()].map(({ shop }) => shop),
    ready: () => Promise.all([...running.values()].map(({ victim }) => readiness(victim.pagesUrl))),
    kill: async at => {
      await running.get(at)?.victim.kill() // merchants see it die
      take(at)
    },
    stop: at => take(at).stop(),
    end: async () => {
      await Promise.all([...running.keys()].map(at => take(at).kill()))
      for (const shop of gone) shop.close()
    },
  }
}

const readiness = (pagesUrl: string): Promise<number> =>
  fetch(`${pagesUrl}/ready`).then(
    ({ status }) => status,
    () => 0,
  )

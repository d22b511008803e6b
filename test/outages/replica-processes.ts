import { join } from 'node:path'
import { openSandboxClient, type SandboxClient } from '../crash/sandbox-client.ts'
import { type SandboxProcess, startSandboxProcess } from '../crash/sandbox-process.ts'

/** Replicas in child processes over one PostgreSQL, with a client for each. */
export type ReplicaProcesses = {
  /** Clients of the running replicas. */
  shops(): readonly SandboxClient[]
  /** HTTP status of `/ready` of each running replica; 0 where it does not respond. */
  ready(): Promise<number[]>
  kill(at: number): Promise<void>
  stop(at: number): Promise<void>
  start(at: number): Promise<void>
  /** Lines on stderr of all replicas. */
  said: string[]
  end(): Promise<void>
}

type Wish = { folder: string; store: string; count: number; problem: (sentence: string) => void }

export const startReplicaProcesses = async ({ folder, store, count, problem }: Wish): Promise<ReplicaProcesses> => {
  const running = new Map<number, { victim: SandboxProcess; shop: SandboxClient }>()
  const said: string[] = []
  const start = async (at: number): Promise<void> => {
    const victim = await startSandboxProcess(join(folder, `replica-${at}`), heard, [
      '--store',
      store,
      '--rate-limit',
      '0',
    ])
    running.set(at, { victim, shop: openSandboxClient(victim) })
  }
  const heard = (line: string) => {
    said.push(line)
    if (line.startsWith('it ended')) problem(line)
  }
  const take = (at: number): SandboxProcess => {
    const one = running.get(at)
    if (!one) throw new Error(`replica ${at} does not run`)
    running.delete(at) // no new call goes there, as a proxy would have it
    gone.push(one.shop)
    return one.victim
  }
  const gone: SandboxClient[] = []
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

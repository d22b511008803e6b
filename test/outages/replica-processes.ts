import { join } from 'node:path'
import { openSandboxClient, type SandboxClient } from '../crash/sandbox-client.ts'
import { type SandboxProcess, startSandboxProcess } from '../crash/sandbox-process.ts'

/** Replicas of an outage test in child processes over one PostgreSQL, with a client for each. */
export type ReplicaProcesses = {
  /** Clients of the running replicas. */
  shops(): readonly SandboxClient[]
  /** HTTP status of `/ready` of each running replica; 0 where it does not respond. */
  ready(): Promise<number[]>
  kill(at: number): Promise<void>
  stop(at: number): Promise<void>
  start(at: number): Promise<void>
  /** Lines on stderr of all replicas. */
  stderrLines: string[]
  end(): Promise<void>
}

type ReplicaOptions = { folder: string; store: string; count: number; problem: (sentence: string) => void }

export const startReplicaProcesses = async ({
  folder,
  store,
  count,
  problem,
}: ReplicaOptions): Promise<ReplicaProcesses> => {
  const running = new Map<number, { process: SandboxProcess; shop: SandboxClient }>()
  const stderrLines: string[] = []
  const start = async (at: number): Promise<void> => {
    const process = await startSandboxProcess(join(folder, `replica-${at}`), recordLine, [
      '--store',
      store,
      '--rate-limit',
      '0',
    ])
    running.set(at, { process, shop: openSandboxClient(process) })
  }
  const recordLine = (line: string) => {
    stderrLines.push(line)
    if (line.startsWith('it ended')) problem(line)
  }
  const take = (at: number): SandboxProcess => {
    const one = running.get(at)
    if (!one) throw new Error(`replica ${at} does not run`)
    running.delete(at) // a load balancer would send no new call there
    gone.push(one.shop)
    return one.process
  }
  const gone: SandboxClient[] = []
  await Promise.all(Array.from({ length: count }, (_, at) => start(at)))
  return {
    stderrLines,
    start,
    shops: () => [...running.values()].map(({ shop }) => shop),
    ready: () => Promise.all([...running.values()].map(({ process }) => readiness(process.pagesUrl))),
    kill: async at => {
      await running.get(at)?.process.kill() // clients see the connection break
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

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readKit } from '../../contracts/client/credentials.ts'
import type { Transport } from '../../contracts/client/transport.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { type ControlDriver, createControlDriver } from '../../contracts/suites/context/control-driver.ts'
import type { ContextWrappers } from '../../contracts/suites/context/test-organization.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { databaseViolations } from '../crash/database-invariants.ts'
import { type SandboxProcess, startSandboxProcess } from '../crash/sandbox-process.ts'
import { copyPostgresToSqlite } from '../outages/copy-postgres-to-sqlite.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { seededRandom } from '../support/seeded-random.ts'

const REPLICAS = 2
/** One call in so many is followed by the death of the replica that it was sent to. */
const KILL_ONE_IN = 150
/** Longest time from such a call to the kill: about as long as a call takes. */
const KILL_WITHIN_MS = 12

type Replica = { process: SandboxProcess; apiUrl: string; controlCalls: number }

/**
 * Starts two replicas over one PostgreSQL to explore: each call goes to one of them by the seed, and now and then that
 * one gets SIGKILL during the call, and is started again. No call of control is cut off: the model must know what time
 * it is.
 */
export const startExploredReplicas = async (seed: number) => {
  const postgres = await startPostgres()
  if (!postgres) throw new Error('There is no PostgreSQL on this machine: install the package postgresql.')
  process.once('exit', postgres.remove) // an interrupted run leaves nothing running
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
  const folder = mkdtempSync(join(tmpdir(), 'assay-explored-'))
  const chance = seededRandom(seed)
  const live: Replica[] = []
  const counts = { kills: 0, unanswered: 0 }
  let [isOver, restarting] = [false, Promise.resolve()]
  const start = async (at: number): Promise<void> => {
    const options = ['--store', postgres.url, '--rate-limit', '0']
    const process = await startSandboxProcess(join(folder, `replica-${at}`), line => console.error(line), options)
    live.push({ process, apiUrl: readKit(process.kitFile).baseUrl, controlCalls: 0 })
  }
  const killSoon = async (replica: Replica): Promise<void> => {
    await delay(chance.below(KILL_WITHIN_MS))
    if (isOver || live.length < REPLICAS || replica.controlCalls > 0) return
    live.splice(live.indexOf(replica), 1)
    counts.kills += 1
    await replica.process.kill()
    if (!isOver) restarting = start(counts.kills + REPLICAS)
  }
  const transport = (direct: Transport): Transport => ({
    ...direct,
    exchange: async (request, connection) => {
      const replica = chance.pick(live)
      if (request.headers['idempotency-key'] !== undefined && chance.below(KILL_ONE_IN) === 0) void killSoon(replica)
      const { host, pathname, search } = new URL(request.url)
      const url = `${replica.apiUrl}${pathname}${search}`
      const exchange = await direct.exchange({ ...request, url, headers: { ...request.headers, host } }, connection)
      // A token is fetched again, as by every client: the model has no word for it.
      const isLost = exchange.transportError !== undefined
      if (isLost && request.endpoint === 'token') return transport(direct).exchange(request, connection)
      if (isLost) counts.unanswered += 1
      return { ...exchange, request }
    },
  })
  const control = (profile: Profile) => (_: ControlDriver, organizationId: string) =>
    new Proxy(_, {
      get:
        (_, name: keyof ControlDriver) =>
        async (...given: never[]) => {
          const replica = chance.pick(live)
          const url = replica.process.pagesUrl
          const driver = createControlDriver({ ...profile, control: { ...profile.control, url } }, organizationId)
          replica.controlCalls += 1
          return (driver[name] as (...given: never[]) => Promise<unknown>)(...given).finally(() => {
            replica.controlCalls -= 1
          })
        },
    })
  for (let at = 0; at < REPLICAS; at += 1) await start(at)
  const [first] = live as [Replica]
  const profile = readProfile(SIMULATOR_PROFILE, {
    ...{ baseUrl: first.apiUrl, kit: dirname(first.process.kitFile), control: first.process.pagesUrl },
  })
  return {
    profile,
    wrappers: { transport, control: control(profile) } satisfies ContextWrappers,
    counts,
    /** What the database shows that must not be (R1 to R5, 6). */
    violations: async (): Promise<readonly string[]> => {
      const copied = mkdtempSync(join(folder, 'copy-'))
      return databaseViolations(await copyPostgresToSqlite(postgres.url, copied))
    },
    stop: async (): Promise<void> => {
      isOver = true
      await restarting
      await Promise.all(live.map(({ process }) => process.kill()))
      process.off('exit', postgres.remove)
      postgres.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

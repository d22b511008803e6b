import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import type { Store } from '../../simulator/store/store.ts'
import { createSeededIds } from '../../simulator/support/ids.ts'
import { StartError } from '../../simulator/support/start-error.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { createAcknowledgedRecords } from './acknowledged-records.ts'
import type { Files } from './crash-images.ts'
import { createCrashableStore } from './crashable-store.ts'
import { judgeFiles, type Recovered } from './judge-store-files-after-crash.ts'
import { type DiskMoment, installSimulatedDisk } from './simulated-disk.ts'
import { openSimulatedSandbox, type SimulatedSandbox } from './simulated-sandbox.ts'
import { createSimulatedNetwork, type NetworkMoment } from './simulated-webhook-network.ts'
import { installVirtualTime, turns } from './virtual-time.ts'

type Moment = DiskMoment | NetworkMoment | 'before a result'

// biome-ignore format: a table reads by its columns
/** How often a machine crashes at a moment: once in so many times. */
const CRASHES: Readonly<Record<Moment, number>> = {
  'before a commit':               260,
  'in the midst of a commit':        2,
  'after a commit':                260,
  'before a result':               900,
  'during a sync':                   3,
  'in the midst of a checkpoint':    3,
  'while a webhook is on its way': 160,
  'after a webhook was taken':     160,
}
/** How many times rarer than that, by chance at each start: some processes live long, so that logs are synced and begun anew. */
const RARER = [1, 2, 8] as const
const POWER_CUT_ONE_IN = 5
/** One in so many commits finds the disk full, and so do those that follow until some more has happened. */
const FULL_ONE_IN = 700
const LONGEST_FULL = 400
const SLOWEST_SYNC_TURNS = 300
const LONGEST_DOWN_MS = 90_000

/** Error of a call during which the simulated machine crashed: nobody knows whether it was carried out. */
export class Crashed extends Error {}

/** Whether an error is that of a write to the full disk of a simulated machine. */
export const isDiskFull = (error: unknown): boolean => (error as { code?: string } | undefined)?.code === 'SQLITE_FULL'

type Running = { sandbox: SimulatedSandbox; gone: Promise<void> }
type Process = { isAlive: boolean; die: () => void; gone: Promise<void>; raw?: Store }

/** Function that replaces the store of a simulated machine by one with a planted fault. */
export type Plant = (store: Store) => Store

export type MachineParts = { seed: number; folder: string; files: Files; start: number; plant?: Plant | undefined }

export type SimulatedMachine = ReturnType<typeof startMachine>

/** Starts a machine on which a sandbox runs, crashes by chance, and is started again; what crashes leave is judged. */
export const startMachine = ({ seed, folder, files, start, plant = store => store }: MachineParts) => {
  const random = seededRandom(seed)
  const time = installVirtualTime(start, String(seed))
  const acknowledged = createAcknowledgedRecords()
  const problems: string[] = []
  const problem = (sentence: string): void => void problems.push(sentence)
  const counts = {
    kills: 0,
    powerCuts: 0,
    lostWrites: 0,
    fullDisks: 0,
    starts: 0,
    moments: {} as Record<string, number>,
  }
  let [isFaulty, isUp, fullUntil, activity, inFlight, losses, folders, runs] = [true, false, 0, 0, 0, 0, 0, 0]
  let [home, rarer]: [string, number] = ['', 1]
  let process: Process | undefined
  let clock: SimulatedSandbox['clock'] | undefined
  let last = Promise.withResolvers<Running>()

  const isBroken = (error: unknown): void => {
    problem(`the machine did not start again: ${(error as Error).stack}`)
    last.promise.catch(() => undefined)
    last.reject(error)
  }
  const crash = (moment: Moment, left: Files): void => {
    const isPowerCut = random.below(POWER_CUT_ONE_IN) === 0
    counts[isPowerCut ? 'powerCuts' : 'kills'] += 1
    counts.moments[moment] = (counts.moments[moment] ?? 0) + 1
    const dead = process as Process
    const promised = disk.acknowledged()
    const recovered: Recovered = {
      files: isPowerCut ? disk.afterPowerCut(left) : left,
      least: isPowerCut ? disk.synced() : promised,
      promised,
      isPowerCut,
    }
    disk.leave()
    time.dropTimers()
    fullUntil = 0
    dead.isAlive = false
    if (isUp) last = Promise.withResolvers<Running>()
    isUp = false
    dead.die()
    void restart(dead, recovered).catch(isBroken)
  }
  const mayCrash = (moment: Moment): boolean =>
    isFaulty && process?.isAlive === true && random.below(CRASHES[moment] * rarer) === 0
  /** Whether the machine goes on after a moment. */
  const survives = (moment: Moment): boolean => {
    activity += 1
    if (mayCrash(moment)) crash(moment, disk.files())
    return process?.isAlive === true
  }
  const isFull = (): boolean => activity < fullUntil
  const failIfFull = (): void => {
    if (!isFull() && isFaulty && random.below(FULL_ONE_IN) === 0) {
      fullUntil = activity + 1 + random.below(LONGEST_FULL)
      counts.fullDisks += 1
    }
    if (!isFull()) return
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  }
  const disk = installSimulatedDisk({
    random,
    onMoment: (moment, left) => {
      activity += 1
      if (process?.isAlive && mayCrash(moment)) crash(moment, left())
      else if (moment === 'before a commit' && isUp && process?.isAlive) failIfFull()
    },
    later: done => void turns(random.below(SLOWEST_SYNC_TURNS)).then(done),
  })
  const network = createSimulatedNetwork({
    random,
    onMoment: survives,
    wait: milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds)),
    problem,
  })

  const openStoreIn = (dataDir: string, own: Process, isLossAccepted: boolean): Store => {
    own.raw = openSqliteStore(dataDir, isLossAccepted)
    return createCrashableStore(plant(own.raw), {
      isAlive: () => own.isAlive,
      onResult: () => survives('before a result'),
      onSaved: (organizationId, saved) => acknowledged.note(organizationId, saved, disk.acknowledged()),
      onUnsavedAttempt: ({ request }) => network.forgetAcknowledgement(request.url, request.headers['webhook-id']),
    })
  }
  const open = async (count: number, isSynced: boolean, isLossAccepted = false): Promise<void> => {
    const { promise: gone, resolve: die } = Promise.withResolvers<void>()
    const own: Process = { isAlive: true, die, gone }
    process = own
    isUp = false
    runs += 1
    rarer = random.pick(RARER)
    counts.starts += 1
    disk.follow(home, count, isSynced)
    const store = openStoreIn(home, own, isLossAccepted)
    if (!own.isAlive) return
    const ids = createSeededIds(String(seed), runs)
    const { now } = time
    const onError = (error: unknown): void => {
      if (own.isAlive && !isDiskFull(error)) problem(`an error that nothing explains: ${(error as Error).stack}`)
    }
    const opening = openSimulatedSandbox({ dataDir: home, store, ids, now, post: network.post, onError })
    const sandbox = await Promise.race([opening, gone])
    if (!sandbox || !own.isAlive) return
    clock = sandbox.clock
    isUp = true
    last.resolve({ sandbox, gone })
  }
  const put = (left: Files): void => {
    folders += 1
    home = join(folder, `run-${folders}`)
    mkdirSync(home)
    writeFileSync(join(home, 'assay.db'), left.database)
    if (left.log.length > 0) writeFileSync(join(home, 'assay.db-wal'), left.log)
    writeFileSync(join(home, 'assay.db-mark'), left.mark)
  }
  const restart = async (dead: Process, recovered: Recovered): Promise<void> => {
    const left = home
    const dated = clock
    await turns(32) // whatever of the dead process is still under way comes to nothing
    await dead.raw?.close().catch(() => undefined)
    rmSync(left, { recursive: true })
    await time.sleep(1 + random.below(LONGEST_DOWN_MS))
    const now = (organizationId: string) => dated?.now(organizationId) ?? Number.POSITIVE_INFINITY
    const { count, isRefused } = judgeFiles({ recovered, folder, acknowledged, now, problem })
    if (count < recovered.promised) {
      counts.lostWrites += recovered.promised - count
      losses += 1
      acknowledged.undo(count)
      network.forgetAcknowledgements()
    }
    put(recovered.files)
    if (!isRefused) return open(count, recovered.isPowerCut)
    await open(count, true).then(
      () => problem(`a start did not tell that ${recovered.promised - count} acknowledged writes are missing`),
      error => {
        if (!(error instanceof StartError) || !error.message.includes(`has ${count} of the `))
          problem(`a start was refused otherwise: ${(error as Error).stack}`)
      },
    )
    await open(count, true, true)
  }

  put(files)
  void open(Number(files.mark.toString()), true).catch(isBroken)

  /** Lets a sandbox do something; throws Crashed where its machine crashes meanwhile. */
  const attempt = async <Result>(act: (sandbox: SimulatedSandbox) => Promise<Result>): Promise<Result> => {
    const { sandbox, gone } = await last.promise
    inFlight += 1
    activity += 1
    try {
      const crashed = gone.then(() => {
        throw new Crashed('The machine crashed.')
      })
      return await Promise.race([act(sandbox), crashed])
    } finally {
      inFlight -= 1
      activity += 1
    }
  }
  return {
    time,
    network,
    random,
    counts,
    problems,
    problem,
    attempt,
    /** Does something until it is done, through crashes and a full disk. */
    insist: async <Result>(act: (sandbox: SimulatedSandbox) => Promise<Result>): Promise<Result> => {
      for (;;)
        try {
          return await attempt(act)
        } catch (error) {
          if (!(error instanceof Crashed) && !isDiskFull(error)) throw error
          await turns(8)
        }
    },
    /** The clocks of the sandbox that runs, or ran last. */
    clock: () => clock as SimulatedSandbox['clock'],
    up: async (): Promise<void> => void (await last.promise),
    /** Power cuts so far that have undone acknowledged writes. */
    losses: () => losses,
    fullDisks: () => counts.fullDisks,
    isFull,
    /** Whether something is under way that only time can end, as nothing has happened since the last look. */
    activity: () => activity,
    inFlight: () => inFlight,
    /** From now on nothing fails any more. */
    heal: (): void => {
      isFaulty = false
      fullUntil = 0
      network.heal()
    },
    /** Stops the sandbox as SIGTERM does; returns its data folder. */
    stop: async (): Promise<string> => {
      const { sandbox } = await last.promise
      await sandbox.close()
      return home
    },
    uninstall: (): void => {
      disk.leave()
      disk.uninstall()
      time.uninstall()
    },
  }
}

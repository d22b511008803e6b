import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type SeededRandom, seededRandom } from '../support/seeded-random.ts'
import { type ClientRecord, createClientRecord } from './client-call-record.ts'
import { databaseViolations, readNotificationsAndPayments } from './database-invariants.ts'
import { openWebhookReceiver, type WebhookReceiver } from './failing-webhook-receiver.ts'
import { runLoadUntilGone } from './merchant-load.ts'
import { openSandboxClient, type SandboxClient, SandboxGone } from './sandbox-client.ts'
import { type SandboxProcess, spawnSandboxProcess, startSandboxProcess } from './sandbox-process.ts'
import { type ReplayCounts, verifyAfterRestart, verifyPurchases } from './verify-durability.ts'

/** Phases in which the sandbox is killed, in turn. */
const KILL_PHASES = ['load', 'drain', 'load', 'start', 'load'] as const
type KillPhase = (typeof KILL_PHASES)[number]

export type CrashReport = ReplayCounts & {
  seed: number
  kills: Record<KillPhase, number>
  calls: number
  answered: number
  payments: number
  webhooks: { sent: number; twice: number }
  problems: string[]
}

type Wish = { times: number; seed: number; folder: string; onRound?: (round: number, problems: number) => void }

type Scene = {
  data: string
  copies: string
  chance: SeededRandom
  ledger: ClientRecord
  receiver: WebhookReceiver
  report: CrashReport
  victim: SandboxProcess
}

/** Kills the sandbox `times` times and verifies after each restart that nothing acknowledged is lost (I3, R4, 6, D-101). */
export const runCrashRounds = async ({ times, seed, folder, onRound }: Wish): Promise<CrashReport> => {
  const scene = await setScene(seed, folder)
  const { report, ledger } = scene
  try {
    await register(scene)
    const files = listing(scene.data)
    for (let round = 0; round < times; round += 1) {
      await goThrough(KILL_PHASES[round % KILL_PHASES.length] ?? 'load', scene)
      onRound?.(round + 1, report.problems.length)
    }
    await proveTheEnd(scene, files)
  } finally {
    await scene.victim.kill()
    scene.receiver.close()
  }
  const { done, notDone } = report.unanswered
  return { ...report, calls: ledger.sent.length, answered: ledger.sent.length - done - notDone }
}

const setScene = async (seed: number, folder: string): Promise<Scene> => {
  const [data, chance, report] = [join(folder, 'data'), seededRandom(seed), emptyReport(seed)]
  const victim = await startSandboxProcess(data, fault => report.problems.push(fault))
  return {
    data,
    copies: folder,
    chance,
    ledger: createClientRecord(),
    receiver: await openWebhookReceiver(chance),
    report,
    victim,
  }
}

/** Runs one kill and verifies the state after the restart. */
const goThrough = async (occasion: KillPhase, scene: Scene): Promise<void> => {
  const { ledger, report, data } = scene
  const from = ledger.sent.length
  await INTERRUPTED[occasion](scene)
  report.kills[occasion] += 1
  report.problems.push(...faultsInCopy(scene))
  scene.victim = await startSandboxProcess(data, note(scene))
  const shop = openSandboxClient(scene.victim)
  await verifyAfterRestart({ shop, ledger, counts: report, problem: note(scene) }, from)
  shop.close()
}

const emptyReport = (seed: number): CrashReport => ({
  seed,
  kills: { load: 0, drain: 0, start: 0 },
  calls: 0,
  answered: 0,
  replayed: 0,
  unanswered: { done: 0, notDone: 0 },
  payments: 0,
  webhooks: { sent: 0, twice: 0 },
  problems: [],
})

const note =
  ({ report }: Scene) =>
  (sentence: string) =>
    void report.problems.push(sentence)

const register = async ({ victim, receiver }: Scene): Promise<void> => {
  const shop = openSandboxClient(victim)
  const { status } = await shop.control('webhooks', { url: receiver.url })
  if (status !== 201) throw new Error(`A webhook was registered with ${status}.`)
  shop.close()
}

/** Kills the sandbox in each phase: a random time after a number of responses or webhooks. */
const INTERRUPTED: Readonly<Record<KillPhase, (scene: Scene) => Promise<void>>> = {
  load: async ({ victim, ledger, chance }) => {
    const [answers, pause] = [5 + chance.below(150), chance.below(20)]
    const shop = openSandboxClient(victim)
    await shop.found('nothing') // token and keys, before there is anything to lose
    let [seen, killing] = [0, Promise.resolve()]
    const onAnswer = () => {
      seen += 1
      if (seen === answers) killing = setTimeout(pause).then(victim.kill)
    }
    await runLoadUntilGone({ shop, ledger, chance, onAnswer })
    await killing
    shop.close()
  },
  drain: async ({ victim, receiver, chance, ledger }) => {
    const [webhooks, pause] = [1 + chance.below(20), chance.below(10)]
    const shop = openSandboxClient(victim)
    const enough = new Promise<void>(resolve => {
      const before = receiver.watch.count
      receiver.watch.onWebhook = () => void (receiver.watch.count - before === webhooks && resolve())
    })
    const drained = drainClock(shop, ledger).catch(error => {
      if (!(error instanceof SandboxGone)) throw error
    })
    await Promise.race([enough.then(() => setTimeout(pause)), drained])
    await victim.kill()
    await drained
    shop.close()
  },
  start: async scene => {
    await scene.victim.kill()
    const { child, gone } = spawnSandboxProcess(scene.data, note(scene))
    await setTimeout(scene.chance.below(600))
    child.kill('SIGKILL')
    await gone
  },
}

/** Drains the organization's clock in a crash test: runs all scheduled jobs. */
export const drainClock = async (shop: SandboxClient, ledger: ClientRecord): Promise<void> => {
  const { status, body } = await shop.control<{ now: string; next: unknown }>('clock/drain', {})
  if (status !== 200 || body.next !== null) throw new Error(`the drain ended with ${status}: ${JSON.stringify(body)}`)
  ledger.clock = Math.max(ledger.clock, Date.parse(body.now))
}

/** Violations in a copy of the database as the killed process left it. */
const faultsInCopy = ({ data, copies }: Scene): string[] => {
  const copy = mkdtempSync(join(copies, 'copy-'))
  const files = readdirSync(data).filter(name => name.startsWith('assay.db'))
  for (const file of files) cpSync(join(data, file), join(copy, file))
  const faults = databaseViolations(join(copy, 'assay.db'))
  rmSync(copy, { recursive: true })
  return faults
}

/** Verifies after a final drain: purchases, notifications, database invariants and the files of the data folder. */
const proveTheEnd = async (scene: Scene, files: readonly string[]): Promise<void> => {
  const { data, ledger, receiver, report, victim } = scene
  const problem = note(scene)
  const shop = openSandboxClient(victim)
  await drainClock(shop, ledger)
  await verifyPurchases(ledger.purchases, { shop, ledger, counts: report, problem })
  shop.close()
  if (listing(data).join() !== files.join()) problem(`the folder holds ${listing(data)} and began with ${files}`)
  await victim.stop()
  report.problems.push(...databaseViolations(join(data, 'assay.db'), true), ...receiver.problems)
  const { notifications, payments } = readNotificationsAndPayments(join(data, 'assay.db'))
  const known = ledger.purchases.flatMap(({ transactionId = [] }) => transactionId)
  if (payments.toSorted().join() !== known.toSorted().join())
    problem(`${payments.length} payments are kept, and ${known.length} were acknowledged`)
  const twice = [...receiver.taken.values()].reduce((sum, { times }) => sum + times - 1, 0)
  const kills = report.kills.load + report.kills.drain + report.kills.start
  if (twice > kills) problem(`${twice} webhooks came again after they were taken, and only ${kills} kills explain it`)
  const missing = notifications.filter(id => !receiver.taken.has(id))
  if (missing.length > 0) problem(`${missing.length} notifications never came, such as ${missing[0]}`)
  Object.assign(report, { payments: payments.length, webhooks: { sent: notifications.length, twice } })
}

const listing = (data: string): string[] => readdirSync(data, { recursive: true }).map(String).sort()

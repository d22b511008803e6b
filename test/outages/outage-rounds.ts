import { setTimeout as pause } from 'node:timers/promises'
import { drainClock } from '../crash/crash-rounds.ts'
import { databaseViolations, readNotificationsAndPayments } from '../crash/database-invariants.ts'
import { runLoadUntilGone } from '../crash/merchant-load.ts'
import { verifyAfterRestart, verifyPurchases } from '../crash/verify-durability.ts'
import { copyPostgresToSqlite } from './copy-postgres-to-sqlite.ts'
import { createCopyFolder, createOutageFixture, type OutageFixture } from './outage-fixture.ts'
import { startPostgresStandby } from './postgres-standby.ts'
import type { OutageObservations } from './retrying-client.ts'

/**
 * Kinds of outage that the outage test makes: a replica killed; PostgreSQL stopped, cut off or failed over; replicas
 * restarted.
 */
export const OUTAGES = ['kill', 'immediate', 'fast', 'cut', 'roll', 'promote'] as const
export type Outage = (typeof OUTAGES)[number]

export type OutageReport = OutageObservations & {
  seed: number
  outages: Record<Outage, number>
  calls: number
  replayed: number
  payments: number
  webhooks: { sent: number; twice: number }
  problems: string[]
}

type OutageRunOptions = {
  outages: readonly Outage[]
  seed: number
  folder: string
  replicas?: number
  onOutage?: (outage: Outage, problems: number) => void
}

/** Runs outages of replicas and PostgreSQL under load, and verifies after each that nothing acknowledged is lost (9). */
export const runOutages = async (options: OutageRunOptions): Promise<OutageReport> => {
  const { seed, folder, outages, replicas = 2, onOutage } = options
  const fixture = await createOutageFixture(seed, folder, replicas)
  const outagesRun = { kill: 0, immediate: 0, fast: 0, cut: 0, roll: 0, promote: 0 }
  try {
    for (const outage of outages) {
      await runOutage(outage, fixture)
      outagesRun[outage] += 1
      onOutage?.(outage, fixture.problems.length)
    }
    const end = await verifyAfterAllOutages(fixture)
    const { observations, ledger, replayed, problems } = fixture
    return { ...observations, ...end, seed, outages: outagesRun, calls: ledger.sent.length, replayed, problems }
  } finally {
    await fixture.end()
  }
}

/** Least number of responses before an outage, and after it. */
const RESPONSES_AROUND_OUTAGE = 20

const runOutage = async (outage: Outage, fixture: OutageFixture): Promise<void> => {
  const { ledger, chance, shop, problems, replicas } = fixture
  const from = outage === 'promote' ? fixture.keysFrom : ledger.sent.length
  const load = beginLoad(fixture)
  await load.answers(RESPONSES_AROUND_OUTAGE + chance.below(60))
  await CAUSE_OUTAGE[outage](fixture)
  await untilReady(fixture)
  await load.answers(RESPONSES_AROUND_OUTAGE)
  await load.end()
  const problem = (sentence: string) => void problems.push(`after ${outage}: ${sentence}`)
  for (const one of replicas.shops()) {
    const now = await one.clock()
    if (now < ledger.clock) problem(`a clock stands at ${now} and was set to ${ledger.clock}`)
  }
  await verifyAfterRestart({ shop, ledger, counts: fixture, problem }, from)
  for (const fault of databaseViolations(await copyPostgresToSqlite(fixture.databaseUrl, createCopyFolder(fixture))))
    problem(fault)
  if (outage !== 'kill') return
  await drainClock(shop, ledger) // the running replicas do what the killed one had claimed, and what was due
  for (const fault of databaseViolations(
    await copyPostgresToSqlite(fixture.databaseUrl, createCopyFolder(fixture)),
    true,
  ))
    problem(fault)
  fixture.keysFrom = ledger.sent.length
  await replicas.start(0)
}

/** Starts the merchant load; `answers` waits for responses, `end` stops it. */
const beginLoad = ({ shop, ledger, chance }: OutageFixture) => {
  let [isOver, seen] = [false, 0]
  const wanted: { at: number; reached: () => void }[] = []
  const onAnswer = () => {
    seen += 1
    for (const { at, reached } of wanted) if (seen >= at) reached()
  }
  const working = runLoadUntilGone({ shop, ledger, chance, onAnswer, isOver: () => isOver })
  return {
    answers: (more: number) =>
      Promise.race([new Promise<void>(reached => wanted.push({ at: seen + more, reached })), working]),
    end: () => {
      isOver = true
      return working
    },
  }
}

const CAUSE_OUTAGE: Readonly<Record<Outage, (fixture: OutageFixture) => Promise<void>>> = {
  kill: ({ replicas }) => replicas.kill(0),
  immediate: fixture => restartPostgres(fixture, 'immediate'),
  fast: fixture => restartPostgres(fixture, 'fast'),
  cut: async fixture => {
    fixture.proxy.cut()
    const ten = pause(10_000)
    await untilNotReady(fixture)
    await ten
    fixture.proxy.mend()
  },
  roll: async ({ replicas }) => {
    for (const at of replicas.shops().keys()) {
      await replicas.stop(at)
      await replicas.start(at)
    }
  },
  promote: async fixture => {
    const standby = await startPostgresStandby(fixture.postgres)
    await pause(1_000) // writes that only the standby and the primary have
    standby.holdBack()
    await pause(1_000) // writes that only the primary has, and that must not have been acknowledged
    fixture.postgres.stop('immediate')
    standby.promote()
    fixture.proxy.leadTo(standby.port)
    fixture.databaseUrl = fixture.postgres.url.replace(`:${fixture.postgres.port}/`, `:${standby.port}/`)
    const { end } = fixture
    fixture.end = async () => {
      standby.remove()
      fixture.postgres.start()
      await end()
    }
  },
}

const restartPostgres = async (fixture: OutageFixture, how: 'immediate' | 'fast'): Promise<void> => {
  fixture.postgres.stop(how)
  await untilNotReady(fixture)
  fixture.postgres.start()
}

const untilNotReady = (fixture: OutageFixture) => untilAll(fixture, 503)
const untilReady = (fixture: OutageFixture) => untilAll(fixture, 200)

const READINESS_MS = 60_000

const untilAll = async ({ replicas, problems }: OutageFixture, wanted: number): Promise<void> => {
  const startedAt = performance.now()
  for (;;) {
    const statuses = await replicas.ready()
    if (statuses.every(status => status === wanted)) return
    if (performance.now() - startedAt > READINESS_MS) {
      problems.push(`/ready says ${statuses} and not ${wanted}`)
      return
    }
    await pause(50)
  }
}

/** Verifies after a final drain: purchases, notifications and database invariants. */
const verifyAfterAllOutages = async (fixture: OutageFixture) => {
  const { shop, ledger, receiver, problems, observations } = fixture
  const problem = (sentence: string) => void problems.push(sentence)
  await drainClock(shop, ledger)
  await verifyPurchases(ledger.purchases, { shop, ledger, counts: fixture, problem })
  const readStore = async () => {
    const copied = await copyPostgresToSqlite(fixture.databaseUrl, createCopyFolder(fixture))
    return { file: copied, violations: databaseViolations(copied, true) }
  }
  let { file, violations } = await readStore()
  for (let again = 0; again < MORE_DRAINS && violations.length > 0; again += 1) {
    await drainClock(shop, ledger)
    ;({ file, violations } = await readStore())
  }
  problems.push(...violations, ...receiver.problems)
  const { notifications, payments } = readNotificationsAndPayments(file)
  const known = ledger.purchases.flatMap(({ transactionId = [] }) => transactionId)
  if (payments.toSorted().join() !== known.toSorted().join())
    problem(`${payments.length} payments are kept, and ${known.length} were acknowledged`)
  const missing = notifications.filter(id => !receiver.taken.has(id))
  if (missing.length > 0) problem(`${missing.length} notifications never came, such as ${missing[0]}`)
  if (observations.longestMs > LONGEST_MS) problem(`a call took ${Math.round(observations.longestMs)} ms`)
  const twice = [...receiver.taken.values()].reduce((sum, { times }) => sum + times - 1, 0)
  return { payments: payments.length, webhooks: { sent: notifications.length, twice } }
}

/** Drains after the first, for deliveries that a replica was still making when it ended; what is lost stays lost. */
const MORE_DRAINS = 5

/** Longest allowed call, in milliseconds. */
const LONGEST_MS = 30_000

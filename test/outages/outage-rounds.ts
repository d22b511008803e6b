import { setTimeout as pause } from 'node:timers/promises'
import { drainClock } from '../crash/crash-rounds.ts'
import { databaseViolations, readNotificationsAndPayments } from '../crash/database-invariants.ts'
import { runLoadUntilGone } from '../crash/merchant-load.ts'
import { verifyAfterRestart, verifyPurchases } from '../crash/verify-durability.ts'
import { copyPostgresToSqlite } from './copy-postgres-to-sqlite.ts'
import { createBooksFolder, createOutageFixture, type OutageFixture } from './outage-fixture.ts'
import { startPostgresStandby } from './postgres-standby.ts'
import type { OutageObservations } from './retrying-client.ts'

/** Kinds of outage: a replica killed; PostgreSQL stopped, cut off or failed over; replicas restarted. */
export const OUTAGES = ['kill', 'immediate', 'fast', 'cut', 'roll', 'promote'] as const
export type Outage = (typeof OUTAGES)[number]

export type OutageReport = OutageObservations & {
  seed: number
  outages: Record<Outage, number>
  calls: number
  replayed: number
  payments: number
  webhooks: { told: number; twice: number }
  problems: string[]
}

type Wish = {
  outages: readonly Outage[]
  seed: number
  folder: string
  replicas?: number
  onOutage?: (outage: Outage, problems: number) => void
}

/** Runs outages of replicas and PostgreSQL under load, and verifies after each that nothing acknowledged is lost (9). */
export const runOutages = async (wish: Wish): Promise<OutageReport> => {
  const { seed, folder, outages, replicas = 2, onOutage } = wish
  const scene = await createOutageFixture(seed, folder, replicas)
  const happened = { kill: 0, immediate: 0, fast: 0, cut: 0, roll: 0, promote: 0 }
  try {
    for (const outage of outages) {
      await goThrough(outage, scene)
      happened[outage] += 1
      onOutage?.(outage, scene.problems.length)
    }
    const end = await proveTheEnd(scene)
    const { weather, ledger, replayed, problems } = scene
    return { ...weather, ...end, seed, outages: happened, calls: ledger.sent.length, replayed, problems }
  } finally {
    await scene.end()
  }
}

/** Least number of responses before an outage, and after it. */
const SOME = 20

const goThrough = async (outage: Outage, scene: OutageFixture): Promise<void> => {
  const { ledger, chance, shop, problems, replicas } = scene
  const from = outage === 'promote' ? scene.keysFrom : ledger.sent.length
  const load = beginLoad(scene)
  await load.answers(SOME + chance.below(60))
  await HAPPENS[outage](scene)
  await untilReady(scene)
  await load.answers(SOME)
  await load.end()
  const problem = (sentence: string) => void problems.push(`after ${outage}: ${sentence}`)
  for (const one of replicas.shops()) {
    const now = await one.clock()
    if (now < ledger.clock) problem(`a clock stands at ${now} and was told to stand at ${ledger.clock}`)
  }
  await verifyAfterRestart({ shop, ledger, counts: scene, problem }, from)
  for (const fault of databaseViolations(await copyPostgresToSqlite(scene.books, createBooksFolder(scene))))
    problem(fault)
  if (outage !== 'kill') return
  await drainClock(shop, ledger) // what the dead had claimed, and what was due, is done by those who live
  for (const fault of databaseViolations(await copyPostgresToSqlite(scene.books, createBooksFolder(scene)), true))
    problem(fault)
  scene.keysFrom = ledger.sent.length
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

const HAPPENS: Readonly<Record<Outage, (scene: OutageFixture) => Promise<void>>> = {
  kill: ({ replicas }) => replicas.kill(0),
  immediate: scene => stopAndStart(scene, 'immediate'),
  fast: scene => stopAndStart(scene, 'fast'),
  cut: async scene => {
    scene.line.cut()
    const ten = pause(10_000)
    await untilNotReady(scene)
    await ten
    scene.line.mend()
  },
  roll: async ({ replicas }) => {
    for (const at of replicas.shops().keys()) {
      await replicas.stop(at)
      await replicas.start(at)
    }
  },
  promote: async scene => {
    const standby = await startPostgresStandby(scene.postgres)
    await pause(1_000) // writes that only the copy and the first one have
    standby.holdBack()
    await pause(1_000) // writes that only the first one has, and that it must not have said yes to
    scene.postgres.stop('immediate')
    standby.promote()
    scene.line.leadTo(standby.port)
    scene.books = scene.postgres.url.replace(`:${scene.postgres.port}/`, `:${standby.port}/`)
    const { end } = scene
    scene.end = async () => {
      standby.remove()
      scene.postgres.start()
      await end()
    }
  },
}

const stopAndStart = async (scene: OutageFixture, how: 'immediate' | 'fast'): Promise<void> => {
  scene.postgres.stop(how)
  await untilNotReady(scene)
  scene.postgres.start()
}

const untilNotReady = (scene: OutageFixture) => untilAll(scene, 503)
const untilReady = (scene: OutageFixture) => untilAll(scene, 200)

const READINESS_MS = 60_000

const untilAll = async ({ replicas, problems }: OutageFixture, wanted: number): Promise<void> => {
  const begun = performance.now()
  for (;;) {
    const said = await replicas.ready()
    if (said.every(status => status === wanted)) return
    if (performance.now() - begun > READINESS_MS) {
      problems.push(`/ready says ${said} and not ${wanted}`)
      return
    }
    await pause(50)
  }
}

/** Verifies after a final drain: purchases, notifications and database invariants. */
const proveTheEnd = async (scene: OutageFixture) => {
  const { shop, ledger, receiver, problems, weather } = scene
  const problem = (sentence: string) => void problems.push(sentence)
  await drainClock(shop, ledger)
  await verifyPurchases(ledger.purchases, { shop, ledger, counts: scene, problem })
  const file = await copyPostgresToSqlite(scene.books, createBooksFolder(scene))
  problems.push(...databaseViolations(file, true), ...receiver.told)
  const { notifications, payments } = readNotificationsAndPayments(file)
  const known = ledger.purchases.flatMap(({ transactionId = [] }) => transactionId)
  if (payments.toSorted().join() !== known.toSorted().join())
    problem(`${payments.length} payments are kept, and ${known.length} were told of`)
  const missing = notifications.filter(id => !receiver.taken.has(id))
  if (missing.length > 0) problem(`${missing.length} notifications never came, such as ${missing[0]}`)
  if (weather.longestMs > LONGEST_MS) problem(`a call took ${Math.round(weather.longestMs)} ms`)
  const twice = [...receiver.taken.values()].reduce((sum, { times }) => sum + times - 1, 0)
  return { payments: payments.length, webhooks: { told: notifications.length, twice } }
}

/** Longest allowed call, in milliseconds. */
const LONGEST_MS = 30_000

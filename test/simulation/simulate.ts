import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { explore } from '../../contracts/explore/explore.ts'
import { describePlayed } from '../../contracts/explore/tell/describe-step.ts'
import { databaseViolations } from '../crash/database-invariants.ts'
import { createCoreTarget } from '../explore/in-process-exploration-target.ts'
import { PREPARED_AT, prepareFiles, SHOPS } from './prepare-initial-store-files.ts'
import { type Plant, type SimulatedMachine, startMachine } from './simulated-machine.ts'
import { createShopsOfMachine, Undone } from './simulated-shops-and-shoppers.ts'
import { turns } from './virtual-time.ts'

const DAY_MS = 86_400_000
/** Turns without anything happening after which only time can help, as with a slow webhook. */
const IDLE_TURNS = 40

/**
 * Report of a simulation of the sandbox: counts of days, calls, payments, webhooks, crashes and lost writes, and the
 * problems that were found.
 */
export type SimulationReport = {
  seed: number
  days: number
  calls: number
  unanswered: number
  payments: number
  webhooks: number
  webhooksTwice: number
  kills: number
  powerCuts: number
  lostWrites: number
  fullDisks: number
  moments: Record<string, number>
  problems: string[]
}

/** Simulates some days of a sandbox from a seed: shops, shoppers, crashes, a poor network and a full disk, judged all the time. */
export const simulate = async (seed: number, days: number, plant?: Plant): Promise<SimulationReport> => {
  const files = await prepareFiles()
  const folder = mkdtempSync(join(tmpdir(), 'assay-simulated-'))
  const machine = startMachine({ seed, folder, files, start: PREPARED_AT, plant })
  const { problems, time, counts } = machine
  const end = PREPARED_AT + days * DAY_MS
  let isOver = false
  const flow = letTimeFlow(machine, () => isOver)
  const ended = () => time.now() >= end || problems.length > 0
  try {
    await machine.up()
    const shops = await Promise.all(
      SHOPS.map((names, index) => trade(machine, names, seed * SHOPS.length + index, ended)),
    )
    const passed = (time.now() - PREPARED_AT) / DAY_MS
    const settled = problems.length > 0 ? { payments: 0 } : await settle(machine)
    const { kills, powerCuts, lostWrites, fullDisks, moments } = counts
    const { taken, twice } = machine.network.counts()
    const sum = (name: 'calls' | 'unanswered') => shops.reduce((all, shop) => all + shop[name], 0)
    return {
      ...{ seed, days: passed, calls: sum('calls'), unanswered: sum('unanswered'), ...settled },
      ...{ webhooks: taken, webhooksTwice: twice, kills, powerCuts, lostWrites, fullDisks, moments, problems },
    }
  } finally {
    isOver = true
    await flow
    machine.uninstall()
    rmSync(folder, { recursive: true })
  }
}

/** Two organizations trade until the simulation ends: sequences of calls that the model of the contract judges. */
const trade = async (
  machine: SimulatedMachine,
  names: readonly [string, string],
  seed: number,
  ended: () => boolean,
) => {
  let losses = machine.losses()
  const { core, made } = createShopsOfMachine(machine, names, () => machine.losses() !== losses)
  const target = createCoreTarget(core, names)
  for (let round = 0; !ended(); round += 1) {
    losses = machine.losses()
    const options = { seed: seed * 1_000 + round, calls: Number.POSITIVE_INFINITY, isCovered: ended }
    try {
      const { findings } = await explore(target, options)
      for (const { play } of findings)
        machine.problem(
          [
            `${names.join(' and ')}: a response that nothing permits (${play.violation?.clauses.join(', ')})`,
            ...play.played.map(one => `  ${describePlayed(one)}`),
            `  expected: ${play.violation?.expected.join('; or ')}`,
            `  got: ${play.violation?.got}`,
          ].join('\n'),
        )
    } catch (error) {
      if (!(error instanceof Undone)) machine.problem(`${names.join(' and ')}: ${(error as Error).stack}`)
    }
  }
  return made
}

/** Lets time flow on where nothing else happens any more. */
const letTimeFlow = async (machine: SimulatedMachine, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    await machine.up().catch(() => undefined)
    const before = machine.activity()
    for (let turn = 0; turn < IDLE_TURNS && !isOver() && machine.activity() === before; turn += 1) await turns(1)
    if (isOver() || machine.activity() !== before || machine.inFlight() === 0) continue
    await machine.time.pass((machine.time.untilTimer() ?? 0) + 1)
  }
}

/** Lets everything heal and come to its end, and judges what is there. */
const settle = async (machine: SimulatedMachine): Promise<{ payments: number }> => {
  const { problem, insist, network, counts } = machine
  machine.heal()
  for (const organizationId of SHOPS.flat())
    for (let next: unknown = true; next !== null; )
      next = (await insist(({ controlPlane }) => controlPlane.clock.drain(organizationId))).next
  const file = join(await machine.stop(), 'assay.db')
  for (const sentence of databaseViolations(file, true)) problem(sentence)
  const crashes = counts.kills + counts.powerCuts
  if (network.mostAgain() > crashes)
    problem(
      `${network.mostAgain()} webhooks came again to one address after they were acknowledged, and ${crashes} crashes explain it`,
    )
  const database = new Database(file, { readonly: true })
  const delivered = database
    .prepare<[], { id: string; url: string }>(
      "SELECT notification_id AS id, webhook_endpoints.record ->> 'url' AS url FROM deliveries JOIN messages USING (message_id) JOIN webhook_endpoints USING (endpoint_id) WHERE state = 'delivered'",
    )
    .all()
  const payments = database.prepare('SELECT COUNT(*) FROM payments').pluck().get() as number
  database.close()
  const missing = delivered.filter(({ id, url }) => !network.isTaken(url, id))
  if (missing.length > 0)
    problem(`${missing.length} webhooks are said to be delivered and never came, such as ${missing[0]?.id}`)
  return { payments }
}

import { drive } from './load.ts'
import { turned } from './rounds.ts'
import type { Keep, Server } from './servers.ts'
import { type Round, type Speed, summarize } from './speed-figures.ts'
import { NAMES, openStage, plain, type Race } from './stage.ts'

export type Level = { connections: number; calls: number; rounds: number }

type Wish = {
  folder: string
  /** The first warms up and is not told. */
  plan: readonly Level[]
  /** Starts everybody once and not twice. */
  quick: boolean
  rivals: readonly { name: string; start(): Promise<Server> }[]
  /** Ends the server with the measurement, however that ends. */
  keep: Keep
}

/** Calls of a whole payment; and payments take a smaller part of the time than single calls. */
const CALLS_PER_PAYMENT = 6
const SHARE_OF_PAYMENTS = 0.5

/** Measures everybody in one run, in turns, so that the ratios hold whatever else the machine does. */
export const measureSpeed = async ({ folder, plan, quick, rivals, keep }: Wish): Promise<Speed> => {
  const twice = async <Some extends Server>(start: () => Promise<Some>) => {
    const first = keep(await start())
    if (!quick) await first.stop()
    const server = quick ? first : keep(await start())
    return { server, firstReadyMs: first.readyMs, memoryIdleMb: server.usage().residentMb }
  }
  const stage = await openStage(folder, twice)
  const missing: string[] = []
  for (const { name, start } of rivals) {
    const started = await twice(start).catch(
      (error: Error) => void missing.push(`${name} does not start: ${error.message}.`),
    )
    if (started) stage.plain.runners.push({ ...started, name, measure: NAMES.hono, pool: plain(started.server.port) })
  }
  const initiates = await runAll(plan, [stage.signed, stage.plain])
  const runners = [stage.signed, stage.plain].flatMap(race => race.runners)
  const starts = runners.map(({ name, server, firstReadyMs, memoryIdleMb }) => {
    const { readyMs } = server
    return { name, firstReadyMs, readyMs, memoryIdleMb, memoryLoadedMb: server.usage().residentMb }
  })
  const fewer = ({ calls, ...level }: Level) => ({
    ...level,
    calls: Math.ceil((calls * SHARE_OF_PAYMENTS) / CALLS_PER_PAYMENT),
  })
  const payments = await runAll(plan.map(fewer), stage.payments)
  await stage.close()
  const measures = new Map(runners.map(({ name, measure }) => [name, measure]))
  const calls = plan.reduce((sum, { calls, rounds }) => sum + calls * rounds, 0)
  return summarize({ calls, starts, measures, initiates, payments, missing })
}

/** All levels, each with every race; the rounds of all but the first level. */
const runAll = async ([warmUp, ...levels]: readonly Level[], races: readonly Race[]): Promise<Round[]> => {
  if (warmUp) for (const race of races) await run(warmUp, race)
  const rounds: Round[] = []
  for (const level of levels) for (const race of races) rounds.push(...(await run(level, race)))
  return rounds
}

/** The rounds of a level. */
const run = async ({ connections, calls, rounds }: Level, { runners, works }: Race): Promise<Round[]> => {
  const done: Round[] = []
  const lanes = runners.map(({ name, server, pool }) => ({ name, server, pool: pool(connections) }))
  for (let round = 0; round < rounds; round += 1) {
    const given = await works(calls)
    for (const { name, server, pool } of turned(lanes, round)) {
      const before = server.usage().cpuMs
      const driven = await drive(pool, given, connections)
      done.push({ name, connections, round, ...driven, cpuMs: server.usage().cpuMs - before })
    }
  }
  await Promise.all(lanes.map(({ pool }) => pool.close()))
  return done
}

import { runLoad } from '../load/http-load.ts'
import type { KeepServer, Server } from '../load/start-servers.ts'
import { rotated } from '../load/statistics.ts'
import { type MeasuredRound, type SpeedFigures, summarizeSpeed } from './speed-figures.ts'
import { plainPoolOf, SERVER_NAMES, type ServerGroup, startMeasuredServers } from './start-measured-servers.ts'

export type LoadLevel = { connections: number; calls: number; rounds: number }

type SpeedMeasurementOptions = {
  folder: string
  /** Levels of load; the first warms up and is not reported. */
  plan: readonly LoadLevel[]
  /** Starts each server once instead of twice. */
  quick: boolean
  rivals: readonly { name: string; start(): Promise<Server> }[]
  /** Registers a server to be stopped when the measurement ends. */
  keep: KeepServer
}

/** Calls per payment, and the share of calls spent on whole payments. */
const CALLS_PER_PAYMENT = 6
const SHARE_OF_PAYMENTS = 0.5

/** Measures all servers in alternating rounds of one run, so that ratios hold whatever else the machine does. */
export const measureSpeed = async ({
  folder,
  plan,
  quick,
  rivals,
  keep,
}: SpeedMeasurementOptions): Promise<SpeedFigures> => {
  const twice = async <Some extends Server>(start: () => Promise<Some>) => {
    const first = keep(await start())
    if (!quick) await first.stop()
    const server = quick ? first : keep(await start())
    return { server, firstReadyMs: first.readyMs, memoryIdleMb: server.usage().residentMb }
  }
  const stage = await startMeasuredServers(folder, twice)
  const missing: string[] = []
  for (const { name, start } of rivals) {
    const started = await twice(start).catch(
      (error: Error) => void missing.push(`${name} does not start: ${error.message}.`),
    )
    if (started)
      stage.plain.runners.push({ ...started, name, measure: SERVER_NAMES.hono, pool: plainPoolOf(started.server.port) })
  }
  const initiates = await runAll(plan, [stage.signed, stage.plain])
  const runners = [stage.signed, stage.plain].flatMap(race => race.runners)
  const starts = runners.map(({ name, server, firstReadyMs, memoryIdleMb }) => {
    const { readyMs } = server
    return { name, firstReadyMs, readyMs, memoryIdleMb, memoryLoadedMb: server.usage().residentMb }
  })
  const fewer = ({ calls, ...level }: LoadLevel) => ({
    ...level,
    calls: Math.ceil((calls * SHARE_OF_PAYMENTS) / CALLS_PER_PAYMENT),
  })
  const payments = await runAll(plan.map(fewer), stage.payments)
  await stage.close()
  const measures = new Map(runners.map(({ name, measure }) => [name, measure]))
  const calls = plan.reduce((sum, { calls, rounds }) => sum + calls * rounds, 0)
  return summarizeSpeed({ calls, starts, measures, initiates, payments, missing })
}

/** Runs all levels with every group of servers; returns the rounds of all but the warm-up level. */
const runAll = async (
  [warmUp, ...levels]: readonly LoadLevel[],
  races: readonly ServerGroup[],
): Promise<MeasuredRound[]> => {
  if (warmUp) for (const race of races) await run(warmUp, race)
  const rounds: MeasuredRound[] = []
  for (const level of levels) for (const race of races) rounds.push(...(await run(level, race)))
  return rounds
}

/** Runs the rounds of one level. */
const run = async (
  { connections, calls, rounds }: LoadLevel,
  { runners, works }: ServerGroup,
): Promise<MeasuredRound[]> => {
  const done: MeasuredRound[] = []
  const lanes = runners.map(({ name, server, pool }) => ({ name, server, pool: pool(connections) }))
  for (let round = 0; round < rounds; round += 1) {
    const given = await works(calls)
    for (const { name, server, pool } of rotated(lanes, round)) {
      const before = server.usage().cpuMs
      const driven = await runLoad(pool, given, connections)
      done.push({ name, connections, round, ...driven, cpuMs: server.usage().cpuMs - before })
    }
  }
  await Promise.all(lanes.map(({ pool }) => pool.close()))
  return done
}

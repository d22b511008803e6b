import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange } from '../../client/http-exchange.ts'
import type { NumberedSecrets } from '../../client/redact-secrets.ts'
import type { OpenWait } from '../judge/verdict-errors.ts'
import { orUsageError } from '../report/read-and-write-text-files.ts'
import { PENDING_FILE } from '../report/report-folder.ts'
import { matchesSavedFileSchema } from '../report/saved-file-schemas.ts'
import { UsageError } from './command-errors.ts'
import type { ScenarioLog } from './resumable-scenario-player.ts'
import { fromRecordedExchange, type RecordedExchange, toRecordedExchange } from './transcript.ts'

/** A scenario that a run began and a later one plays on; `given` are the shared payments that it found. */
export type PendingScenario = {
  name: string
  asked: readonly string[]
  wait: OpenWait
  given: Readonly<Record<string, string>>
  log: ScenarioLog
}

/** A run with paused scenarios: what `assay certify resume` needs of it beside its report. It holds secrets. */
export type PendingRun = {
  /** SHA-256 digests of the files that must not change in between, by what they are. */
  digests: Readonly<Record<string, string>>
  /** Number of exchanges at the start of the transcript that are calls; those after them only belong to steps. */
  called: number
  /** Place in the transcript of each exchange of a log that it has. */
  places: ReadonlyMap<Exchange, number>
  secrets: NumberedSecrets
  scenarios: readonly PendingScenario[]
}

type SavedScenario = Omit<PendingScenario, 'log'> & {
  log: Omit<ScenarioLog, 'calls'> & { calls: { organization: string; place?: number; exchange: RecordedExchange }[] }
}
type SavedRun = Omit<PendingRun, 'places' | 'scenarios'> & { format: 1; scenarios: SavedScenario[] }

const fileIn = (folder: string): string => join(folder, PENDING_FILE)

/**
 * Writes a pending run into its report folder, readable by its owner alone, in one step; removes the file where nothing
 * waits.
 */
export const writePendingRun = (folder: string, { places, scenarios, ...run }: PendingRun): void => {
  const file = fileIn(folder)
  const saved: SavedRun = { format: 1, ...run, scenarios: scenarios.map(scenario => toSaved(scenario, places)) }
  orUsageError(file, 'written', () => {
    if (scenarios.length === 0) return rmSync(file, { force: true })
    writeFileSync(`${file}.new`, `${JSON.stringify(saved)}\n`, { mode: 0o600 })
    chmodSync(`${file}.new`, 0o600)
    renameSync(`${file}.new`, file)
  })
}

const toSaved = ({ log, ...scenario }: PendingScenario, places: ReadonlyMap<Exchange, number>): SavedScenario => ({
  ...scenario,
  log: {
    ...log,
    calls: log.calls.map(({ organization, exchange }) => {
      const place = places.get(exchange)
      return { organization, ...(place === undefined ? {} : { place }), exchange: toRecordedExchange(exchange) }
    }),
  },
})

/**
 * Reads the pending run of a report folder; throws a UsageError where nothing waits, or where this version did not
 * write it.
 */
export const readPendingRun = (folder: string, secretMembers: readonly string[]): PendingRun => {
  if (!existsSync(fileIn(folder)))
    throw new UsageError(`Nothing waits in ${folder}: name the folder of a run that said what to resume, and when.`)
  const { scenarios, format: _, ...run } = parsed(folder)
  const places = new Map<Exchange, number>()
  const restored = scenarios.map(({ log, ...scenario }) => {
    const calls = log.calls.map(({ organization, place, exchange: recorded }) => {
      const exchange = fromRecordedExchange(recorded)
      if (secretMembers.length > 0) exchange.request.secretMembers = secretMembers
      if (place !== undefined) places.set(exchange, place)
      return { organization, exchange }
    })
    return { ...scenario, log: { ...log, calls } }
  })
  return { ...run, places, scenarios: restored }
}

const parsed = (folder: string): SavedRun => {
  const text = orUsageError(fileIn(folder), 'read', () => readFileSync(fileIn(folder), 'utf8'))
  try {
    const saved: unknown = JSON.parse(text)
    if (matchesSavedFileSchema('pending', saved)) return saved as SavedRun
  } catch {}
  throw new UsageError(`${fileIn(folder)} is not what this version writes: run assay certify again.`)
}

/**
 * Returns the time from which a paused scenario can be resumed, in epoch milliseconds: what is left of its wait is
 * slept through.
 */
export const resumableFrom = ({ from }: OpenWait, longestSleepSeconds: number): number =>
  Date.parse(from) - longestSleepSeconds * 1000

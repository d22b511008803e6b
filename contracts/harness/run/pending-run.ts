import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange } from '../../client/http-exchange.ts'
import type { NumberedSecrets } from '../../client/redact-secrets.ts'
import type { OpenWait } from '../judge/verdict-errors.ts'
import { orUsageError } from '../report/read-and-write-text-files.ts'
import { PENDING_FILE, REPORT_FILES } from '../report/report-folder.ts'
import { matchesSavedFileSchema } from '../report/saved-file-schemas.ts'
import { finishWriting, writeFilesTogether, writePrivateFile } from '../report/write-files-together.ts'
import { UsageError } from './command-errors.ts'
import { LONGEST_SLEEP_SECONDS, type ScenarioLog } from './resumable-scenario-player.ts'
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
  /** Number of calls of those who resumed the run and did not come to its report. */
  uncounted?: number
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

/** Writes a pending run into its report folder, readable by its owner alone, in one step. */
export const writePendingRun = (folder: string, run: PendingRun): void =>
  writePrivateFile(folder, PENDING_FILE, textOf(run))

/**
 * Writes the files of a report together with the run that waits, so that a run that is killed meanwhile can be resumed;
 * removes pending.json where nothing waits.
 */
export const writeReportAndPendingRun = (
  folder: string,
  texts: Readonly<Record<string, string>>,
  run: PendingRun,
): void => {
  writeFilesTogether(folder, { name: PENDING_FILE, text: textOf(run) }, texts)
  if (run.scenarios.length === 0) removeFile(folder)
}

/** Finishes the report that a process was writing into a folder as it was killed. */
export const finishReport = (folder: string): void => {
  finishWriting(folder, PENDING_FILE, Object.values(REPORT_FILES))
  if (existsSync(fileIn(folder)) && parsed(folder).scenarios.length === 0) removeFile(folder)
}

const removeFile = (folder: string): void => orUsageError(fileIn(folder), 'written', () => rmSync(fileIn(folder)))

const textOf = ({ places, scenarios, ...run }: PendingRun): string => {
  const saved: SavedRun = { format: 1, ...run, scenarios: scenarios.map(scenario => toSaved(scenario, places)) }
  return `${JSON.stringify(saved)}\n`
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

/** Reads the pending run of a report folder; throws a UsageError as `findPendingRun` does, and where nothing waits. */
export const readPendingRun = (folder: string, secretMembers: readonly string[]): PendingRun => {
  const pending = findPendingRun(folder, secretMembers)
  if (pending) return pending
  throw new UsageError(`Nothing waits in ${folder}: name the folder of a run that said what to resume, and when.`)
}

/**
 * Reads the run that waits in a report folder; undefined where none does. Throws a UsageError where this version did not
 * write it.
 */
export const findPendingRun = (folder: string, secretMembers: readonly string[] = []): PendingRun | undefined => {
  if (!existsSync(fileIn(folder))) return undefined
  const { scenarios, format: _, ...run } = parsed(folder)
  if (scenarios.length === 0) return undefined
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
export const resumableFrom = ({ from }: OpenWait): number => Date.parse(from) - LONGEST_SLEEP_SECONDS * 1000

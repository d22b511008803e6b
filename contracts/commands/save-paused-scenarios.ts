import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Exchange } from '../client/http-exchange.ts'
import type { Redactor } from '../client/redact-secrets.ts'
import type { CheckResult } from '../harness/judge/check.ts'
import { StillWaiting } from '../harness/judge/verdict-errors.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { readTextFile } from '../harness/report/read-and-write-text-files.ts'
import { PENDING_FILE, REPORT_FILES, readReportFile } from '../harness/report/report-folder.ts'
import { sha256Digest } from '../harness/report/suite-name-and-digest.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { findPendingRun, type PendingRun, type PendingScenario, resumableFrom } from '../harness/run/pending-run.ts'
import { LONGEST_SLEEP_SECONDS, type ScenarioPlayer } from '../harness/run/resumable-scenario-player.ts'
import type { ScenarioRun } from '../harness/run/run-scenarios.ts'
import type { WriteLedgerLine } from '../harness/safety/write-ledger.ts'
import { shellWord } from '../protocol/shell-word.ts'
import type { CheckContext } from '../suites/context/check-context.ts'

/**
 * Creates an observer of a run's scenarios: it starts the player for each, and collects those that it leaves waiting.
 */
export const collectPauses = ({ given }: Pick<CheckContext, 'given'>, player: ScenarioPlayer, canPause: boolean) => {
  const scenarios: PendingScenario[] = []
  let found: PendingScenario['given'] = {}
  return {
    scenarios: scenarios as readonly PendingScenario[],
    onScenarioStart: (): void => {
      found = given.known()
      player.start({ longest: LONGEST_SLEEP_SECONDS, canPause })
    },
    onScenarioEnd: ({ name, asked, stopped }: ScenarioRun): void => {
      if (stopped instanceof StillWaiting)
        scenarios.push({ name, asked: [...asked], wait: stopped.wait, given: found, log: player.log() })
    },
    /** Leaves the last scenario, so that calls after it are not its own. */
    end: (): void => player.start({ longest: LONGEST_SLEEP_SECONDS, canPause: false }),
  }
}

/**
 * Returns the lines of a write ledger that belong to none of the paused scenarios; a resumed run still needs the
 * payments of the others.
 */
export const linesBeside = (
  scenarios: readonly PendingScenario[],
  lines: readonly WriteLedgerLine[],
): WriteLedgerLine[] => {
  const calls = scenarios.flatMap(({ log }) => log.calls)
  const keys = new Set(calls.map(({ exchange }) => exchange.request.headers['idempotency-key']))
  return lines.filter(line => !('key' in line) || line.key === undefined || !keys.has(line.key))
}

/**
 * Creates the pending run that a later `resume` needs; `list` are the calls of this run, which begin its transcript.
 */
export const pendingRun = (
  scenarios: readonly PendingScenario[],
  { list, places }: { list: readonly Exchange[]; places: ReadonlyMap<Exchange, number> },
  redactor: Redactor,
): Omit<PendingRun, 'digests'> => {
  const logged = scenarios.flatMap(({ log }) => log.calls.map(({ exchange }) => exchange))
  return { called: list.length, places, secrets: redactor.secretsIn(logged), scenarios }
}

/** Returns the run that waits beside a report, which has these digests. */
export type PendingRunOf = (digests: PendingRun['digests']) => PendingRun

/** Says of a report that nothing waits beside it. */
export const nothingWaits: PendingRunOf = digests => ({
  digests,
  called: 0,
  places: new Map(),
  secrets: { count: 0, labels: {} },
  scenarios: [],
})

/**
 * Returns the run that waits in a report folder as it can be resumed once its report has been written anew; a file that had
 * changed before stays changed.
 */
export const keepResumable = (folder: string, profile: Profile): PendingRunOf => {
  const pending = findPendingRun(folder)
  if (!pending) return nothingWaits
  const before = digestsIn(folder, profile)
  return now => {
    const renewed = ([name, digest]: [string, string]) => [
      name,
      before[name] === digest ? (now[name] ?? digest) : digest,
    ]
    const digests = Object.fromEntries(Object.entries(pending.digests).map(renewed))
    return { ...pending, digests }
  }
}

/** Digests of the files that must stay the same until a run is resumed; the profile's own file may be gone by then. */
export const digestsOf = (textOf: (name: string) => string, { file }: Profile): PendingRun['digests'] => ({
  ...Object.fromEntries(KEPT_FILES.map(name => [name, sha256Digest(textOf(name))])),
  ...(existsSync(file) && { [resolve(file)]: sha256Digest(readTextFile(file)) }),
})

const digestsIn = (folder: string, profile: Profile) => digestsOf(name => readReportFile(folder, name), profile)

const KEPT_FILES = [REPORT_FILES.report, REPORT_FILES.transcript, REPORT_FILES.profile]

/** Throws a UsageError where the profile or the report folder of a run is not as it was when the run began. */
export const mustBeUnchanged = (folder: string, profile: Profile, { digests }: PendingRun): void => {
  for (const [name, digest] of Object.entries(digestsIn(folder, profile)))
    if (digests[name] !== undefined && digests[name] !== digest)
      throw new UsageError(
        name === resolve(profile.file)
          ? `${name} has changed since the run began, and one run has one profile: undo the change, or begin another run.`
          : `${join(folder, name)} has changed since the run began: put it back, or begin another run.`,
      )
}

/** Returns the paused scenario whose wait ends first; undefined where none waits. */
export const soonest = (scenarios: readonly PendingScenario[]): PendingScenario | undefined =>
  [...scenarios].sort((a, b) => Date.parse(a.wait.from) - Date.parse(b.wait.from))[0]

/** Returns the sentence on how many checks wait and when to resume the run; empty where none does. */
export const whatWaits = (
  folder: string,
  { checks }: { checks: readonly CheckResult[] },
  scenarios: readonly PendingScenario[],
): string => {
  const next = soonest(scenarios)
  if (!next) return ''
  const count = checks.filter(({ waits }) => waits).length
  return `${count === 1 ? '1 check waits' : `${count} checks wait`}: run assay certify resume ${shellWord(folder)} ${resumeTime(next)}
${join(folder, PENDING_FILE)} holds secrets for that, such as access tokens; it is removed when nothing waits.
`
}

/**
 * Returns the time at which a scenario can be resumed, in words: `after …`, or `between … and …` where a lower bound
 * waits.
 */
export const resumeTime = ({ wait }: PendingScenario): string => {
  const [from, { until }] = [inWords(resumableFrom(wait)), wait]
  return until === undefined ? `after ${from} UTC` : `between ${from} and ${inWords(Date.parse(until))} UTC`
}

const inWords = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

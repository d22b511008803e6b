import { join } from 'node:path'
import { realTime } from '../client/wall-clock.ts'
import { createRequestDialect } from '../harness/profile/create-request-dialect.ts'
import { prepareTextFile } from '../harness/report/read-and-write-text-files.ts'
import {
  REPORT_FILES,
  readReportFile,
  readSavedProfile,
  readSavedReport,
  readSavedTranscript,
} from '../harness/report/report-folder.ts'
import { inExistingReportFolder } from '../harness/report/report-folder-lock.ts'
import { readReportSigningKey } from '../harness/report/report-signing-keys.ts'
import type { RunReport } from '../harness/report/run-report.ts'
import { identifySuite } from '../harness/report/suite-name-and-digest.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { finishReport, readPendingRun, resumableFrom } from '../harness/run/pending-run.ts'
import { createStopSignal, stopOnProcessSignals } from '../harness/run/stop-signal.ts'
import { confirmHost } from '../harness/safety/production-limits.ts'
import { unreadableLines } from '../harness/safety/write-ledger.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import { toRejudgeTarget } from './regrade.ts'
import { resumeRun, type SavedRun } from './resume-saved-run.ts'
import { printAndSave } from './run.ts'
import { mustBeUnchanged, resumeTime, soonest } from './save-paused-scenarios.ts'
import { type OptionValues, type Subcommand, unfinished } from './subcommand.ts'

/** Subcommand `assay certify resume`: looks at what an earlier run had to wait for, and judges that run as a whole. */
export const subcommand: Subcommand = {
  usage: 'resume DIR',
  description: `
Plays on the checks of an earlier run that had to wait longer than a run sleeps, such as for the end of an idempotency key
after 24 hours. The run said when; too early, nothing is called or changed. Report and certificate are written anew.

  assay certify run --profile ours.yaml --report reports/today
  assay certify resume reports/today

Several times are fine. The profile and the version of the suite must be those of the run.`,
  options: ['confirm-host', 'junit', 'sign-key', 'json'],
  operands: [1, 1],
  execute: (values, [folder = '']) => inExistingReportFolder(folder, () => resume(folder, values)),
}

const resume = async (folder: string, values: OptionValues): Promise<number> => {
  finishReport(folder)
  const profile = readSavedProfile(folder)
  const pending = readPendingRun(folder, createRequestDialect(profile).secretMembers)
  const saved: SavedRun = {
    folder,
    report: readSavedReport(folder),
    transcript: readSavedTranscript(folder),
    pending,
  }
  mustBeSameSuite(saved.report)
  mustBeUnchanged(folder, profile, pending)
  mustHaveReadableLedger(folder)
  confirmHost(profile, values['confirm-host'])
  const key = readReportSigningKey(values['sign-key'])
  const writeJunit = prepareTextFile(values.junit)
  const next = soonest(pending.scenarios)
  if (next && realTime() < resumableFrom(next.wait))
    return unfinished(`It is too early: run assay certify resume ${shellWord(folder)} ${resumeTime(next)}.`)
  const target = toRejudgeTarget(saved.report, profile)
  const stop = createStopSignal()
  const ignoreSignals = stopOnProcessSignals(stop)
  try {
    const measured = await resumeRun(target, saved, stop)
    if (!measured)
      return unfinished(
        `${stop.cause?.reason}: the calls so far are kept, run assay certify resume ${shellWord(folder)} again.`,
      )
    return await printAndSave(measured, target, key, { ...values, report: folder, writeJunit })
  } finally {
    ignoreSignals()
  }
}

/** Throws a UsageError where lines of the write ledger are damaged; a last one that a crash cut off is none of them. */
const mustHaveReadableLedger = (folder: string): void => {
  const lines = unreadableLines(readReportFile(folder, REPORT_FILES.ledger))
  if (lines.length > 0)
    throw new UsageError(
      `${join(folder, REPORT_FILES.ledger)} cannot be read in line ${lines.join(', ')}: resumed, the run would neither count nor remove what was written there; undo the change, or begin another run.`,
    )
}

/** Throws a UsageError where another suite began the run: its scenarios may make other calls. */
const mustBeSameSuite = ({ suite }: RunReport): void => {
  const { version, catalogue } = identifySuite(CHECK_SCENARIOS)
  if (suite.version !== version || suite.catalogue !== catalogue)
    throw new UsageError(
      `Another suite (${suite.version}) than this one (${version}) began this run: resume it with that one, or begin another run.`,
    )
}

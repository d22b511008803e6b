import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Coverage } from '../explore/coverage.ts'
import type { Shrunk } from '../explore/shrink.ts'
import { COUNTEREXAMPLE_FILES, counterexampleFiles, type TargetNames } from '../explore/tell/counterexample-files.ts'
import { coverageCsv, lifecycleHeatMap } from '../explore/tell/lifecycle-heat-map.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { orUsageError, writeTextFile } from '../harness/report/read-and-write-text-files.ts'
import {
  createReportFolder,
  prepareReportFolder,
  REPORT_FILES,
  readReportFile,
} from '../harness/report/report-folder.ts'
import { finishReport } from '../harness/run/pending-run.ts'
import type { StopSignal } from '../harness/run/stop-signal.ts'
import { mustBeCleanedUp } from '../harness/safety/refuse-run-without-cleanup.ts'
import { continueWriteLedger, createWriteLedger, type WriteLedger } from '../harness/safety/write-ledger.ts'
import { visibleText } from '../protocol/visible-text.ts'

/**
 * Opens the write ledger of an exploration in its folder, in which that of a run goes on to whose report it is added;
 * throws a UsageError as `mustBeCleanedUp` does.
 */
export const openExploredLedger = (folder: string, profile: Profile, stop: StopSignal): WriteLedger => {
  finishReport(folder)
  const file = join(folder, REPORT_FILES.ledger)
  if (existsSync(join(folder, REPORT_FILES.report)))
    return continueWriteLedger(
      file,
      existsSync(file) ? readReportFile(folder, REPORT_FILES.ledger) : '',
      stop.stopForLedger,
    )
  mustBeCleanedUp(folder)
  prepareReportFolder(folder, profile)
  return createWriteLedger(file, { onUnwritten: stop.stopForLedger })
}

/** Creates the folder of an exploration's files, or deletes those of an earlier one in it. */
export const clearExploredFiles = (folder: string): void => {
  createReportFolder(folder)
  orUsageError(folder, 'written', () => {
    for (const name of Object.values(COUNTEREXAMPLE_FILES)) rmSync(join(folder, name), { force: true })
  })
}

/** Writes the findings and coverage of an exploration into its folder; returns the paths. */
export const writeExploredFiles = (
  folder: string,
  { transitions }: Coverage,
  shrunk: Shrunk | undefined,
  target: TargetNames,
): string[] => {
  const texts = {
    ...(shrunk && counterexampleFiles(shrunk, target)),
    'transitions.csv': coverageCsv(transitions),
    'transitions.svg': lifecycleHeatMap(transitions),
  }
  return Object.entries(texts).map(([name, text]) => {
    const file = join(folder, name)
    writeTextFile(file, visibleText(text))
    return file
  })
}

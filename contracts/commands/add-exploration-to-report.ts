import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Profile } from '../harness/profile/profile.ts'
import { type Exploration, withExploration } from '../harness/report/exploration.ts'
import {
  REPORT_FILES,
  readSavedProfile,
  readSavedReport,
  readSavedTranscript,
} from '../harness/report/report-folder.ts'
import { readReportSigningKey } from '../harness/report/report-signing-keys.ts'
import { summarizeRun } from '../harness/report/run-summary.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { finishReport } from '../harness/run/pending-run.ts'
import { toRejudgeTarget } from './regrade.ts'
import { keepResumable } from './save-paused-scenarios.ts'
import { writeCertifiedReport } from './write-certified-report.ts'

/**
 * Reads the certification report that a folder holds, if any; returns the function that adds an exploration to it and
 * writes report and certificate anew. Throws a UsageError where that run was made against another address.
 */
export const reportToAddTo = (folder: string, { target }: Profile, signKey: string | undefined) => {
  finishReport(folder)
  if (!existsSync(join(folder, REPORT_FILES.report))) {
    if (signKey === undefined) return undefined
    throw new UsageError(`${folder} holds no report of a run whose certificate --sign-key could sign: leave it out.`)
  }
  const [before, transcript, key] = [
    readSavedReport(folder),
    readSavedTranscript(folder),
    readReportSigningKey(signKey),
  ]
  if (before.target.baseUrl !== target.baseUrl)
    throw new UsageError(
      `${folder} holds the report of a run against ${before.target.baseUrl}, not ${target.baseUrl}: name another folder.`,
    )
  const profile = readSavedProfile(folder)
  const pendingOf = keepResumable(folder, profile)
  return async (explored: Exploration): Promise<string[]> => {
    const { checks, summary, stopped } = before // an earlier exploration may have set the exit code
    const judged = { ...before, summary: summarizeRun(checks, summary.registered, stopped, summary.strict) }
    const report = withExploration(judged, explored)
    await writeCertifiedReport(folder, { report, transcript }, toRejudgeTarget(before, profile), key, { pendingOf })
    return [join(folder, REPORT_FILES.page)]
  }
}

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createRedactor } from '../client/redact-secrets.ts'
import type { CheckScenario, Tier } from '../harness/judge/check.ts'
import { judgeAsBefore } from '../harness/judge/reuse-earlier-check-result.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { readProfile } from '../harness/profile/read-profile.ts'
import { verifyConformanceCertificate } from '../harness/report/conformance-certificate.ts'
import { withExploration } from '../harness/report/exploration.ts'
import { toJunitReport } from '../harness/report/junit-report.ts'
import { prepareTextFile } from '../harness/report/read-and-write-text-files.ts'
import {
  createReportFolder,
  PENDING_FILE,
  REPORT_FILES,
  readReportFile,
  readSavedProfile,
  readSavedReport,
  readSavedTranscript,
} from '../harness/report/report-folder.ts'
import { inReportFolder } from '../harness/report/report-folder-lock.ts'
import { readReportSigningKey } from '../harness/report/report-signing-keys.ts'
import { disabledLayersMember, type RunReport, redactResults, toJsonReport } from '../harness/report/run-report.ts'
import { summarizeRun } from '../harness/report/run-summary.ts'
import { createVerdictPaint, toTextReport } from '../harness/report/text-report.ts'
import { parseNames, selectChecks } from '../harness/run/check-registry.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { rejudgeRun } from '../harness/run/rejudge-run.ts'
import { mustBeCleanedUp } from '../harness/safety/refuse-run-without-cleanup.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import { CHECK_REGISTRY, type RunTarget } from './chosen-profile-and-checks.ts'
import { createReportHead } from './judge-deployment.ts'
import { saveWhatWasPrinted } from './save-what-was-printed.ts'
import { refuseKeyWithoutReport, type Subcommand } from './subcommand.ts'
import { writeCertifiedReport } from './write-certified-report.ts'

/** Subcommand `assay certify regrade`: judges the transcript of an earlier run again, by the profile as it is now. */
export const subcommand: Subcommand = {
  usage: 'regrade DIR [--profile FILE]',
  description: `
Judges the transcript of an earlier run again, without any call: after a line of the profile was corrected, a decision
confirmed, or the suite updated. Without --profile it uses the profile of that run. Checks for which the run made no call
are untestable; verdicts that depend on a secret masked in the transcript stay as they were, and "verify" names them.

  assay certify regrade reports/today --profile ours.yaml --report reports/again`,
  options: ['profile', 'only', 'report', 'junit', 'sign-key', 'strict', 'json'],
  operands: [1, 1],
  execute: async (values, [folder = '']) => {
    refuseKeyWithoutReport(values)
    const [before, transcript] = [readSavedReport(folder), readSavedTranscript(folder)]
    const key = readReportSigningKey(values['sign-key'])
    const target =
      values.profile === undefined
        ? toRejudgeTarget(before, readSavedProfile(folder), values.only)
        : toRejudgeTarget(ofProfile(values.profile, before), profileAt(values.profile, before), values.only)
    return inReportFolder(values.report, async () => {
      if (values.report !== undefined) createReportFolderWhereNoneWaits(values.report)
      const writeJunit = prepareTextFile(values.junit)
      const results = await rejudgeRun({ ...target, scenarios: await scenariosToRegrade(folder, before), transcript })
      const checks = redactResults(results, createRedactor())
      const judged: RunReport = {
        ...createReportHead(target),
        startedAt: before.startedAt,
        endedAt: before.endedAt,
        ...(before.stopped && { stopped: before.stopped }),
        ...disabledLayersMember(checks),
        summary: summarizeRun(results, CHECK_REGISTRY.size, before.stopped, values.strict ?? before.summary.strict),
        checks,
      }
      const report = withExploration(judged, before.explored)
      process.stdout.write(
        values.json ? toJsonReport(report) : toTextReport(report, createVerdictPaint(process.stdout)),
      )
      const saveJunit = () => writeJunit?.(toJunitReport(report))
      const saveFolder = async (): Promise<void> => {
        if (values.report === undefined) return
        const ledger = readReportFile(folder, REPORT_FILES.ledger)
        await writeCertifiedReport(values.report, { report, transcript }, target, key, { ledger })
      }
      return saveWhatWasPrinted(report.summary.exitCode, saveJunit, saveFolder)
    })
  },
}

/** Creates a report folder; throws a UsageError where it holds a run that waits or has to be cleaned up, which would be lost. */
const createReportFolderWhereNoneWaits = (folder: string): void => {
  if (existsSync(join(folder, PENDING_FILE)))
    throw new UsageError(`${folder} holds a run that waits for assay certify resume: name another folder.`)
  mustBeCleanedUp(folder)
  createReportFolder(folder)
}

/** The scenarios, in which a check that judged a secret repeats its verdict: the transcript has that secret masked. */
const scenariosToRegrade = async (folder: string, { checks }: RunReport): Promise<readonly CheckScenario<never>[]> => {
  const { certificate } = await verifyConformanceCertificate(readReportFile(folder, REPORT_FILES.certificate))
  const masked = new Set(certificate.notRejudged.map(({ id }) => id))
  const kept = new Map(checks.filter(({ id }) => masked.has(id)).map(result => [result.id, result]))
  return CHECK_SCENARIOS.map(scenario => ({
    ...scenario,
    checks: scenario.checks.map(check => {
      const result = kept.get(check.id)
      return result ? judgeAsBefore(check, result) : check
    }),
  }))
}

/** Reads a profile file, but keeps the base URL that the run was made against. */
const profileAt = (file: string, { target }: RunReport): Profile => readProfile(file, { baseUrl: target.baseUrl })

/** A report whose command judges a check again by this profile, as far as it is known: another profile has another. */
const ofProfile = (file: string, { again, ...report }: RunReport): RunReport =>
  again !== undefined && resolve(file) === resolve(report.profile.file) ? { ...report, again } : report

/** Converts an earlier report to a run target, narrowed to the checks that `only` names. */
export const toRejudgeTarget = (report: RunReport, profile: Profile, only?: readonly string[]): RunTarget => {
  const names = only === undefined ? report.only : parseNames(only)
  const { again } = report
  return {
    profile,
    tier: report.tier as Tier,
    only: names,
    chosen: selectChecks(CHECK_REGISTRY, names, profile),
    ...(again !== undefined && { again }),
  }
}

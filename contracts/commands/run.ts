import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { toJunitReport } from '../harness/report/junit-report.ts'
import { prepareTextFile } from '../harness/report/read-and-write-text-files.ts'
import { createReportFolder, prepareReportFolder, REPORT_FILES } from '../harness/report/report-folder.ts'
import { inReportFolder } from '../harness/report/report-folder-lock.ts'
import { readReportSigningKey } from '../harness/report/report-signing-keys.ts'
import { type RunReport, toJsonReport } from '../harness/report/run-report.ts'
import { createVerdictPaint, toTextReport } from '../harness/report/text-report.ts'
import { createStopSignal, type StopSignal, stopOnProcessSignals } from '../harness/run/stop-signal.ts'
import { confirmHost } from '../harness/safety/production-limits.ts'
import { mustBeCleanedUp } from '../harness/safety/refuse-run-without-cleanup.ts'
import { visibleLine } from '../protocol/visible-text.ts'
import { type RunTarget, readRunTarget, TARGET_OPTIONS } from './chosen-profile-and-checks.ts'
import { type JudgedRun, judgeDeployment } from './judge-deployment.ts'
import { createProgressLine } from './progress-line.ts'
import { type PendingRunOf, whatWaits } from './save-paused-scenarios.ts'
import { saveWhatWasPrinted } from './save-what-was-printed.ts'
import { type OptionValues, refuseKeyWithoutReport, type Subcommand } from './subcommand.ts'
import { writeCertifiedReport } from './write-certified-report.ts'

/** Subcommand `assay certify run`: judges a deployment and prints its report. */
export const subcommand: Subcommand = {
  usage: 'run --profile FILE [options]',
  description: `
Judges a deployment by the checks of the contract, and cleans up afterwards. Without --report no file is written.

  assay certify run --profile contracts/profiles/simulator.yaml
  assay certify run --profile ours.yaml --only SIG,IDM-15 --report reports/today

Ctrl-C lets the calls in progress end, cleans up and reports the verdicts so far; a second Ctrl-C stops at once.
Production is judged only by calls that must be refused, and requires --confirm-host.`,
  options: [...TARGET_OPTIONS, 'confirm-host', 'report', 'junit', 'sign-key', 'strict', 'json'],
  execute: async values => {
    const target = readRunTarget(values)
    confirmHost(target.profile, values['confirm-host'])
    refuseKeyWithoutReport(values)
    const key = readReportSigningKey(values['sign-key'])
    return inReportFolder(values.report, () => run(target, values, key))
  },
}

const run = async (target: RunTarget, values: OptionValues, key: KeyObject): Promise<number> => {
  if (values.report !== undefined) {
    mustBeCleanedUp(values.report)
    createReportFolder(values.report)
  }
  const writeJunit = prepareTextFile(values.junit)
  const stop = createStopSignal()
  const ignoreSignals = stopOnProcessSignals(stop)
  try {
    const measured = await judge(target, values, stop)
    return await printAndSave(measured, target, key, { ...values, writeJunit })
  } finally {
    ignoreSignals()
  }
}

const judge = (target: RunTarget, values: OptionValues, stop: StopSignal): Promise<JudgedRun> => {
  const { profile, tier, chosen } = target
  const onStart = () => {
    if (values.report !== undefined) prepareReportFolder(values.report, profile)
    if (values.json) return
    const { name, target } = profile
    process.stdout.write(`${visibleLine(`${name}: ${target.baseUrl}, ${target.environment}, tier ${tier}`)}\n\n`)
  }
  const strict = values.strict ?? false
  const ledgerFile = values.report === undefined ? {} : { ledgerFile: join(values.report, REPORT_FILES.ledger) }
  return judgeDeployment(target, {
    stop,
    strict,
    onStart,
    canPause: values.report !== undefined,
    ...createProgressLine(chosen.size),
    ...ledgerFile,
  })
}

type Wanted = Pick<OptionValues, 'json' | 'report'> & { writeJunit: ReturnType<typeof prepareTextFile> }

/** Prints the report of a run as text or JSON, then writes its files; returns the exit code. */
export const printAndSave = (
  measured: JudgedRun,
  target: RunTarget,
  key: KeyObject,
  { json, report: folder, writeJunit }: Wanted,
): Promise<number> => {
  const { report, left, pending } = measured
  process.stdout.write(json ? toJsonReport(report) : textOf(report, left.unknown.length))
  const saveFolder = async (): Promise<void> => {
    if (folder === undefined) return
    const pendingOf: PendingRunOf = digests => ({ ...pending, digests })
    await writeCertifiedReport(folder, measured, target, key, { pendingOf })
    if (json) return
    process.stdout.write(`${whatWaits(folder, report, pending.scenarios)}${join(folder, REPORT_FILES.page)}\n`)
  }
  const saveJunit = () => writeJunit?.(toJunitReport(report))
  return saveWhatWasPrinted(report.summary.exitCode, saveJunit, saveFolder)
}

const textOf = (report: RunReport, unsure: number): string => {
  const text = toTextReport(report, createVerdictPaint(process.stdout))
  return unsure === 0
    ? text
    : `${text}${unsure} writes got no response, or one of 5xx; they may or may not have been carried out.\n`
}

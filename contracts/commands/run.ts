import { join } from 'node:path'
import { toJunitReport } from '../harness/report/junit-report.ts'
import { prepareTextFile } from '../harness/report/read-and-write-text-files.ts'
import { createReportFolder, prepareReportFolder, REPORT_FILES } from '../harness/report/report-folder.ts'
import { readReportSigningKey } from '../harness/report/report-signing-keys.ts'
import { toJsonReport } from '../harness/report/run-report.ts'
import { createVerdictPaint, toTextReport } from '../harness/report/text-report.ts'
import { createStopSignal, stopOnProcessSignals } from '../harness/run/stop-signal.ts'
import { confirmHost } from '../harness/safety/production-limits.ts'
import { visibleLine } from '../protocol/visible-text.ts'
import { type RunTarget, readRunTarget, TARGET_OPTIONS } from './chosen-profile-and-checks.ts'
import { type JudgedRun, judgeDeployment } from './judge-deployment.ts'
import { createProgressLine } from './progress-line.ts'
import { savePendingRun, whatWaits } from './save-paused-scenarios.ts'
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
    if (values.report !== undefined) createReportFolder(values.report)
    const writeJunit = prepareTextFile(values.junit)
    const measured = await judge(target, values)
    if (values.report !== undefined) {
      await writeCertifiedReport(values.report, measured, target, key)
      savePendingRun(values.report, target.profile, measured.pending)
    }
    writeJunit?.(toJunitReport(measured.report))
    return printReport(measured, values)
  },
}

const judge = async (target: RunTarget, values: OptionValues): Promise<JudgedRun> => {
  const { profile, tier, chosen } = target
  const onStart = () => {
    if (values.report !== undefined) prepareReportFolder(values.report, profile)
    if (values.json) return
    const { name, target } = profile
    process.stdout.write(`${visibleLine(`${name}: ${target.baseUrl}, ${target.environment}, tier ${tier}`)}\n\n`)
  }
  const stop = createStopSignal()
  const strict = values.strict ?? false
  const ledgerFile = values.report === undefined ? {} : { ledgerFile: join(values.report, REPORT_FILES.ledger) }
  const ignoreSignals = stopOnProcessSignals(stop)
  try {
    return await judgeDeployment(target, {
      stop,
      strict,
      onStart,
      canPause: values.report !== undefined,
      ...createProgressLine(chosen.size),
      ...ledgerFile,
    })
  } finally {
    ignoreSignals()
  }
}

/** Prints the report of a run as text or JSON; returns the exit code of the run. */
export const printReport = ({ report, left, pending }: JudgedRun, { json, report: folder }: OptionValues): number => {
  if (json) process.stdout.write(toJsonReport(report))
  else {
    process.stdout.write(toTextReport(report, createVerdictPaint(process.stdout)))
    const unsure = left.unknown.length
    if (unsure > 0)
      process.stdout.write(
        `${unsure} writes got no response, or one of 5xx; they may or may not have been carried out.\n`,
      )
    if (folder !== undefined) {
      process.stdout.write(whatWaits(folder, report, pending.scenarios))
      process.stdout.write(`${join(folder, REPORT_FILES.page)}\n`)
    }
  }
  return report.summary.exitCode
}

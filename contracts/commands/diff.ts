import { statSync } from 'node:fs'
import { EXIT_CODES } from '../harness/report/exit-codes.ts'
import { readSavedReport } from '../harness/report/report-folder.ts'
import { unjudgedText } from '../harness/report/report-warnings.ts'
import type { RunReport } from '../harness/report/run-report.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { createStopSignal, stopOnProcessSignals } from '../harness/run/stop-signal.ts'
import { confirmHost } from '../harness/safety/production-limits.ts'
import { visibleLine } from '../protocol/visible-text.ts'
import { type Change, changesBetween } from './changes-between-reports.ts'
import { readRunTarget, TARGET_OPTIONS } from './chosen-profile-and-checks.ts'
import { diffProfile } from './compare-profile-with-deployment.ts'
import { judgeDeployment } from './judge-deployment.ts'
import { createProgressLine } from './progress-line.ts'
import {
  type OptionName,
  type OptionValues,
  printResult,
  refuseUnused,
  type Subcommand,
  unfinished,
} from './subcommand.ts'

/** Subcommand `assay certify diff`: compares the verdicts of two runs check by check. */
export const subcommand: Subcommand = {
  usage: 'diff A B [--profile FILE], or diff PROFILE',
  description: `
Compares two runs check by check: A is the earlier one, B the later one. Each is the folder of a run, or an https address
that is judged first, by --profile. A check that passed and now fails or cannot be judged is a regression, with exit code 8, as is
one operation of a check on all of them, and a violation that exploration found. Improvements, and what the later run leaves out,
are listed only. An address at which nothing could be measured ends it with exit code 3.

  assay certify diff reports/yesterday reports/today
  assay certify diff https://old.example https://new.example --profile ours.yaml

With a profile alone it learns the dialect of the deployment anew, by the calls of scout, and says in a sentence each what the
deployment does otherwise than the profile says, with exit code 8; then follows the patch of the profile, which --patch writes into
a file for git apply. A line that this time shows nothing of is listed as open.

  assay certify diff ours.yaml --tier 3 --patch drift.patch`,
  options: [...TARGET_OPTIONS, 'confirm-host', 'patch', 'json'],
  operands: [1, 2],
  execute: async (values, [a = '', b]) => {
    refuseUnusedBy(values, a, b)
    if (b === undefined) return diffProfile(a, values)
    const reports: RunReport[] = []
    for (const operand of [a, b]) {
      const report = await reportOf(operand, values)
      if (isAddress(operand) && report.stopped) return unfinished(`${report.stopped.reason}: nothing was compared.`)
      reports.push(report)
    }
    const [before, after] = reports as [RunReport, RunReport]
    const changes = changesBetween(before, after)
    printResult(
      values,
      () => ({ before: headOf(before), after: headOf(after), changes }),
      () => textOf(reports, changes),
    )
    if (changes.some(({ kind }) => kind === 'regression')) return EXIT_CODES.regression
    const measured = reports.filter((_, index) => isAddress([a, b][index] ?? ''))
    return measured.some(({ summary }) => summary.exitCode === EXIT_CODES.unmeasured)
      ? EXIT_CODES.unmeasured
      : EXIT_CODES.fine
  },
}

/** Refuses options that these operands make no use of. */
const refuseUnusedBy = (values: OptionValues, a: string, b?: string): void => {
  const judges = [a, b].some(operand => operand !== undefined && isAddress(operand))
  const [unused, form]: [readonly OptionName[], string] =
    b === undefined
      ? [['profile', 'only'], 'with a profile alone']
      : [
          judges ? ['patch'] : [...TARGET_OPTIONS, 'confirm-host', 'patch'],
          judges ? 'with two runs' : 'with two saved runs',
        ]
  refuseUnused(values, unused, form)
}

const isAddress = (operand: string): boolean => operand.startsWith('https://')

const reportOf = async (operand: string, values: OptionValues): Promise<RunReport> => {
  if (!isAddress(operand)) {
    if (statSync(operand, { throwIfNoEntry: false })) return readSavedReport(operand)
    throw new UsageError(`${operand} is neither the folder of a run nor an https address: name one of the two.`)
  }
  const target = readRunTarget({ ...values, 'base-url': operand })
  confirmHost(target.profile, values['confirm-host'])
  const stop = createStopSignal()
  const watch = { stop, ...createProgressLine(target.chosen.size) }
  return (await judgeDeployment(target, watch).finally(stopOnProcessSignals(stop))).report
}

const headOf = ({ profile, target, startedAt, summary }: RunReport) => ({ profile, target, startedAt, summary })

const TITLES = { other: 'otherwise', better: 'better', regression: 'regressions' } as const

const textOf = (reports: readonly RunReport[], changes: readonly Change[]): string => {
  const parts = (['other', 'better', 'regression'] as const).flatMap(kind => {
    const members = changes.filter(change => change.kind === kind)
    return members.length === 0 ? [] : [`\n${TITLES[kind]} (${members.length})\n${members.map(lineOf).join('')}`]
  })
  return `${reports.map(headText).join('')}${parts.join('') || '\nEvery verdict is the same.\n'}`
}

/** Says which run it was, and what makes it incomplete. */
const headText = (report: RunReport, index: number): string => {
  const { target, startedAt, layersOff, stopped } = report
  const unjudged = unjudgedText(report)
  const lines = [
    `${'AB'[index]}  ${target.baseUrl}, ${startedAt}`,
    ...(unjudged === undefined ? [] : [`   ${unjudged}`]),
    ...(layersOff === undefined ? [] : [`   layers switched off: ${layersOff}`]),
    ...(stopped === undefined ? [] : [`   stopped early: ${stopped.reason}`]),
  ]
  return lines.map(line => `${visibleLine(line)}\n`).join('')
}

const lineOf = ({ id, title, before, after, why }: Change): string =>
  `  ${id.padEnd(8)} ${before} → ${after}  ${title}\n${why ? `           ${visibleLine(why)}\n` : ''}`

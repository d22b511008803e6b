import { statSync } from 'node:fs'
import type { CheckResult, Verdict } from '../harness/judge/check.ts'
import { EXIT_CODES } from '../harness/report/exit-codes.ts'
import { readSavedReport } from '../harness/report/report-folder.ts'
import type { RunReport } from '../harness/report/run-report.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { createStopSignal, stopOnProcessSignals } from '../harness/run/stop-signal.ts'
import { confirmHost } from '../harness/safety/production-limits.ts'
import { readRunTarget, TARGET_OPTIONS } from './chosen-profile-and-checks.ts'
import { diffProfile } from './compare-profile-with-deployment.ts'
import { judgeDeployment } from './judge-deployment.ts'
import { createProgressLine } from './progress-line.ts'
import { type OptionValues, printResult, type Subcommand, unfinished } from './subcommand.ts'

/** Subcommand `assay certify diff`: compares the verdicts of two runs check by check. */
export const subcommand: Subcommand = {
  usage: 'diff A B [--profile FILE], or diff PROFILE',
  description: `
Compares two runs check by check: A is the earlier one, B the later one. Each is the folder of a run, or an https address
that is judged first, by --profile. A check that passed and no longer passes is a regression, with exit code 8;
improvements and other changes are listed only.

  assay certify diff reports/yesterday reports/today
  assay certify diff https://old.example https://new.example --profile ours.yaml

With a profile alone it learns the dialect of the deployment anew, by the calls of scout, and says in a sentence each what the
deployment does otherwise than the profile says, with exit code 8; then follows the patch of the profile, which --patch writes into
a file for git apply. A line that this time shows nothing of is listed as open.

  assay certify diff ours.yaml --tier 3 --patch drift.patch`,
  options: [...TARGET_OPTIONS, 'confirm-host', 'patch', 'json'],
  operands: [1, 2],
  execute: async (values, [a = '', b]) => {
    if (b === undefined) return diffProfile(a, values)
    const reports: RunReport[] = []
    for (const operand of [a, b]) {
      const report = await reportOf(operand, values)
      if (isAddress(operand) && report.stopped) return unfinished(`${report.stopped.reason}: nothing was compared.`)
      reports.push(report)
    }
    const [before, after] = reports as [RunReport, RunReport]
    const changes = changesOf(before, after)
    printResult(
      values,
      () => ({ before: headOf(before), after: headOf(after), changes }),
      () => textOf(before, after, changes),
    )
    return changes.some(({ kind }) => kind === 'regression') ? EXIT_CODES.regression : EXIT_CODES.fine
  },
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

type Change = {
  id: string
  title: string
  kind: 'regression' | 'better' | 'other'
  before: Verdict | 'not judged'
  after: Verdict | 'not judged'
  why?: string
}

/** Verdicts that count as good, and those where nothing was judged. */
const GOOD: readonly string[] = ['pass', 'observed', 'stale']
const NOT_JUDGED: readonly string[] = ['not judged', 'withheld', 'not applicable']

const changesOf = (before: RunReport, after: RunReport): Change[] => {
  const [old, now] = [before, after].map(({ checks }) => new Map(checks.map(check => [check.id, check])))
  const ids = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])
  return [...ids].flatMap(id => changeOf(id, old?.get(id), now?.get(id)) ?? [])
}

const changeOf = (id: string, old: CheckResult | undefined, now: CheckResult | undefined): Change | undefined => {
  const [before, after] = [old?.verdict ?? 'not judged', now?.verdict ?? 'not judged'] as const
  if (before === after) return undefined
  const why = now?.reason ?? (now?.expected && `expected ${now.expected}, got ${now.got}`)
  return { id, title: (now ?? old)?.title ?? '', kind: kindOf(before, after), before, after, ...(why && { why }) }
}

const kindOf = (before: string, after: string): Change['kind'] => {
  if (after === 'fail' && before !== 'known') return 'regression'
  if (GOOD.includes(before) && !GOOD.includes(after) && !NOT_JUDGED.includes(after)) return 'regression'
  return !GOOD.includes(before) && GOOD.includes(after) ? 'better' : 'other'
}

const headOf = ({ profile, target, startedAt, summary }: RunReport) => ({ profile, target, startedAt, summary })

const TITLES = { other: 'otherwise', better: 'better', regression: 'regressions' } as const

const textOf = (before: RunReport, after: RunReport, changes: readonly Change[]): string => {
  const head = [before, after]
    .map(({ target, startedAt }, index) => `${'AB'[index]}  ${target.baseUrl}, ${startedAt}\n`)
    .join('')
  const parts = (['other', 'better', 'regression'] as const).flatMap(kind => {
    const members = changes.filter(change => change.kind === kind)
    return members.length === 0 ? [] : [`\n${TITLES[kind]} (${members.length})\n${members.map(lineOf).join('')}`]
  })
  return `${head}${parts.join('') || '\nEvery verdict is the same.\n'}`
}

const lineOf = ({ id, title, before, after, why }: Change): string =>
  `  ${id.padEnd(8)} ${before} → ${after}  ${title}\n${why ? `           ${why}\n` : ''}`

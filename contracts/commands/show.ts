import { readSavedReport } from '../harness/report/report-folder.ts'
import { type RunReport, toJsonReport } from '../harness/report/run-report.ts'
import { checkResultText, createVerdictPaint, toTextReport } from '../harness/report/text-report.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { visibleLine } from '../protocol/visible-text.ts'
import type { Subcommand } from './subcommand.ts'

/** Subcommand `assay certify show`: prints the report of an earlier run, or one of its checks in full. */
export const subcommand: Subcommand = {
  usage: 'show DIR [ID]',
  description: `
Shows the report of an earlier run, or one of its checks with all of its requests and responses.

  assay certify show reports/today
  assay certify show reports/today SIG-07`,
  options: ['json'],
  operands: [1, 2],
  execute: async ({ json }, [folder = '', id]) => {
    const report = readSavedReport(folder)
    const shown = id === undefined ? report : { ...report, checks: [checkOf(report, id.toUpperCase(), folder)] }
    const [check] = shown.checks
    if (json) process.stdout.write(toJsonReport(shown))
    else if (id !== undefined && check)
      process.stdout.write(`${check.verdict}\n${checkResultText(check, report, true)}\n`)
    else process.stdout.write(`${headOf(report)}\n\n${toTextReport(report, createVerdictPaint(process.stdout))}`)
    return 0
  },
}

const checkOf = ({ checks }: RunReport, id: string, folder: string) => {
  const found = checks.find(check => check.id === id)
  if (found) return found
  throw new UsageError(
    `The run in ${folder} judged no "${id}": "assay certify show ${shellWord(folder)} --json" names what it judged.`,
  )
}

const headOf = ({ profile, target, tier, startedAt }: RunReport): string =>
  visibleLine(`${profile.name}: ${target.baseUrl}, ${target.environment}, tier ${tier}, ${startedAt}`)

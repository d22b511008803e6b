import { UsageError } from '../harness/registry.ts'
import { jsonReport, type Report } from '../harness/report.ts'
import { readReport } from '../harness/report-folder.ts'
import { memberText, painter, textReport } from '../harness/report-text.ts'
import type { Word } from './word.ts'

/** Shows an earlier run as it told of itself. */
export const word: Word = {
  usage: 'show DIR [ID]',
  teaches: `
Shows the report of an earlier run, or one of its checks with all that went over the wire.

  assay certify show reports/today
  assay certify show reports/today SIG-07`,
  takes: ['json'],
  operands: [1, 2],
  act: async ({ json }, [folder = '', id]) => {
    const report = readReport(folder)
    const shown = id === undefined ? report : { ...report, checks: [checkOf(report, id.toUpperCase(), folder)] }
    const [check] = shown.checks
    if (json) process.stdout.write(jsonReport(shown))
    else if (id !== undefined && check) process.stdout.write(`${check.verdict}\n${memberText(check, report, true)}\n`)
    else process.stdout.write(`${headOf(report)}\n\n${textReport(report, painter(process.stdout))}`)
    return 0
  },
}

const checkOf = ({ checks }: Report, id: string, folder: string) => {
  const found = checks.find(check => check.id === id)
  if (found) return found
  throw new UsageError(
    `The run in ${folder} judged no "${id}": "assay certify show ${folder} --json" names what it judged.`,
  )
}

const headOf = ({ profile, target, tier, startedAt }: Report): string =>
  `${profile.name}: ${target.baseUrl}, ${target.environment}, tier ${tier}, ${startedAt}`

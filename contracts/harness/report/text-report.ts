import { styleText } from 'node:util'
import type { Exchange } from '../../client/http-exchange.ts'
import { visibleText } from '../../protocol/visible-text.ts'
import { type CheckResult, VERDICTS, type Verdict } from '../judge/check.ts'
import { firstExchangeDifference } from './exchange-diff.ts'
import { exchangeText, exchangeTitle } from './exchange-text.ts'
import { explorationText } from './exploration.ts'
import { cellReason } from './grid-cell-presentation.ts'
import { differingText, excludedText, unjudgedText } from './report-warnings.ts'
import { reproductionCommand, signatureBaseText } from './reproduction-command.ts'
import type { RunReport } from './run-report.ts'
import type { RunSummary } from './run-summary.ts'

const STYLES: Record<Verdict, Parameters<typeof styleText>[0]> = {
  fail: ['red', 'bold'],
  'harness error': ['red', 'bold'],
  stale: 'magenta',
  known: 'yellow',
  differs: 'yellow',
  blocked: 'yellow',
  untestable: 'yellow',
  inconclusive: 'yellow',
  withheld: 'dim',
  'not applicable': 'dim',
  observed: 'cyan',
  pass: 'green',
}

/** A function that styles a text for a terminal by a verdict, or leaves it plain where colours are not wanted. */
export type VerdictPaint = (verdict: Verdict, text: string) => string

/** Creates the text styling of a stream by verdict; plain where the stream shows no colours or NO_COLOR is set. */
export const createVerdictPaint =
  (stream: NodeJS.WriteStream): VerdictPaint =>
  (verdict, text) =>
    styleText(STYLES[verdict], visibleText(text), { stream })

/** Formats a report as terminal text: each check that did not pass, worst last, then a summary. */
export const toTextReport = (report: RunReport, paint: VerdictPaint): string => {
  const { checks, summary, layersOff, stopped, explored } = report
  const groups = [...VERDICTS].reverse().filter(verdict => verdict !== 'pass' && summary.counts[verdict] > 0)
  const parts = groups.map(verdict => {
    const members = checks.filter(result => result.verdict === verdict)
    const title = `${verdict} (${members.length})`
    return `${paint(verdict, title)}\n${members.map(member => checkResultText(member, report)).join('\n')}\n`
  })
  const disabled = layersOff === undefined ? '' : `This deployment has layers switched off: ${layersOff}`
  const early = stopped === undefined ? '' : `The run was stopped early: ${stopped.reason}`
  const warnings = [unjudgedText(report), excludedText(report), differingText(report), disabled, early]
    .filter(text => text !== undefined && text !== '')
    .map(text => `${paint('differs', visibleText(text ?? ''))}\n`)
  const beside = explored
    ? `${paint(explored.violations.length > 0 ? 'fail' : explored.unconfirmed ? 'inconclusive' : 'pass', explorationText(explored))}\n`
    : ''
  return `${parts.join('\n')}\n${warnings.join('')}${verdictCountsText(summary, paint)}\n${beside}`
}

/** Members of a report that the text of one result needs. */
type ReportContext = Pick<RunReport, 'profile' | 'target' | 'tier' | 'dialect' | 'again'>

/** Widths of the columns in which the cells of a grid row are printed. */
const [COLUMN, VERDICT] = [14, 14]

/** Formats a result as text: expected and got; in full also the exchange and its first difference from the control. */
export const checkResultText = (result: CheckResult, report: ReportContext, inFull = isBroken(result)): string => {
  const { id, clause, title, reason, expected, got, exchange, control, cells } = result
  const lines = [`  ${id.padEnd(8)} ${title} (${clause})`]
  if (reason) lines.push(indent(reason))
  if (expected !== undefined) lines.push(indent(`expected  ${expected}`), indent(`got       ${got}`))
  if (!inFull) return visibleText(lines.join('\n'))
  for (const cell of cells ?? [])
    lines.push(
      indent(`${cell.column.padEnd(COLUMN)} ${cell.verdict.padEnd(VERDICT)} ${cellReason(cell) ?? ''}`.trimEnd()),
    )
  if (control) lines.push(indent(`control   ${control.id}`))
  if (control?.exchange && exchange) lines.push(...differenceText(control.exchange, exchange))
  if (exchange) lines.push(indent(exchangeText(exchange)))
  const base = exchange && signatureBaseText(exchange, report)
  if (base !== undefined) lines.push(indent(`signature base\n${base.replace(/^/gm, '| ')}`))
  if (expected !== undefined) lines.push(indent(`again     ${reproductionCommand(result, report)}`))
  return visibleText(lines.join('\n'))
}

const isBroken = ({ verdict }: CheckResult): boolean => verdict === 'fail' || verdict === 'differs'

const differenceText = (control: Exchange, exchange: Exchange): string[] => {
  const row = firstExchangeDifference(control, exchange)
  if (!row) return []
  const title = indent(`beside    ${exchangeTitle(control)}`)
  return [
    title,
    indent(`there     ${(row.left ?? 'nothing').trim()}`),
    indent(`here      ${(row.right ?? 'nothing').trim()}`),
  ]
}

/** Formats the verdict counts in one line; they add up to the chosen checks. */
const verdictCountsText = ({ registered, chosen, counts }: RunSummary, paint: VerdictPaint): string => {
  const some = VERDICTS.filter(verdict => counts[verdict] > 0).reverse()
  const parts = some.map(verdict => paint(verdict, `${counts[verdict]} ${verdict}`)).join(', ')
  const rest = registered === chosen ? '' : `; ${registered - chosen} of ${registered} were not chosen`
  return `${chosen} ${chosen === 1 ? 'check' : 'checks'}: ${parts || 'none ran'}${rest}`
}

const indent = (text: string): string => text.replace(/^/gm, '           ')

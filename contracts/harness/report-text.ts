import { styleText } from 'node:util'
import type { Exchange } from '../client/exchange.ts'
import { type Result, VERDICTS, type Verdict } from './check.ts'
import { firstDifference, titleOf } from './difference.ts'
import { exchangeText } from './exchange-text.ts'
import type { Report } from './report.ts'
import { againText, baseText } from './reproduction.ts'
import type { Summary } from './summary.ts'

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

/** How a verdict looks on a terminal; plain where colours are not wanted. */
export type Paint = (verdict: Verdict, text: string) => string

/** Colours for a stream that shows them and a person who wants them (NO_COLOR). */
export const painter =
  (stream: NodeJS.WriteStream): Paint =>
  (verdict, text) =>
    styleText(STYLES[verdict], text, { stream })

/** All that did not simply pass, worst last, and the counts at the very end, where eyes are. */
export const textReport = (report: Report, paint: Paint): string => {
  const { checks, summary, layersOff, stopped } = report
  const groups = [...VERDICTS].reverse().filter(verdict => verdict !== 'pass' && summary.counts[verdict] > 0)
  const parts = groups.map(verdict => {
    const members = checks.filter(result => result.verdict === verdict)
    const title = `${verdict} (${members.length})`
    return `${paint(verdict, title)}\n${members.map(member => memberText(member, report)).join('\n')}\n`
  })
  const lowered = layersOff === undefined ? '' : `This deployment has layers switched off: ${layersOff}`
  const early = stopped === undefined ? '' : `The run was stopped early: ${stopped.reason}`
  const warnings = [lowered, early].filter(Boolean).map(text => `${paint('differs', text)}\n`)
  return `${parts.join('\n')}\n${warnings.join('')}${countsText(summary, paint)}\n`
}

/** What the text of one result has to know of its run. */
type Where = Pick<Report, 'profile' | 'target' | 'tier' | 'dialect' | 'again'>

/** One result in full: what was expected, what came, the exchange and what sets it apart from its control. */
export const memberText = (result: Result, report: Where, inFull = isBroken(result)): string => {
  const { id, clause, title, reason, expected, got, exchange, control } = result
  const lines = [`  ${id.padEnd(8)} ${title} (${clause})`]
  if (reason) lines.push(indent(reason))
  if (expected !== undefined) lines.push(indent(`expected  ${expected}`), indent(`got       ${got}`))
  if (!inFull) return lines.join('\n')
  if (control?.exchange) lines.push(indent(`control   ${control.id}: ${titleOf(control.exchange)}`))
  if (control?.exchange && exchange) lines.push(...differenceText(control.exchange, exchange))
  if (exchange) lines.push(indent(exchangeText(exchange)))
  const base = exchange && baseText(exchange, report)
  if (base !== undefined) lines.push(indent(`signature base\n${base.replace(/^/gm, '| ')}`))
  if (expected !== undefined) lines.push(indent(`again     ${againText(result, report)}`))
  return lines.join('\n')
}

const isBroken = ({ verdict }: Result): boolean => verdict === 'fail' || verdict === 'differs'

const differenceText = (control: Exchange, exchange: Exchange): string[] => {
  const row = firstDifference(control, exchange)
  if (!row) return []
  return [indent(`there     ${(row.left ?? 'nothing').trim()}`), indent(`here      ${(row.right ?? 'nothing').trim()}`)]
}

/** The counts, which add up to the checks there are. */
export const countsText = ({ registered, chosen, counts }: Summary, paint: Paint): string => {
  const some = VERDICTS.filter(verdict => counts[verdict] > 0).reverse()
  const told = some.map(verdict => paint(verdict, `${counts[verdict]} ${verdict}`)).join(', ')
  const rest = registered === chosen ? '' : `; ${registered - chosen} of ${registered} were not chosen`
  return `${chosen} checks: ${told || 'none ran'}${rest}`
}

const indent = (text: string): string => text.replace(/^/gm, '           ')

import { styleText } from 'node:util'
import { lineOf } from '../client/exchange.ts'
import { type Result, VERDICTS, type Verdict } from './check.ts'
import { exchangeText } from './exchange-text.ts'
import { layersOff } from './layers-off.ts'
import type { Summary } from './summary.ts'

const STYLES: Record<Verdict, Parameters<typeof styleText>[0]> = {
  fail: ['red', 'bold'],
  'harness error': ['red', 'bold'],
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
export const textReport = (results: readonly Result[], summary: Summary, paint: Paint): string => {
  const groups = [...VERDICTS].reverse().filter(verdict => verdict !== 'pass' && summary.counts[verdict] > 0)
  const parts = groups.map(verdict => {
    const members = results.filter(result => result.verdict === verdict)
    const title = `${verdict} (${members.length})`
    return `${paint(verdict, title)}\n${members.map(memberText).join('\n')}\n`
  })
  return `${parts.join('\n')}\n${loweredText(results, paint)}${countsText(summary, paint)}\n`
}

/** A run against a deployment that has lowered its guard is no run against the contract. */
const loweredText = (results: readonly Result[], paint: Paint): string => {
  const off = layersOff(results)
  return off === undefined ? '' : `${paint('differs', `This deployment has layers switched off: ${off}`)}\n`
}

const memberText = ({ id, clause, title, verdict, reason, expected, got, exchange, control }: Result): string => {
  const lines = [`  ${id.padEnd(8)} ${title} (${clause})`]
  if (reason) lines.push(indent(reason))
  if (expected !== undefined) lines.push(indent(`expected  ${expected}`), indent(`got       ${got}`))
  if (verdict !== 'fail' && verdict !== 'differs') return lines.join('\n')
  if (control?.exchange) lines.push(indent(`control   ${control.id} passed: ${lineOf(control.exchange)}`))
  if (exchange) lines.push(indent(exchangeText(exchange)))
  return lines.join('\n')
}

const countsText = ({ registered, chosen, counts }: Summary, paint: Paint): string => {
  const some = VERDICTS.filter(verdict => counts[verdict] > 0).reverse()
  const told = some.map(verdict => paint(verdict, `${counts[verdict]} ${verdict}`)).join(', ')
  const rest = registered === chosen ? '' : `; ${registered - chosen} of ${registered} were not chosen`
  return `${chosen} checks: ${told || 'none ran'}${rest}`
}

const indent = (text: string): string => text.replace(/^/gm, '           ')

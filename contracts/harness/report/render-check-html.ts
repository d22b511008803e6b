import { html } from 'hono/html'
import type { Exchange } from '../../client/http-exchange.ts'
import type { CheckResult } from '../judge/check.ts'
import { citedClauses } from './clause-coverage.ts'
import { type DiffRow, diffLines, requestLines, responseLines } from './exchange-diff.ts'
import { controlLabel, exchangeTitle } from './exchange-text.ts'
import { reproductionCommand } from './reproduction-command.ts'
import type { RunReport } from './run-report.ts'

type Html = ReturnType<typeof html>

/** Renders one check of the report page as HTML: a line, and details that fold. */
export const checkHtml = (result: CheckResult, report: RunReport): Html => {
  const { id, title, clause, verdict } = result
  const line = html`<b>${id}</b><span class="title">${title} <span class="quiet">(${clause})</span></span><span class="verdict">${verdict}</span>`
  const inside = detailsOf(result, report)
  const text = `${id} ${title} ${clause} ${verdict}`.toLowerCase()
  const marks = html`class="check" id="${id}" data-verdict="${verdict}" data-tone="${verdict}" data-clauses="${citedClauses(result).join(' ')}" data-text="${text}"`
  if (inside === undefined) return html`<div ${marks}><div class="line">${line}</div></div>`
  return html`<details ${marks} ${verdict === 'fail' ? html`open` : ''}><summary>${line}</summary><div class="inside">${inside}</div></details>`
}

const detailsOf = (result: CheckResult, report: RunReport): Html | undefined => {
  const { reason, expected, got, exchange, control, verdict } = result
  const isJudged = expected !== undefined || verdict === 'inconclusive' || verdict === 'blocked'
  const shown = isJudged ? exchange : undefined
  if (reason === undefined && shown === undefined) return undefined
  return html`${explanationOf([
    ['why', reason],
    ['expected', expected],
    ['got', got],
  ])}
${shown ? exchangeView(shown, expected === undefined ? undefined : control) : ''}
${expected === undefined ? '' : html`<p class="again quiet">Again: <code>${reproductionCommand(result, report)}</code></p>`}`
}

const explanationOf = (rows: readonly (readonly [string, string | undefined])[]): Html =>
  html`<dl class="said">${rows.filter(([, value]) => value !== undefined).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

/** Renders an exchange as HTML, side by side with that of its control where there is one. */
const exchangeView = (exchange: Exchange, control: CheckResult['control']): Html => {
  if (!control?.exchange)
    return html`<div class="wire alone"><div class="head">${exchangeTitle(exchange)}</div>${linesView(requestLines(exchange))}<div class="head">Answer</div>${linesView(responseLines(exchange))}</div>`
  const requests = diffLines(requestLines(control.exchange), requestLines(exchange))
  const answers = diffLines(responseLines(control.exchange), responseLines(exchange))
  return html`<div class="wire"><div class="head left">${controlLabel(control.id)}: ${exchangeTitle(control.exchange)}</div><div class="head right">This check: ${exchangeTitle(exchange)}</div>${requests.map(rowView)}<div class="head left">Its answer</div><div class="head right">Answer</div>${answers.map(rowView)}</div>`
}

const linesView = (lines: readonly string[]) => lines.map(line => html`<div>${line || ' '}</div>`)

const rowView = ({ left, right, same, usual, first }: DiffRow): Html => {
  const mark = same ? 'same' : first ? 'other first' : usual ? 'usual' : 'other'
  return html`<div class="left ${mark}">${left || ' '}</div><div class="right ${mark}">${right || ' '}</div>`
}

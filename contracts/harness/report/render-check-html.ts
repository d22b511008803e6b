import { html } from 'hono/html'
import type { Exchange } from '../../client/http-exchange.ts'
import type { CheckResult, GridCell } from '../judge/check.ts'
import { citedClauses } from './clause-coverage.ts'
import { type DiffRow, diffLines, requestLines, responseLines } from './exchange-diff.ts'
import { controlLabel, exchangeTitle } from './exchange-text.ts'
import { cellAnchor, cellReason } from './grid-cell-presentation.ts'
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
  const { reason, expected, got, exchange, control, verdict, cells } = result
  const isJudged = expected !== undefined || verdict === 'inconclusive' || verdict === 'blocked'
  const shown = isJudged ? exchange : undefined
  if (reason === undefined && shown === undefined && cells === undefined) return undefined
  return html`${explanationOf([
    ['why', reason && linked(reason, report)],
    ['expected', expected],
    ['got', got],
    ['control', expected === undefined || control === undefined ? undefined : linked(control.id, report)],
  ])}
${cells ? cellsView(result.id, cells, report) : ''}
${shown ? exchangeView(shown, expected === undefined ? undefined : control) : ''}
${expected === undefined ? '' : html`<p class="again quiet">Again: <code>${reproductionCommand(result, report)}</code></p>`}`
}

const explanationOf = (rows: readonly (readonly [string, string | Html | undefined])[]): Html =>
  html`<dl class="said">${rows.filter(([, value]) => value !== undefined).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

/** Renders each cell of a grid row with its clause, verdict and reason. */
const cellsView = (id: string, cells: readonly GridCell[], report: RunReport): Html =>
  html`<table class="cells"><thead><tr>${['Column', 'Verdict', 'Clause', 'Why'].map(name => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${cells.map(
    cell =>
      html`<tr id="${cellAnchor(id, cell.column)}"><th scope="row">${cell.column}</th><td><span class="verdict" data-tone="${cell.verdict}">${cell.verdict}</span></td><td>${cell.clause}</td><td>${linked(cellReason(cell) ?? '', report)}</td></tr>`,
  )}</tbody></table>`

/** Renders a text in which each id of a check of the report is a link to it. */
const linked = (text: string, { checks }: RunReport): Html =>
  html`${text.split(/\b([A-Z]{3,4}-\d+)\b/).map(part => (checks.some(({ id }) => id === part) ? html`<a href="#${part}">${part}</a>` : part))}`

/** Renders an exchange as HTML, side by side with that of its control where there is one. */
const exchangeView = (exchange: Exchange, control: CheckResult['control']): Html => {
  if (!control?.exchange)
    return html`<div class="wire alone"><div class="head">${exchangeTitle(exchange)}</div>${linesView(requestLines(exchange))}<div class="head">Response</div>${linesView(responseLines(exchange))}</div>`
  const requests = diffLines(requestLines(control.exchange), requestLines(exchange))
  const responses = diffLines(responseLines(control.exchange), responseLines(exchange))
  return html`<div class="wire"><div class="head left">${controlLabel(control.id)}: ${exchangeTitle(control.exchange)}</div><div class="head right">This check: ${exchangeTitle(exchange)}</div>${requests.map(rowView)}<div class="head left">Its response</div><div class="head right">Response</div>${responses.map(rowView)}</div>`
}

const linesView = (lines: readonly string[]) => lines.map(line => html`<div>${line || ' '}</div>`)

const rowView = ({ left, right, same, usual, first }: DiffRow): Html => {
  const mark = same ? 'same' : first ? 'other first' : usual ? 'usual' : 'other'
  return html`<div class="left ${mark}">${left || ' '}</div><div class="right ${mark}">${right || ' '}</div>`
}

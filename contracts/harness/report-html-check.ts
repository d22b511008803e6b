import { html } from 'hono/html'
import type { Exchange } from '../client/exchange.ts'
import type { Result } from './check.ts'
import { clausesOf } from './clauses.ts'
import { answerLines, controlName, type Row, requestLines, sideBySide, titleOf } from './difference.ts'
import type { Report } from './report.ts'
import { againText } from './reproduction.ts'

type Html = ReturnType<typeof html>

/** One check; what is more than its line folds away. */
export const checkView = (result: Result, report: Report): Html => {
  const { id, title, clause, verdict } = result
  const line = html`<b>${id}</b><span class="title">${title} <span class="quiet">(${clause})</span></span><span class="verdict">${verdict}</span>`
  const inside = insideOf(result, report)
  const text = `${id} ${title} ${clause} ${verdict}`.toLowerCase()
  const marks = html`class="check" id="${id}" data-verdict="${verdict}" data-tone="${verdict}" data-clauses="${clausesOf(result).join(' ')}" data-text="${text}"`
  if (inside === undefined) return html`<div ${marks}><div class="line">${line}</div></div>`
  return html`<details ${marks} ${verdict === 'fail' ? html`open` : ''}><summary>${line}</summary><div class="inside">${inside}</div></details>`
}

const insideOf = (result: Result, report: Report): Html | undefined => {
  const { reason, expected, got, exchange, control, verdict } = result
  const isJudged = expected !== undefined || verdict === 'inconclusive' || verdict === 'blocked'
  const shown = isJudged ? exchange : undefined
  if (reason === undefined && shown === undefined) return undefined
  return html`${saidOf([
    ['why', reason],
    ['expected', expected],
    ['got', got],
  ])}
${shown ? wire(shown, expected === undefined ? undefined : control) : ''}
${expected === undefined ? '' : html`<p class="again quiet">Again: <code>${againText(result, report)}</code></p>`}`
}

const saidOf = (rows: readonly (readonly [string, string | undefined])[]): Html =>
  html`<dl class="said">${rows.filter(([, value]) => value !== undefined).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

/** An exchange, beside its control where there is one. */
const wire = (exchange: Exchange, control: Result['control']): Html => {
  if (!control?.exchange)
    return html`<div class="wire alone"><div class="head">${titleOf(exchange)}</div>${alone(requestLines(exchange))}<div class="head">Answer</div>${alone(answerLines(exchange))}</div>`
  const requests = sideBySide(requestLines(control.exchange), requestLines(exchange))
  const answers = sideBySide(answerLines(control.exchange), answerLines(exchange))
  return html`<div class="wire"><div class="head left">${controlName(control.id)}: ${titleOf(control.exchange)}</div><div class="head right">This check: ${titleOf(exchange)}</div>${requests.map(rowView)}<div class="head left">Its answer</div><div class="head right">Answer</div>${answers.map(rowView)}</div>`
}

const alone = (lines: readonly string[]) => lines.map(line => html`<div>${line || ' '}</div>`)

const rowView = ({ left, right, same, usual, first }: Row): Html => {
  const mark = same ? 'same' : first ? 'other first' : usual ? 'usual' : 'other'
  return html`<div class="left ${mark}">${left || ' '}</div><div class="right ${mark}">${right || ' '}</div>`
}

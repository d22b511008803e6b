import { html } from 'hono/html'
import type { CheckResult, GridCell, Verdict } from '../judge/check.ts'

type Html = ReturnType<typeof html>
type Row = CheckResult & { cells: readonly GridCell[] }

/** One character for a verdict, so that colour is not all that tells cells apart. */
const MARKS: Readonly<Partial<Record<Verdict, string>>> = { pass: '✓', fail: '✗', 'not applicable': '–' }

/** Renders the rows of each grid as a table, rows × columns, coloured by verdict; nothing where no check has cells. */
export const gridTables = (results: readonly CheckResult[]): Html | string => {
  const rows = results.filter((result): result is Row => result.cells !== undefined)
  if (rows.length === 0) return ''
  const grids = [...Map.groupBy(rows, ({ journey }) => journey)]
  return html`<h2 id="grids">Rules over all operations</h2>
<p class="quiet">A row is a check, a column an operation. ✓ pass, ✗ fail, – empty, ? not judged. Each cell tells why.</p>
${grids.map(([name, members]) => gridTable(name, members))}`
}

const gridTable = (name: string, rows: readonly Row[]): Html => {
  const columns = [...new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column)))]
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table class="grid">
<caption>${name}</caption>
<thead><tr><th scope="col">Check</th>${columns.map(column => html`<th scope="col" class="up">${column}</th>`)}</tr></thead>
<tbody>${rows.map(row => rowView(row, columns))}</tbody></table></div>`
}

const rowView = ({ id, title, cells }: Row, columns: readonly string[]): Html =>
  html`<tr><th scope="row"><a href="#${id}">${id}</a> ${title}</th>${columns.map(column =>
    cellView(cells.find(cell => cell.column === column)),
  )}</tr>`

const cellView = (cell: GridCell | undefined): Html => {
  if (!cell) return html`<td></td>`
  const text = [cell.verdict, cell.clause && `(${cell.clause})`, cellReason(cell)].filter(Boolean).join(' ')
  return html`<td data-tone="${cell.verdict}" title="${text}"><span aria-hidden="true">${MARKS[cell.verdict] ?? '?'}</span><span class="unseen">${text}</span></td>`
}

const cellReason = ({ reason, expected, got }: GridCell): string | undefined =>
  expected === undefined ? reason : `expected ${expected}, got ${got}`

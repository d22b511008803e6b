import { html } from 'hono/html'
import { type Check, type CheckResult, type GridCell, VERDICTS } from '../judge/check.ts'
import { cellAnchor, type ShownCell, shownCell, type VerdictsById, verdictMark } from './grid-cell-presentation.ts'

type Html = ReturnType<typeof html>
type Row = CheckResult & { cells: readonly GridCell[] } & Pick<Check, 'otherColumns'>

/** Columns above which a table takes the whole width of the page. */
const HALF = 12

/**
 * Renders the rows of each grid of a report as an HTML table below a legend, with a sign and a colour in each cell,
 * which leads to its evidence; nothing where no check has cells. The registry says why a row lacks columns.
 */
export const gridTables = (results: readonly CheckResult[], registry: ReadonlyMap<string, Check>): Html | string => {
  const rows = results.flatMap(result => {
    const { cells } = result
    const { otherColumns } = registry.get(result.id) ?? {}
    return cells ? [{ ...result, cells, ...(otherColumns !== undefined && { otherColumns }) }] : []
  })
  if (rows.length === 0) return ''
  const verdicts = new Map(results.map(({ id, verdict }) => [id, verdict]))
  const grids = [...Map.groupBy(rows, ({ journey }) => journey)]
  return html`<h2 id="grids">Rules on every operation</h2>
<p class="quiet">A row is one check: its rule is tried on each column. A cell leads to what was seen.</p>
${legend(rows.flatMap(row => row.cells.map(cell => shownCell(cell, row, verdicts))))}
<div class="grids">${grids.map(([name, members]) => gridTable(name, members, verdicts))}</div>`
}

/** Renders the signs that occur, worst first, each with its meaning and number. */
const legend = (cells: readonly ShownCell[]): Html => {
  const kinds = Map.groupBy(cells.toSorted(inOrderOfLegend), ({ meaning }) => meaning)
  return html`<ul class="legend" aria-label="Signs">${[...kinds].map(
    ([meaning, [first, ...more]]) =>
      html`<li>${first && sign(first)} <span><b>${1 + more.length}</b> ${meaning}</span></li>`,
  )}</ul>`
}

const KINDS: readonly ShownCell['kind'][] = ['judged', 'elsewhere', 'empty']

const inOrderOfLegend = (a: ShownCell, b: ShownCell): number =>
  KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict)

const sign = ({ verdict, kind }: ShownCell): Html =>
  html`<span class="sign ${kind}" data-tone="${verdict}" aria-hidden="true">${verdictMark(verdict)}</span>`

const gridTable = (name: string, rows: readonly Row[], verdicts: VerdictsById): Html => {
  const columns = [...new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column)))]
  return html`<section class="card${columns.length > HALF ? ' wide' : ''}"><h3>${name}</h3>
<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table class="grid">
<thead><tr><td></td>${columns.map(column => html`<th scope="col"><span>${column}</span></th>`)}</tr></thead>
<tbody>${rows.map(row => rowView(row, columns, verdicts))}</tbody></table></div></section>`
}

const rowView = (row: Row, columns: readonly string[], verdicts: VerdictsById): Html => {
  const { id, title, cells } = row
  const views = columns.map(column => {
    const cell = cells.find(it => it.column === column)
    return cell ? cellView(cellAnchor(id, column), shownCell(cell, row, verdicts)) : absentCell(row)
  })
  return html`<tr><th scope="row"><a href="#${id}">${id}</a> ${title}</th>${views}</tr>`
}

const cellView = (anchor: string, cell: ShownCell): Html =>
  html`<td><a href="#${anchor}" title="${cell.text}">${sign(cell)}<span class="unseen">${cell.text}</span></a></td>`

/** Renders a cell that a row does not have: why its rule does not apply there. */
const absentCell = ({ id, cells, otherColumns }: Row): Html => {
  const columns = cells.map(({ column }) => column).join(', ')
  const text = ['not applicable', otherColumns, `(${id} is about ${columns})`].filter(Boolean).join(' ')
  return html`<td title="${text}"><span class="unseen">${text}</span></td>`
}

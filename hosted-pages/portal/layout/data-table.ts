import { html } from 'hono/html'
import type { Html } from '../../layout.ts'

export type Row = { testId: string; id?: string; cells: readonly (Html | string | number)[] }

/**
 * Returns an HTML table of the portal that becomes a list of cards on a narrow screen: each cell carries the name of
 * its column.
 */
export const table = (caption: string, columns: readonly string[], rows: readonly Row[]): Html => html`
<table class="data" aria-label="${caption}">
<thead><tr>${columns.map(column => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(
  ({ testId, id, cells }) => html`
<tr${id === undefined ? '' : html` id="${id}"`} data-testid="${testId}">${cells.map((cell, at) => html`<td data-label="${columns[at] ?? ''}">${cell}</td>`)}</tr>`,
)}</tbody>
</table>`

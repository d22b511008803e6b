import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { timestamp } from './formatted-values.ts'

/** One series of a stacked bar chart in the portal: its name, the class of its colour, and a count for each period. */
export type Series = { name: string; look: string; counts: readonly number[] }

/**
 * A stacked bar chart in the portal of counts over time; `starts` are the beginnings of its periods, in epoch
 * milliseconds, `note` says what the counts do not hold.
 */
export type BarChart = {
  id: string
  title: string
  series: readonly Series[]
  starts: readonly number[]
  none: string
  note?: Html
}

const HEIGHT = 100
const WIDTH = 20
const GAP = 3

/**
 * Returns the HTML of a bar chart: an SVG with title and description, a legend with sums, and the same counts as a
 * table. An empty series is left out.
 */
export const barChart = ({ id, title, series, starts, none, note }: BarChart): Html => {
  const shown = series.filter(({ counts }) => sum(counts) > 0)
  const totals = starts.map((_, at) => sum(shown.map(({ counts }) => counts[at] ?? 0)))
  const all = sum(totals)
  return html`
<figure class="chart" data-testid="${id}"><figcaption><h3 id="${id}">${title}</h3> <b class="number">${all}</b></figcaption>
${all === 0 ? html`<p class="quiet-line">${none}</p>` : html`${picture(id, title, shown, totals, starts)}${ends(starts)}${legend(shown)}${asTable(id, title, shown, starts, totals)}`}${note ?? ''}
</figure>`
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

const picture = (
  id: string,
  title: string,
  shown: readonly Series[],
  totals: readonly number[],
  starts: readonly number[],
): Html => {
  const most = Math.max(...totals)
  const described = `${shown.map(({ name, counts }) => `${name} ${sum(counts)}`).join(', ')}; at most ${most} in one period`
  return html`<svg viewBox="0 0 ${WIDTH * starts.length} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-described"><title id="${id}-title">${title}</title><desc id="${id}-described">${described}</desc>
${shown.map(({ look }, nth) => html`<path class="${look}" d="${barsOf(shown, nth, most)}"/>`)}
${totals.map((total, at) => (total === 0 ? '' : html`<rect x="${at * WIDTH}" width="${WIDTH}" height="${HEIGHT}"><title>${textOf(shown, at, starts)}</title></rect>`))}</svg>`
}

/** Path of the bars of a series, each on top of those of the series before. */
const barsOf = (shown: readonly Series[], nth: number, most: number): string => {
  const scaled = (count: number) => Math.round((HEIGHT * 10 * count) / most) / 10
  return (shown[nth]?.counts ?? [])
    .map((count, at) => {
      if (count === 0) return ''
      const below = sum(shown.slice(0, nth).map(({ counts }) => counts[at] ?? 0))
      const [low, high] = [scaled(below), scaled(below + count)]
      const top = Math.round(10 * (HEIGHT - high)) / 10
      return `M${at * WIDTH + GAP} ${top}h${WIDTH - 2 * GAP}v${Math.round(10 * (high - low)) / 10}h-${WIDTH - 2 * GAP}z`
    })
    .join('')
}

const textOf = (shown: readonly Series[], at: number, starts: readonly number[]): string => {
  const counts = shown.flatMap(({ name, counts }) => (counts[at] ? [`${name} ${counts[at]}`] : []))
  return `${new Date(starts[at] ?? 0).toISOString().slice(0, 16).replace('T', ' ')}: ${counts.join(', ')}`
}

const ends = (starts: readonly number[]): Html =>
  html`<p class="ends" aria-hidden="true">${shortTime(starts[0] ?? 0)}<span>now</span></p>`

const shortTime = (at: number): string => new Date(at).toISOString().slice(5, 16).replace('T', ' ')

const legend = (shown: readonly Series[]): Html => html`
<ul class="legend">${shown.map(({ name, look, counts }) => html`<li><i class="${look}"></i>${name} <b class="number">${sum(counts)}</b></li>`)}</ul>`

const asTable = (
  id: string,
  title: string,
  shown: readonly Series[],
  starts: readonly number[],
  totals: readonly number[],
): Html => html`
<details id="${id}-table"><summary>As a table</summary><table aria-label="${title}"><thead><tr><th scope="col">From</th>${shown.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${starts.map((start, at) => (totals[at] === 0 ? '' : html`<tr><th scope="row">${timestamp(start)}</th>${shown.map(({ counts }) => html`<td>${counts[at] ?? 0}</td>`)}</tr>`))}</tbody></table></details>`

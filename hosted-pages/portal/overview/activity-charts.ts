import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { barChart, type Series } from '../layout/bar-chart.ts'
import { timestamp } from '../layout/formatted-values.ts'

/**
 * Calls and payments as the portal's overview charts them: over a span of time up to now, in periods of one length;
 * times in epoch milliseconds.
 */
export type StatisticsView = {
  span: string
  from: number
  to: number
  /** Real time from which calls are counted. */
  callsCountedSince: number
  periods: readonly StatisticsPeriodView[]
}

/** Counts of a period: calls, refusals by the layer that refused, payments by the status that they have now. */
type StatisticsPeriodView = {
  at: number
  calls: { accepted: number; failed: number; refused: Readonly<Record<string, number>> }
  payments: Readonly<Record<string, number>>
}

// biome-ignore format: a table reads by its columns
const SPANS = [
  ['hour',  'Hour'],
  ['day',   'Day'],
  ['week',  'Week'],
  ['month', '30 days'],
] as const

// biome-ignore format: a table reads by its columns
/** Outcomes of payments: the words of the status that each counts, and the class of its colour. */
const OUTCOMES = [
  ['approved', 'good', ['APPROVED']],
  ['open',     'late', ['PENDING', 'ACCEPTED']],
  ['declined', 'bad',  ['DECLINED']],
  ['canceled', 'idle', ['CANCELED']],
] as const

/** Layers that refuse calls, in the order in which a call passes them. */
const LAYERS = ['http', 'body', 'certificate', 'rate', 'signature', 'token', 'version', 'validation', 'operation']

/**
 * Returns the charts of the portal's overview: calls, refusals by layer and payments by outcome, with links to other
 * spans of time.
 */
export const activityCharts = (path: string, { span, periods, callsCountedSince }: StatisticsView): Html => {
  const starts = periods.map(({ at }) => at)
  const refused = (layer: string) => periods.map(({ calls }) => calls.refused[layer] ?? 0)
  const sumOf = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((all, one) => all + one, 0)
  const calls: Series[] = [
    { name: 'accepted', look: 'good', counts: periods.map(({ calls }) => calls.accepted) },
    { name: 'refused', look: 'late', counts: periods.map(({ calls }) => sumOf(calls.refused)) },
    { name: 'failed', look: 'bad', counts: periods.map(({ calls }) => calls.failed) },
  ]
  const layers = LAYERS.map(layer => ({ name: layer, look: `layer-${layer}`, counts: refused(layer) }))
  const payments = OUTCOMES.map(([name, look, words]) => ({
    name,
    look,
    counts: periods.map(period => words.reduce((all, word) => all + (period.payments[word] ?? 0), 0)),
  }))
  const note = html`<p class="hint">Calls are counted since ${timestamp(callsCountedSince)} in real time, when the sandbox started or was reset.</p>`
  return html`
<section aria-labelledby="over-time" id="part-charts">
<div class="head"><h2 id="over-time">Over time</h2>
<ul class="filter" aria-label="How far back">${SPANS.map(([name, label]) => html`<li><a href="${path}?span=${name}"${name === span ? html` aria-current="true"` : ''} data-testid="span-${name}">${label}</a></li>`)}</ul></div>
<div class="charts">
${barChart({ id: 'chart-payments', title: 'Payments', series: payments, starts, none: 'No payment in this time.' })}
${barChart({ id: 'chart-calls', title: 'Calls', series: calls, starts, none: 'No counted call in this time.', note })}
${barChart({ id: 'chart-refusals', title: 'Refusals by layer', series: layers, starts, none: 'No counted call was refused in this time.', note })}
</div></section>`
}

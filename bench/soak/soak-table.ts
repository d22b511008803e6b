import { METRIC_NAMES, METRICS, type Metric, type Sample } from './resource-usage-sample.ts'
import type { SoakResult } from './verdict.ts'

const BARS = '▁▂▃▄▅▆▇█'
const WIDEST = 40

/** The head line of the table of a soak run's samples. */
export const SAMPLE_HEAD = `${'seconds'.padStart(8)}${'payments'.padStart(10)}${METRIC_NAMES.map(name => METRICS[name].title.padStart(22)).join('')}`

export const sampleLine = (sample: Sample): string =>
  `${sample.seconds.toFixed(0).padStart(8)}${sample.payments.toLocaleString('en').padStart(10)}${METRIC_NAMES.map(name => told(name, sample[name]).padStart(22)).join('')}`

/** Formats the result of a soak run as a text table: level, rise and trend of each metric, and the verdict. */
export const soakTable = ({ samples, trends, verdict, grown }: SoakResult): string => {
  const last = samples.at(-1)
  const rows = METRIC_NAMES.map(name => {
    const { level, rise, allowed, verdict } = trends[name]
    const cells = [told(name, level), signed(name, rise), told(name, allowed)].map(text => text.padStart(10)).join('')
    return `${METRICS[name].title.padEnd(22)}${cells}  ${verdict.padEnd(9)}  ${sparkline(samples.map(sample => sample[name]))}`
  })
  const tables = grown.map(({ table, from, to }) => `${table} from ${from} rows to ${to}`)
  return [
    `${last?.payments.toLocaleString('en')} payments in ${last?.laps} laps of ${last?.seconds.toFixed(0)} s, the clock ${last?.days} days on`,
    '',
    `${'in the second half'.padEnd(22)}${['level', 'rise', 'allowed'].map(text => text.padStart(10)).join('')}`,
    ...rows,
    ...(tables.length > 0 ? [`grown most: ${tables.join(', ')}`] : []),
    '',
    SAYS[verdict],
  ].join('\n')
}

const SAYS = {
  flat: 'Flat: nothing rises by more than it may.',
  growing: 'Growing: what is marked so rises beyond chance and beyond what it may.',
  'too short': 'Too short to say: run it for longer.',
} as const

const told = (name: Metric, value: number): string => value.toFixed(METRICS[name].digits)
const signed = (name: Metric, value: number): string => `${value < 0 ? '−' : '+'}${told(name, Math.abs(value))}`

/** Draws a series as a line of bars scaled from minimum to maximum; long series are sampled down to 40 bars. */
export const sparkline = (values: readonly number[]): string => {
  const width = Math.min(values.length, WIDEST)
  const picked = Array.from({ length: width }, (_, at) => values[Math.floor(((at + 0.5) * values.length) / width)] ?? 0)
  const [least, most] = [Math.min(...picked), Math.max(...picked)]
  const bar = (value: number) =>
    BARS[most === least ? 0 : Math.round(((value - least) / (most - least)) * (BARS.length - 1))]
  return picked.map(bar).join('')
}

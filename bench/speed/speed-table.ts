import { formatNumber, type TableCell, tableRow } from '../report/format-table-row.ts'
import type { SpeedFigures, SpeedRow, SpeedTable } from './speed-figures.ts'

/** Formats the speed figures as text tables: start and memory, one initiate, whole payments. */
export const speedTable = (speed: SpeedFigures): string =>
  [
    startsTable(speed),
    paceTable('one initiate', 'calls/s', speed.initiates),
    paceTable('a whole BLIK payment of six calls', 'paid/s', speed.payments),
    ...(speed.missing.length > 0 ? [speed.missing.join('\n')] : []),
  ].join('\n\n')

const startsTable = ({ starts, calls }: SpeedFigures): string => {
  const loaded = `after ${calls.toLocaleString('en')} calls`
  return [
    tableRow('', [
      ['start to ready, ms', 21],
      ['memory, MB', 25],
    ]),
    tableRow('', [
      ['first', 12],
      ['later', 9],
      ['idle', 9],
      [loaded, 20],
    ]),
    ...starts.map(({ name, firstReadyMs, readyMs, memoryIdleMb, memoryLoadedMb }) =>
      tableRow(name, [
        [formatNumber(firstReadyMs), 12],
        [formatNumber(readyMs), 9],
        [formatNumber(memoryIdleMb), 9],
        [formatNumber(memoryLoadedMb), 20],
      ]),
    ),
  ].join('\n')
}

const paceTable = (what: string, unit: string, table: SpeedTable): string =>
  table
    .flatMap(({ connections, rows }) => [
      tableRow(`${what}, ${connections} at once`, [
        [unit, 10],
        ['p50 ms', 9],
        ['p99 ms', 9],
        ['CPU µs', 9],
        ratioHead(rows),
      ]),
      ...rows.map(paceRow),
    ])
    .join('\n')

/** Column head of the ratios of rate and CPU time; above 1 is faster than the reference server. */
const ratioHead = (rows: readonly SpeedRow[]): TableCell => [rows.some(({ ratio }) => ratio) ? 'rate ×  CPU ×' : '', 17]

const paceRow = ({ name, perSecond, p50Ms, p99Ms, cpuMicroseconds, ratio }: SpeedRow): string => {
  const pace: TableCell[] = [
    [formatNumber(perSecond), 10],
    [formatNumber(p50Ms, 2), 9],
    [formatNumber(p99Ms, 2), 9],
    [formatNumber(cpuMicroseconds), 9],
  ]
  const ratios = ratio ? `${formatNumber(ratio.rate, 2)}   ${formatNumber(ratio.cpu, 2)}` : ''
  return tableRow(`  ${name}`, ratio ? [...pace, [ratios, 16]] : pace) + (ratio ? `  of ${ratio.to}` : '')
}

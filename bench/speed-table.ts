import type { Row, Speed, Table } from './speed-figures.ts'

/** The figures as tables for people. */
export const speedTable = (speed: Speed): string =>
  [
    startsTable(speed),
    paceTable('one initiate', 'calls/s', speed.initiates),
    paceTable('a whole BLIK payment of six calls', 'paid/s', speed.payments),
    ...(speed.missing.length > 0 ? [speed.missing.join('\n')] : []),
  ].join('\n\n')

const startsTable = ({ starts, calls }: Speed): string => {
  const loaded = `after ${calls.toLocaleString('en')} calls`
  return [
    row('', [
      ['start to ready, ms', 21],
      ['memory, MB', 25],
    ]),
    row('', [
      ['first', 12],
      ['later', 9],
      ['idle', 9],
      [loaded, 20],
    ]),
    ...starts.map(({ name, firstReadyMs, readyMs, memoryIdleMb, memoryLoadedMb }) =>
      row(name, [
        [number(firstReadyMs), 12],
        [number(readyMs), 9],
        [number(memoryIdleMb), 9],
        [number(memoryLoadedMb), 20],
      ]),
    ),
  ].join('\n')
}

const paceTable = (what: string, unit: string, table: Table): string =>
  table
    .flatMap(({ connections, rows }) => [
      row(`${what}, ${connections} at once`, [
        [unit, 10],
        ['p50 ms', 9],
        ['p99 ms', 9],
        ['CPU µs', 9],
        ratioHead(rows),
      ]),
      ...rows.map(paceRow),
    ])
    .join('\n')

/** Rates and processor time as ratios; above 1 is faster than the measure. */
const ratioHead = (rows: readonly Row[]): Cell => [rows.some(({ ratio }) => ratio) ? 'rate ×  CPU ×' : '', 17]

const paceRow = ({ name, perSecond, p50Ms, p99Ms, cpuMicroseconds, ratio }: Row): string => {
  const pace: Cell[] = [
    [number(perSecond), 10],
    [number(p50Ms, 2), 9],
    [number(p99Ms, 2), 9],
    [number(cpuMicroseconds), 9],
  ]
  const ratios = ratio ? `${number(ratio.rate, 2)}   ${number(ratio.cpu, 2)}` : ''
  return row(`  ${name}`, ratio ? [...pace, [ratios, 16]] : pace) + (ratio ? `  of ${ratio.to}` : '')
}

export type Cell = [text: string, width: number]

const NAME_WIDTH = 44

export const row = (name: string, cells: readonly Cell[]): string =>
  (name.padEnd(NAME_WIDTH) + cells.map(([text, width]) => text.padStart(width)).join('')).trimEnd()

export const number = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

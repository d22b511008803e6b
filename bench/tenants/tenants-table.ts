import { type Growth, growthTable } from '../growth/growth-table.ts'
import { formatNumber, tableRow } from '../report/format-table-row.ts'

/** Latency of a quiet organization beside a noisy one, with the latter's served and refused calls per second. */
export type NeighbourFigures = { name: string; p50Ms: number; p99Ms: number; served: number; refused: number }
export type TenantFigures = { growth: Growth; neighbours: NeighbourFigures[] }

/** Formats the figures of many tenants as text tables: durations by number of payments, and noisy neighbours. */
export const tenantsTable = ({ growth, neighbours }: TenantFigures): string =>
  [
    growthTable(growth),
    '',
    tableRow("a quiet organization's calls", [
      ['p50 ms', 26],
      ['p99 ms', 9],
      ['served/s', 12],
      ['429/s', 9],
    ]),
    ...neighbours.map(({ name, p50Ms, p99Ms, served, refused }) =>
      tableRow(`  ${name}`.padEnd(61), [
        [formatNumber(p50Ms, 1), 9],
        [formatNumber(p99Ms, 1), 9],
        [formatNumber(served), 12],
        [formatNumber(refused), 9],
      ]),
    ),
  ].join('\n')

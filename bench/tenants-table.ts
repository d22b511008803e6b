import { type Growth, growthTable } from './growth-table.ts'
import { number, row } from './speed-table.ts'

/** The calls of a quiet organization beside those of a loud one, of which so many a second were served or refused. */
export type Beside = { name: string; p50Ms: number; p99Ms: number; served: number; refused: number }
export type Tenants = { growth: Growth; neighbours: Beside[] }

/** The figures for people. */
export const tenantsTable = ({ growth, neighbours }: Tenants): string =>
  [
    growthTable(growth),
    '',
    row("a quiet organization's calls", [
      ['p50 ms', 26],
      ['p99 ms', 9],
      ['served/s', 12],
      ['429/s', 9],
    ]),
    ...neighbours.map(({ name, p50Ms, p99Ms, served, refused }) =>
      row(`  ${name}`.padEnd(61), [
        [number(p50Ms, 1), 9],
        [number(p99Ms, 1), 9],
        [number(served), 12],
        [number(refused), 9],
      ]),
    ),
  ].join('\n')

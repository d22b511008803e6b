import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
const page = read('../../contracts/CHECKS.md')

/** Rows of the tables of one section of the page, cell by cell. */
const rowsOf = (section: string): string[][] =>
  (page.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter(line => /^\| [A-Z]{3,4}-\d/.test(line))
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    )

const byId = (section: string, cell: number): Map<string, string> =>
  new Map(rowsOf(section).flatMap(row => (row[0] ?? '').split(' ').map(id => [id, row[cell] ?? ''] as const)))

const tiersAre = byId('Tiers', 2)
const basesAre = byId('Bases', 2)
const moreClauses = byId('Clauses', 1)

type Row = { id: string; tier: string; basis: string; clauses: string[] }

/** The original check catalogue. */
const catalogue: Row[] = read('catalogue.csv')
  .trim()
  .split('\n')
  .slice(1)
  .map(line => {
    const [id = '', tier = '', basis = '', clauses = ''] = line.split(',')
    return { id, tier, basis, clauses: clauses.split(' + ') }
  })

const registered: Row[] = CHECK_SCENARIOS.flatMap(({ tier, checks }) =>
  checks.map(check => ({
    id: check.id,
    tier: `T${check.tier ?? tier}`,
    basis: check.observes ? 'observes' : (check.basis ?? 'specified'),
    clauses: check.clause.split(', '),
  })),
)

const sorted = (rows: readonly Row[]): Row[] =>
  rows.map(row => ({ ...row, clauses: [...row.clauses].sort() })).sort((one, other) => (one.id < other.id ? -1 : 1))

test('the registered checks are the catalogue with the amendments listed in contracts/CHECKS.md', () => {
  const mended = catalogue.map(row => {
    const more = moreClauses.get(row.id)
    const [tier, basis] = [tiersAre.get(row.id) ?? row.tier, basesAre.get(row.id) ?? row.basis]
    return { ...row, tier, basis, clauses: more ? [...row.clauses, more] : row.clauses }
  })
  expect(sorted(registered)).toEqual(sorted(mended))
})

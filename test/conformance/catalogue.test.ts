import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { JOURNEYS } from '../../contracts/suites/all.ts'

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

const [tiersWere, tiersAre] = [byId('Tiers', 1), byId('Tiers', 2)]
const [basesWere, basesAre] = [byId('Bases', 1), byId('Bases', 2)]
const moreClauses = byId('Clauses', 1)

type Row = { id: string; tier: string; basis: string; clauses: string[] }

/** The catalogue as it was drawn up. */
const catalogue: Row[] = read('catalogue.csv')
  .trim()
  .split('\n')
  .slice(1)
  .map(line => {
    const [id = '', tier = '', basis = '', clauses = ''] = line.split(',')
    return { id, tier, basis, clauses: clauses.split(' + ') }
  })

const registered: Row[] = JOURNEYS.flatMap(({ tier, checks }) =>
  checks.map(check => ({
    id: check.id,
    tier: `T${check.tier ?? tier}`,
    basis: check.observes ? 'observes' : (check.basis ?? 'specified'),
    clauses: check.clause.split(', '),
  })),
)

const sorted = (rows: readonly Row[]): Row[] =>
  rows.map(row => ({ ...row, clauses: [...row.clauses].sort() })).sort((one, other) => (one.id < other.id ? -1 : 1))

test('the suites are the catalogue, but for what contracts/CHECKS.md says was mended', () => {
  const mended = catalogue.map(row => {
    const more = moreClauses.get(row.id)
    const [tier, basis] = [tiersAre.get(row.id) ?? row.tier, basesAre.get(row.id) ?? row.basis]
    return { ...row, tier, basis, clauses: more ? [...row.clauses, more] : row.clauses }
  })
  expect(sorted(registered)).toEqual(sorted(mended))
})

test('and nothing is called mended that was not', () => {
  const before = new Map(catalogue.map(row => [row.id, row]))
  for (const [id, tier] of tiersWere) expect([id, before.get(id)?.tier]).toEqual([id, tier])
  for (const [id, basis] of basesWere) expect([id, before.get(id)?.basis]).toEqual([id, basis])
  for (const [id, clause] of moreClauses) expect(before.get(id)?.clauses).not.toContain(clause)
  for (const [id] of byId('Said better', 0)) expect(before.has(id)).toBe(true)
})

test('the catalogue holds 322 checks: 238 specified, 84 assumed, 15 of which only observe', () => {
  const count = (...bases: string[]) => catalogue.filter(({ basis }) => bases.includes(basis)).length
  expect([catalogue.length, count('specified'), count('assumed', 'observes'), count('observes')]).toEqual([
    322, 238, 84, 15,
  ])
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { registryOf } from '../../contracts/harness/registry.ts'
import { JOURNEYS } from '../../contracts/suites/all.ts'
import { expectCaughtAlone, LIMIT } from './expect-caught.ts'
import { killMatrix, killsOf, UNPROVEN } from './kill-matrix.ts'
import { receiving, type Saboteur } from './sabotage.ts'
import { SABOTEURS } from './saboteurs.ts'
import { faultsOf, tryOut } from './trial.ts'

const checks = [...registryOf(JOURNEYS).values()]

test('every check that condemns has a saboteur, but for those that say why not', () => {
  const without = checks.filter(check => !check.observes && killsOf(check).length === 0)
  expect(without.map(({ id }) => id).sort()).toEqual(Object.keys(UNPROVEN).sort())
  expect(without.filter(({ basis }) => basis !== 'assumed')).toEqual([])
})

test('saboteurs name checks that there are, and no two are the same', () => {
  const ids = new Set(checks.map(({ id }) => id))
  expect(SABOTEURS.flatMap(({ caughtBy }) => caughtBy).filter(id => !ids.has(id))).toEqual([])
  expect(new Set(SABOTEURS.map(({ does }) => does)).size).toBe(SABOTEURS.length)
})

test('the published table is that of the saboteurs', () => {
  expect(readFileSync(join(import.meta.dirname, '../../docs/kill-matrix.md'), 'utf8')).toBe(killMatrix())
})

const hourly = SABOTEURS.find(({ caughtBy }) => caughtBy.join() === 'TOK-02')
const idle: Saboteur = { does: 'breaks nothing', caughtBy: ['TOK-02'], sabotage: receiving(() => false) }

// biome-ignore format: a table reads by its columns
test.each<[string, Saboteur, string[]]>([
  ['caught by another check', { ...idle, ...hourly, caughtBy: ['TOK-03'] }, ['TOK-03 has not caught it', 'TOK-02 has caught it and should not']],
  ['never used',              idle,                                         ['TOK-02 has not caught it', 'what is broken was never used']],
])('a saboteur that is %s proves nothing', async (_what, saboteur, faults) => {
  expect(faultsOf(saboteur, await tryOut(saboteur, ['TOK-02', 'TOK-03']))).toEqual(faults)
})

/** A few saboteurs, drawn by lot: the same seed draws the same. */
const drawn = (seed: number, count: number): Saboteur[] => {
  const left = [...SABOTEURS]
  return Array.from({ length: count }, (_, round) => {
    const at = Math.floor((Math.abs(Math.sin(seed * 1000 + round)) * 1e6) % left.length)
    return left.splice(at, 1)[0] as Saboteur
  })
}

const seed = Number(process.env.MATRIX_SEED ?? Date.now() % 100_000)

test.each(drawn(seed, 2))(
  `MATRIX_SEED=${seed}: a simulator that $does is caught by nobody else in the full plan`,
  expectCaughtAlone,
  LIMIT,
)

import type { Check } from '../../../contracts/harness/judge/check.ts'
import { createCheckRegistry } from '../../../contracts/harness/run/check-registry.ts'
import { CHECK_SCENARIOS } from '../../../contracts/suites/index.ts'
import { GRID_MUTANTS } from './grid-mutants.ts'
import { MUTANTS } from './mutants-outside-grids.ts'

/** Reasons why checks have no mutant, by check id. Checks that only observe never fail and are not listed. */
export const CHECKS_WITHOUT_MUTANT: Readonly<Record<string, string>> = {
  'TOK-17':
    'assumed; a service that ends tokens when it hands out others ends those of the whole run, so that nothing is left to judge',
  'VER-07': 'assumed; the simulator’s stable version is 1.0, and there is no minor below it',
}

const EVERY_MUTANT = [...MUTANTS, ...GRID_MUTANTS]

/** Returns the descriptions of the mutants that a check catches. */
export const mutantsCaughtBy = ({ id }: Pick<Check, 'id'>): string[] =>
  EVERY_MUTANT.filter(({ caughtBy }) => caughtBy.includes(id)).map(({ does }) => does)

const rowOf = (check: Check): string => {
  const kills = mutantsCaughtBy(check)
  const none = check.observes ? '*only observes*' : `*none: ${CHECKS_WITHOUT_MUTANT[check.id]}*`
  const { id, clause, title, basis = 'specified' } = check
  return `| ${id} | ${clause} | ${title} | ${basis} | ${kills.length > 0 ? kills.join('; ') : none} |`
}

/** Returns the text of docs/kill-matrix.md: which check catches which mutants, and all mutants. */
export const killMatrix = (): string => {
  const checks = [...createCheckRegistry(CHECK_SCENARIOS).values()]
  const caught = checks.filter(check => mutantsCaughtBy(check).length > 0).length
  return [
    '<!-- Printed from the table of mutants by `npm run docs`: change that. -->',
    '',
    '# What the checks catch',
    '',
    'A mutant is the simulator with one deliberate defect. `npm run matrix` runs all checks against each mutant: the',
    'checks named here fail, no other does, and a counter shows that the mutated code ran. `npm test` runs mutants against',
    'the checks that must catch them and the other checks of the same scenarios, and two of them against all checks.',
    'A mutant of one cell of a grid is tried against the rows of the grids (GRD) alone, as the spots may catch it too; and a',
    'row of a grid may catch any other mutant.',
    '',
    `${EVERY_MUTANT.length} mutants, ${checks.length} checks, ${caught} of which catch at least one.`,
    '',
    '## By check',
    '',
    '| Check | Clause | What it checks | Basis | Catches a simulator that … |',
    '|---|---|---|---|---|',
    ...checks.map(rowOf),
    '',
    '## By mutant',
    '',
    '| A simulator that … | is caught by |',
    '|---|---|',
    ...EVERY_MUTANT.map(({ does, caughtBy }) => `| ${does} | ${[...caughtBy].sort().join(', ')} |`),
    '',
  ].join('\n')
}

import type { Check } from '../../contracts/harness/check.ts'
import { registryOf } from '../../contracts/harness/registry.ts'
import { JOURNEYS } from '../../contracts/suites/all.ts'
import { SABOTEURS } from './saboteurs.ts'

/** What no saboteur has to be caught by, each with the reason; a check that only observes condemns nobody. */
export const UNPROVEN: Readonly<Record<string, string>> = {
  'TOK-17':
    'assumed; a service that ends tokens when it hands out others ends those of the whole run, so that nothing is left to judge',
  'VER-07': 'assumed; the simulator’s stable version is 1.0, and there is no minor below it',
}

/** By check, what it has caught. */
export const killsOf = ({ id }: Pick<Check, 'id'>): string[] =>
  SABOTEURS.filter(({ caughtBy }) => caughtBy.includes(id)).map(({ does }) => does)

const rowOf = (check: Check): string => {
  const kills = killsOf(check)
  const none = check.observes ? '*only observes*' : `*none: ${UNPROVEN[check.id]}*`
  const { id, clause, title, basis = 'specified' } = check
  return `| ${id} | ${clause} | ${title} | ${basis} | ${kills.length > 0 ? kills.join('; ') : none} |`
}

/** The published proof of strength: which check catches what, and which saboteurs there are. */
export const killMatrix = (): string => {
  const checks = [...registryOf(JOURNEYS).values()]
  const caught = checks.filter(check => killsOf(check).length > 0).length
  return [
    '<!-- Printed by `npm run matrix`, which tries every row: change the saboteurs. -->',
    '',
    '# What the checks catch',
    '',
    'A saboteur is the good simulator with one thing broken. `npm run matrix` certifies each of them by the full plan: the',
    'checks named here fail, no other does, and a counter shows that what is broken was used. `npm test` tries each of',
    'them against the checks that must catch it and their neighbours, and a few, drawn by lot, against the full plan.',
    '',
    `${SABOTEURS.length} saboteurs, ${checks.length} checks, ${caught} of which have caught one.`,
    '',
    '## By check',
    '',
    '| Check | Clause | What it asks | Basis | A simulator that … |',
    '|---|---|---|---|---|',
    ...checks.map(rowOf),
    '',
    '## By saboteur',
    '',
    '| A simulator that … | is caught by |',
    '|---|---|',
    ...SABOTEURS.map(({ does, caughtBy }) => `| ${does} | ${[...caughtBy].sort().join(', ')} |`),
    '',
  ].join('\n')
}

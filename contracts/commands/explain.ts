import { readFileSync } from 'node:fs'
import type { Check, Journey } from '../harness/check.ts'
import { UsageError } from '../harness/registry.ts'
import { JOURNEYS } from '../suites/all.ts'
import type { World } from '../suites/world.ts'
import { REGISTRY } from './target.ts'
import { tell, type Word } from './word.ts'

/** Says what a check means and what it builds on. */
export const word: Word = {
  usage: 'explain ID',
  teaches: `
Says what a check asks, by which clause, whether the document says so or we assume it, what it needs to be told by the
profile, which decisions it leans on, and which check must pass before it means anything. Calls nobody.

  assay certify explain IDM-16`,
  takes: ['json'],
  operands: [1, 1],
  act: async (values, [name = '']) => {
    const told = explained(name.toUpperCase())
    tell(
      values,
      () => told,
      () => textOf(told),
    )
    return 0
  },
}

type Explained = ReturnType<typeof explained>

const explained = (id: string) => {
  const journey = JOURNEYS.find(({ checks }) => checks.some(check => check.id === id))
  const check = journey?.checks.find(each => each.id === id)
  if (!journey || !check) throw new UsageError(`There is no check "${id}": "assay certify list" names them all.`)
  const { clause, title, basis = 'specified', decisions = [], control, observes = false } = check
  return {
    id,
    title,
    clause,
    basis,
    observes,
    tier: check.tier ?? journey.tier,
    journey: journey.name,
    ...(control === undefined ? {} : { control: { id: control, title: REGISTRY.get(control)?.title ?? '' } }),
    needs: needsOf(journey, check),
    decisions: decisions.map(decision => ({ id: decision, title: titleOf(decision) })),
    builtUpon: [...REGISTRY.values()].filter(other => other.control === id).map(other => other.id),
  }
}

const needsOf = (journey: Journey<World>, check: Check): string[] => [
  ...new Set([...(journey.needs ?? []), ...(check.needs ?? [])]),
]

// biome-ignore format: a table reads by its columns
const TIERS = ['looks at TLS only', 'reads', 'sends writes that must be refused', 'writes in a sandbox',
               "uses the provider's own sandbox", 'disturbs: it brings the service to its limits'] as const

const textOf = ({
  id,
  title,
  clause,
  basis,
  observes,
  tier,
  journey,
  control,
  needs,
  decisions,
  builtUpon,
}: Explained) => {
  const meaning =
    basis === 'specified'
      ? 'the document says so: where it does not hold, the check fails'
      : observes
        ? 'the document leaves it open: the check tells what it sees and never fails'
        : 'we assume it: where it does not hold, the check "differs" until the profile confirms the decision'
  const rows: [string, string][] = [
    ['clause', clause],
    ['basis', `${basis}; ${meaning}`],
    ['tier', `${tier}, ${TIERS[tier]}`],
    ['journey', journey],
    ...(control
      ? [
          ['control', `${control.id} ${control.title}; where it does not pass, this check is blocked`] as [
            string,
            string,
          ],
        ]
      : []),
    ...needs.map((need): [string, string] => ['needs', `the line ${need} of the profile; untestable without it`]),
    ...decisions.map((decision): [string, string] => ['leans on', `${decision.id} ${decision.title}`]),
    ...(builtUpon.length > 0 ? [['upon it', builtUpon.join(', ')] as [string, string]] : []),
  ]
  return `${id}  ${title}\n\n${rows.map(([name, value]) => `${name.padEnd(10)}${value}\n`).join('')}`
}

/** The title of a decision as contracts/DECISIONS.md lists it. */
const titleOf = (decision: string): string => {
  const text = readFileSync(new URL('../DECISIONS.md', import.meta.url), 'utf8')
  return new RegExp(`^\\| \\[${decision}\\]\\([^)]*\\) \\| ([^|]*) \\|`, 'm').exec(text)?.[1]?.trim() ?? ''
}

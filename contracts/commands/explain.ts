import type { Check, CheckScenario } from '../harness/judge/check.ts'
import { describeAbility, isAbility } from '../harness/profile/abilities-from-profile-lines.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import { CHECK_REGISTRY } from './chosen-profile-and-checks.ts'
import { decisionText, explainDecision, titleOfDecision } from './explain-decision.ts'
import { explanationText } from './explanation-text.ts'
import { type OptionValues, printResult, type Subcommand } from './subcommand.ts'

/** Subcommand `assay certify explain`: prints what a check asks, by which clause, and what it depends on. */
export const subcommand: Subcommand = {
  usage: 'explain ID',
  description: `
Explains what a check requires and by which clause, whether the document specifies it or we assume it, which lines of the
profile it needs, which decisions it depends on, and which check must pass first. Of a decision: its question, what is
assumed, what else was possible, and which checks lean on it. Makes no call.

  assay certify explain IDM-16
  assay certify explain D-41`,
  options: ['json'],
  operands: [1, 1],
  execute: async (values, [name = '']) => {
    const id = name.toUpperCase()
    if (/^D-\d+$/.test(id)) printExplanation(values, explainDecision(id), decisionText)
    else printExplanation(values, explained(id), textOf)
    return 0
  },
}

const printExplanation = <T>(values: OptionValues, explanation: T, text: (explanation: T) => string): void =>
  printResult(
    values,
    () => explanation,
    () => text(explanation),
  )

type Explained = ReturnType<typeof explained>

const explained = (id: string) => {
  const journey = CHECK_SCENARIOS.find(({ checks }) => checks.some(check => check.id === id))
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
    ...(control === undefined ? {} : { control: { id: control, title: CHECK_REGISTRY.get(control)?.title ?? '' } }),
    needs: needsOf(journey, check),
    decisions: decisions.map(decision => ({ id: decision, title: titleOfDecision(decision) })),
    builtUpon: [...CHECK_REGISTRY.values()].filter(other => other.control === id).map(other => other.id),
  }
}

const needsOf = (journey: CheckScenario<CheckContext>, check: Check): string[] => [
  ...new Set([...(journey.needs ?? []), ...(check.needs ?? [])]),
]

const sourceOf = (need: string): string => {
  if (!isAbility(need)) return `the line ${need}`
  const { what, lines } = describeAbility(need)
  return `${what}, by ${lines.join(' or ')}`
}

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
      ? 'the document specifies it: the check fails if it is violated'
      : observes
        ? 'the document leaves it open: the check reports what it sees and never fails'
        : 'we assume it: where only what we assume does not hold, the check "differs" until the profile confirms it'
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
    ...needs.map((need): [string, string] => ['needs', `${sourceOf(need)} of the profile; untestable without it`]),
    ...decisions.map((decision): [string, string] => ['leans on', `${decision.id} ${decision.title}`]),
    ...(builtUpon.length > 0 ? [['upon it', builtUpon.join(', ')] as [string, string]] : []),
  ]
  return explanationText(`${id}  ${title}`, rows)
}

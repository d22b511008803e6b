import { UsageError } from '../harness/run/command-errors.ts'
import { type Decision, nearestDecision, readDecisions } from '../read-decisions-table.ts'
import { CHECK_REGISTRY } from './chosen-profile-and-checks.ts'
import { explanationText } from './explanation-text.ts'

type ExplainedDecision = Decision & { checks: readonly { id: string; title: string }[] }

/**
 * Returns a decision of DECISIONS.md with the checks that lean on it; throws UsageError with the nearest number if
 * there is none.
 */
export const explainDecision = (number: string): ExplainedDecision => {
  const decision = find(number)
  if (!decision) throw new UsageError(`There is no decision "${number}": the nearest is ${nearestDecision(number)}.`)
  const checks = [...CHECK_REGISTRY.values()].filter(({ decisions = [] }) => decisions.includes(number))
  return { ...decision, checks: checks.map(({ id, title }) => ({ id, title })) }
}

/** Formats an explained decision for a terminal, a row for each alternative and each check. */
export const decisionText = ({ number, title, clauses, basis, alternatives, checks, ...texts }: ExplainedDecision) =>
  explanationText(`${number}  ${title}`, [
    ['clause', clauses.join(', ')],
    ['basis', `${basis}; a profile confirms it by the line confirmed: [${number}]`],
    ['question', texts.question],
    ['choice', texts.table ? `${texts.choice}\n${columnsOf(texts.table)}` : texts.choice],
    ['why', texts.why],
    ...alternatives.map(alternative => ['otherwise', alternative] as const),
    ...linesOf(number, texts.switch).map(line => ['profile', line] as const),
    ...checks.map(check => ['check', `${check.id} ${check.title}`] as const),
  ])

/** The lines by which a profile chooses otherwise, each with what it means. */
const linesOf = (number: string, choice: Decision['switch']): string[] => {
  if (!choice) return []
  if ('line' in choice) return [choice.line]
  return Object.entries(choice.others).map(([value, meaning]) => `decisions: { ${number}: "${value}" }  ${meaning}`)
}

/** Returns the title of a decision by its number; empty if there is none. */
export const titleOfDecision = (number: string): string => find(number)?.title ?? ''

const find = (number: string): Decision | undefined => readDecisions().find(decision => decision.number === number)

/** Formats a table as lines with aligned columns. */
const columnsOf = ({ columns, rows }: NonNullable<Decision['table']>): string => {
  const lines = [columns, ...rows]
  const widths = columns.map((_, column) => Math.max(...lines.map(cells => cells[column]?.length ?? 0)))
  return lines
    .map(cells =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

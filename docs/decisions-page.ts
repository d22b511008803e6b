import { type Decision, readDecisions } from '../contracts/read-decisions-table.ts'
import { code } from './markdown.ts'

/** Returns the text of contracts/DECISIONS.md: what the project assumes where the interface document is silent. */
export const decisionsPage =
  (): string => `<!-- Printed from contracts/decisions.yaml by \`npm run docs\`: change that. -->

# Decisions

The interface document leaves questions open. This page lists what the project assumes beyond its text, one number each.
A number keeps its meaning permanently; new ones are added at the end. *assumed* means: our choice until the operator of a
deployment confirms it. A check that depends on an unconfirmed decision yields *differs*, not *fail*, where only
that decision is violated. What the document itself states fails all the same: that a call for another organization's data, above a sum, or
without one of the three layers is refused.
Clauses are those of the document: sections, and its rules R, E and I.

${compactTable(
  ['', 'Decision', 'Clause'],
  readDecisions().map(({ number, title, clauses }) => [
    `[${number}](#${number.toLowerCase()})`,
    title,
    clauses.join(', '),
  ]),
)}

${readDecisions().map(section).join('\n')}`

const section = ({
  number,
  title,
  clauses,
  basis,
  question,
  choice,
  why,
  alternatives,
  table,
  switch: choices,
}: Decision): string => `## ${number}

**${title}** · ${clauses.join(', ')} · *${basis}*

${item('Question', question)}
${item('Choice', choice)}
${item('Why', why)}
${item('Otherwise', `${capitalized(alternatives.join('; '))}.`)}${choices ? `\n${item('Switch', switchText(number, choices))}` : ''}
${table ? `\n${compactTable(table.columns, table.rows)}\n` : ''}`

/** Returns the lines of a profile that choose otherwise. */
const switchText = (number: string, choices: NonNullable<Decision['switch']>): string => {
  if ('line' in choices) return `${choices.line.split(', ').map(code).join(' and ')} of a profile.`
  const others = Object.entries(choices.others).map(([value, meaning]) => `\`${value}\` (${meaning})`)
  return `\`decisions: {${number}: …}\` in a profile: \`${choices.usual}\` as above, or ${others.join(', ')}.`
}

const item = (name: string, text: string): string => `- **${name}** ${text.replaceAll('\n', '\n  ')}`

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Formats a Markdown table with many empty cells, which take one space. */
function compactTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `|${cells.map(cell => `${cell && ` ${cell}`} |`).join('')}`
  return [row(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(row)].join('\n')
}

import { DEADLINES } from '../simulator/payments/deadlines.ts'
import { STATES, TRANSITIONS } from '../simulator/payments/lifecycle.ts'
import { code, table } from './table.ts'

/** docs/lifecycle.md: every state and every move of a payment (3). */
export const lifecyclePage = (): string => `# The life of a payment

Every answer shows one of five status words; status and events also tell the state behind it.

\`\`\`mermaid
stateDiagram-v2
${edges().join('\n')}
\`\`\`

## States

${table(
  ['State', 'Status', 'Stage', 'Final'],
  Object.entries(STATES).map(([state, { status, stage, final }]) => [
    code(state),
    code(status),
    stage,
    final ? 'yes' : '',
  ]),
)}

## Moves

What is not in this table is refused with 422 and \`5002\`.

${table(
  ['From', 'By', 'Outcome', 'To', 'Event'],
  TRANSITIONS.map(([from, cause, outcome, to, event]) => [
    from === 'NEW' ? 'nothing' : code(from),
    cause,
    outcome,
    code(to),
    code(event),
  ]),
)}

## By the clock alone

${table(
  ['Deadline', 'Move', 'Runs while', 'Clause'],
  Object.entries(DEADLINES).map(([name, { cause, whileIn, clause }]) => [
    name,
    cause,
    whileIn.map(code).join(', '),
    clause,
  ]),
)}
`

/** One edge for each pair of states, with all the moves that lead along it; ends at what is final. */
const edges = (): string[] => {
  const moves = Map.groupBy(TRANSITIONS, ([from, , , to]) => `${from === 'NEW' ? '[*]' : from} --> ${to}`)
  const ends = Object.entries(STATES).filter(([, { final }]) => final)
  return [
    ...[...moves].map(
      ([edge, rows]) => `  ${edge}: ${rows.map(([, cause, outcome]) => `${cause} ${outcome}`).join(', ')}`,
    ),
    ...ends.map(([state]) => `  ${state} --> [*]`),
  ]
}

import { DEADLINES } from '../simulator/payments/deadline-kinds.ts'
import { STATES, TRANSITIONS } from '../simulator/payments/lifecycle.ts'
import { code, table } from './markdown.ts'

/** Returns the text of docs/lifecycle.md: states, transitions and deadlines of a payment (3). */
export const lifecyclePage = (): string => `# Lifecycle of a payment

Every response has one of five status words; status and events also show the underlying state.

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

## Transitions

All other transitions are refused with 422/5002.

${table(
  ['From', 'Cause', 'Outcome', 'To', 'Event'],
  TRANSITIONS.map(([from, cause, outcome, to, event]) => [
    from === 'NEW' ? 'none' : code(from),
    cause,
    outcome,
    code(to),
    code(event),
  ]),
)}

## Deadlines

These transitions follow the organization's clock alone.

${table(
  ['Deadline', 'Cause', 'Runs in', 'Clause'],
  Object.entries(DEADLINES).map(([name, { cause, whileIn, clause }]) => [
    name,
    cause,
    whileIn.map(code).join(', '),
    clause,
  ]),
)}
`

/** Returns the Mermaid edges: one per pair of states with its transitions, and one from each final state. */
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

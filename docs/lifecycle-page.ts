import { TRANSITIONS as STEPS, type Stage } from '../contracts/model/lifecycle.ts'
import { DEADLINES } from '../simulator/payments/deadline-kinds.ts'
import { STATES, type State, TRANSITIONS } from '../simulator/payments/lifecycle.ts'
import { code, table } from './markdown.ts'

/** The state by which the simulator shows each stage of the model; its disputes have none. */
export const STATE_OF_STAGE: Readonly<Record<Stage, State>> = {
  waiting: 'AWAITING_SHOPPER',
  authenticated: 'AUTHENTICATED',
  authorized: 'AUTHORIZED',
  'partly captured': 'PARTIALLY_CAPTURED',
  captured: 'CAPTURED',
  settled: 'SETTLED',
  'partly refunded': 'PARTIALLY_REFUNDED',
  refunded: 'REFUNDED',
  tokenized: 'TOKENIZED',
  declined: 'DECLINED',
  canceled: 'CANCELED',
  expired: 'EXPIRED',
}

/** Returns the text of docs/lifecycle.md: what the model permits, and the states, transitions and deadlines of the simulator (3). */
export const lifecyclePage = (): string => `# Lifecycle of a payment

Every response has one of five status words; status and events also show the underlying state.
The diagram is drawn from the [model of the contract](../contracts/model/lifecycle.ts), by which \`certify explore\`
judges a deployment; disputes are of the simulator alone.

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

## What the contract permits

${table(
  ['From', 'Cause', 'Outcome', 'To', 'Clause'],
  STEPS.map(([from, cause, outcome, to, clause]) => [
    from === 'none' ? from : code(STATE_OF_STAGE[from]),
    cause,
    outcome,
    code(STATE_OF_STAGE[to]),
    clause,
  ]),
)}

## Transitions of the simulator

Each is told by its event; a call can make two. All other transitions are refused with 422/5002.

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

/** Returns the Mermaid edges: one per pair of states with its steps, and one from each final state. */
const edges = (): string[] => {
  const steps = [
    ...STEPS.map(([from, cause, outcome, to]) => [
      from === 'none' ? '[*]' : STATE_OF_STAGE[from],
      STATE_OF_STAGE[to],
      `${cause} ${outcome}`,
    ]),
    ...TRANSITIONS.filter(([, cause]) => cause === 'dispute').map(([from, cause, outcome, to]) => [
      from,
      to,
      `${cause} ${outcome}`,
    ]),
  ]
  const ends = Object.entries(STATES).filter(([, { final }]) => final)
  return [
    ...[...Map.groupBy(steps, ([from, to]) => `${from} --> ${to}`)].map(
      ([edge, rows]) => `  ${edge}: ${rows.map(([, , label]) => label).join(', ')}`,
    ),
    ...ends.map(([state]) => `  ${state} --> [*]`),
  ]
}

import { PROVIDER_OPERATIONS } from '../contracts/operations.ts'
import { REFUSALS } from '../contracts/protocol/reason-codes.ts'
import { FAULT_MATCH_MEMBERS, FAULTS, type FaultRow } from '../simulator/providers/fault-kinds.ts'
import { MAX_FAULT_TIMES, permittedAfter } from '../simulator/providers/read-fault-input.ts'
import { SECOND } from '../simulator/support/duration.ts'
import { code, table } from './markdown.ts'

const LATE = { operation: 'refund', kind: 'timeout', done: 'late', after: 'PT30S' }
const BROKEN = { operation: 'capture', kind: 'reset', done: 'yes', match: { clientTransactionId: 'order-1001' } }
const STEP = { steps: { capture: { fault: { kind: 'slow', after: 'PT5S' } } } }

const list = (words: readonly string[]) => words.map(code).join(', ')

/** Describes the response that the merchant gets when a fault is triggered. */
const seen = ({ wire, told, action }: FaultRow): string => {
  if (wire) return SEEN[wire]
  return told ? `${REFUSALS[told].http} / ${REFUSALS[told].reasonCode}` : `200, ${code(action.toUpperCase())}`
}

const SEEN: Readonly<Record<NonNullable<FaultRow['wire']>, string>> = {
  reset: 'no response: the connection is reset',
  slow: 'the response, late',
  dribble: 'the response, in small pieces',
  truncated: 'half of the response',
  missigned: 'the response with a wrong signature',
  tampered: 'the response with another id in it',
}

/** Returns the text of docs/faults.md: the faults that can be injected (7.1, 7.4, 7.5). */
export const faultsPage = (): string => `# Faults

These faults between a merchant and a provider can be injected, for each of
${list(PROVIDER_OPERATIONS)}. A call that violates the contract is refused before, so the
fault stays armed for the next call; a replay under its key triggers none.

${table(
  ['kind', 'done', 'also', 'The merchant gets', 'What happens'],
  FAULTS.map(row => [
    code(row.kind),
    row.done ? code(row.done) : '',
    row.wants ? code(row.wants) : '',
    seen(row),
    row.meaning,
  ]),
)}

\`code\` is one of a [provider's](errors.md#codes-of-the-providers), and only calls of that provider trigger the decline. \`after\` is:

${table(
  ['kind', 'after', 'default'],
  FAULTS.filter(({ wants }) => wants === 'after').map(row => {
    const { want, unlessGiven } = permittedAfter(row)
    return [code(row.kind), want, unlessGiven === undefined ? 'refused' : code(`PT${unlessGiven / SECOND}S`)]
  }),
)}

## For the next calls, over control

\`\`\`sh
curl -X POST http://localhost:8080/control/organizations/demo-merchant/faults \\
  --json '${JSON.stringify(LATE)}'
\`\`\`

\`times\` is the number of calls that trigger the fault: 1 by default, ${MAX_FAULT_TIMES} at most. \`match\` selects them:

\`\`\`sh
curl -X POST http://localhost:8080/control/organizations/demo-merchant/faults \\
  --json '${JSON.stringify(BROKEN)}'
\`\`\`

It may have any of ${list(FAULT_MATCH_MEMBERS)}. A call must match all
of them; for a call on a payment, the values of the payment count. Other calls leave the fault armed. Of several matching
faults, the one armed first is triggered. \`GET\` lists the armed faults, \`DELETE\` disarms them.

## For a step of a mock

A step of \`/mock/set\` accepts the same object as \`fault\`, except \`decline\`, for which it has a \`status\`, and at initiate a \`providerCode\` (7.5); the first \`times\` calls
under each key trigger it:

\`\`\`json
${JSON.stringify(STEP)}
\`\`\`

## Afterwards

The journal shows for every call which fault it triggered: \`refused.fault\` if the response is an error, \`injectedFault\` if the
fault changed the response on its way. To learn the outcome, send the same request with the same \`Idempotency-Key\`
again.
`

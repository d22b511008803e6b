import { REFUSALS } from '../contracts/protocol/reason-codes.ts'
import { SECOND } from '../simulator/duration.ts'
import { MOST_TIMES, waitFor } from '../simulator/providers/fault-wish.ts'
import { CALL_MEMBERS, FAULTS, type FaultRow, PROVIDER_CALLS } from '../simulator/providers/faults.ts'
import { code, table } from './table.ts'

const LATE = { operation: 'refund', kind: 'timeout', done: 'late', after: 'PT30S' }
const BROKEN = { operation: 'capture', kind: 'reset', done: 'yes', match: { clientTransactionId: 'order-1001' } }
const STEP = { steps: { capture: { fault: { kind: 'slow', after: 'PT5S' } } } }

const list = (words: readonly string[]) => words.map(code).join(', ')

/** What the merchant sees of it. */
const seen = ({ wire, told, action }: FaultRow): string => {
  if (wire) return SEEN[wire]
  return told ? `${REFUSALS[told].http} / ${REFUSALS[told].reasonCode}` : `200, ${code(action.toUpperCase())}`
}

const SEEN: Readonly<Record<NonNullable<FaultRow['wire']>, string>> = {
  reset: 'no answer: the connection is reset',
  slow: 'the answer, late',
  dribble: 'the answer, piece by piece',
  truncated: 'half of the answer',
  missigned: 'the answer, signed wrongly',
  tampered: 'the answer with another id in it',
}

/** docs/faults.md: how calls are made to go wrong (7.1, 7.4, 7.5). */
export const faultsPage = (): string => `# Faults

Everything that can go wrong between a merchant and a provider can be had on request, for each of
${list(PROVIDER_CALLS)}. A call that breaks a rule of the contract never gets that far, so the
fault waits for the next one; a replay under its key meets none.

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

\`code\` is one of a [provider's](errors.md#codes-of-the-providers). \`after\` is:

${table(
  ['kind', 'after', 'where it is left out'],
  FAULTS.filter(({ wants }) => wants === 'after').map(row => {
    const { want, unlessGiven } = waitFor(row)
    return [code(row.kind), want, unlessGiven === undefined ? 'refused' : code(`PT${unlessGiven / SECOND}S`)]
  }),
)}

## For the next calls, over control

\`\`\`sh
curl -X POST http://localhost:8080/control/organizations/demo-merchant/faults \\
  --json '${JSON.stringify(LATE)}'
\`\`\`

\`times\` says how many calls are to meet the fault: one unless it is given, ${MOST_TIMES} at most. \`match\` narrows which:

\`\`\`sh
curl -X POST http://localhost:8080/control/organizations/demo-merchant/faults \\
  --json '${JSON.stringify(BROKEN)}'
\`\`\`

It may have any of ${list(CALL_MEMBERS)}. A call must fit them
all; where it works on a payment, the payment's own count. Others pass by and leave the fault waiting. Of several that
fit, the one armed first is met. \`GET\` lists what still waits, \`DELETE\` disarms it.

## For a step of a mock

A step of \`/mock/set\` takes the same as \`fault\`, without \`decline\`, for which it has a \`status\`; the first \`times\` calls
under each key meet it:

\`\`\`json
${JSON.stringify(STEP)}
\`\`\`

## Afterwards

The journal tells for every call which fault it met: \`refused.fault\` where it was told an error, \`spoiled\` where its
answer was spoiled on the way. What was done is found under the key: send the same request with the same
\`Idempotency-Key\` again.
`

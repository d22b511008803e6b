import { isServed } from '../../client/http-exchange.ts'
import type { CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { ACTS, type OperationName, operationAddress, PROVIDER_OPERATIONS } from '../../operations.ts'
import { gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { isUnsupported } from '../evidence/unsupported-operation.ts'
import { unknownId } from '../given/create-payments.ts'
import { BODIES_OF_ACTS, withMember } from '../given/request-bodies.ts'
import { GRID_CONTROL, lackedOperation } from './cell-judgments.ts'
import { hasBody } from './signed-operation-columns.ts'

const UNREADABLE = 'GRD-89'
const NAMELESS = 'VAL-57'

/** Texts that are no JSON object; a read may take an empty list for no condition. */
const textsOf = (column: OperationName): readonly string[] =>
  column === 'search' || column === 'providers' ? [CUT_OFF] : [CUT_OFF, '[]']
const CUT_OFF = '{"processingAccountId":'
const COLUMNS = [...PROVIDER_OPERATIONS.filter(name => name !== 'initiate'), 'search', 'providers', 'mockSet'] as const

/** Scenario with the grid rows of operation × body: one that cannot be read, and one that names no payment (7.1). */
export const bodiesOfActsGrid: CheckScenario<CheckContext> = {
  name: 'bodies that cannot be read, and acts on no payment',
  tier: 2,
  play: async (context, keep, chosen) => {
    const { merchant, profile, account } = context
    for (const column of chosen.has(UNREADABLE) ? COLUMNS : []) {
      if (lackedOperation(profile, column) !== undefined) continue
      for (const text of textsOf(column))
        await keep(`${column} ${text}`, merchant.request(column, { bytes: Buffer.from(text) })).catch(() => undefined)
    }
    for (const act of chosen.has(NAMELESS) ? ACTS : []) {
      if (lackedOperation(profile, act) !== undefined || namesInPath(context, act)) continue
      const json = withMember(BODIES_OF_ACTS[act](account, unknownId(profile)), 'transactionId', undefined)
      await keep(`${NAMELESS} ${act}`, merchant.request(act, { json })).catch(() => undefined)
    }
  },
  checks: [
    gridRowCheck({
      ...GRID_CONTROL,
      id: UNREADABLE,
      clause: '7.1',
      title: 'a body that cannot be read: 400',
      exemptCell: (profile, column) =>
        lackedOperation(profile, column) ??
        (hasBody({ profile }, column as OperationName) ? undefined : 'it has no body here'),
      cells: COLUMNS.map(column => ({
        column,
        clause: '7.1',
        judge: (evidence, expect) => {
          // Its body is not shown, and may be none at all (2.9).
          for (const unread of supported(evidence, expect, column, textsOf(column)))
            if (column !== 'providers' || !isServed(unread)) expect.refused(unread, { status: 400 })
        },
      })),
    }),
    gridRowCheck({
      ...GRID_CONTROL,
      id: NAMELESS,
      clause: '4, 7.1',
      title: 'an act that names no payment: 400 or 404',
      otherColumns: 'it works on no payment that its body names',
      exemptCell: (profile, column) =>
        lackedOperation(profile, column) ??
        (namesInPath({ profile }, column as OperationName) ? 'its path names the payment' : undefined),
      cells: ACTS.map(column => ({
        column,
        clause: '4, 7.1',
        judge: (evidence, expect) => {
          for (const nameless of supported(evidence, expect, NAMELESS, [column]))
            expect.refused(nameless, { status: [400, 404] })
        },
      })),
    }),
  ],
}

/** The responses to calls of which each was not refused as one that the scheme lacks; throws EmptyCell where there is none (1, 7.1). */
const supported = (evidence: Evidence<string>, { profile }: Expect, name: string, calls: readonly string[]) => {
  const made = calls.map(call => evidence.of(`${name} ${call}`)).filter(exchange => !isUnsupported(profile, exchange))
  if (made.length === 0) throw new EmptyCell('the scheme lacks this operation (1, 7.1)')
  return made
}

const namesInPath = ({ profile }: Pick<CheckContext, 'profile'>, act: OperationName): boolean =>
  operationAddress(act, profile.paths).path.includes('{transactionId}')

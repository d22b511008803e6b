import type { CallParts } from '../../client/endpoint-call.ts'
import { accessTokenIn, type Exchange, isServed, responseJson } from '../../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import { REPORTS_SCOPE, type Scope } from '../../operations.ts'
import { gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { scopesIn } from '../evidence/granted-scopes.ts'
import { anyPayment } from '../given/create-payments.ts'
import { cancelBody, captureBody, refundBody, uniqueReference } from '../given/request-bodies.ts'
import { expectRefusedUnlike, GRID_CONTROL, lackedOperation } from './cell-judgments.ts'

const TOKEN = 'token for reports'

/** Operations that read; `isStated`: whether what 5.3 says of payments:read speaks of them, which D-56 else decides. */
// biome-ignore format: a table reads by its columns
const READS = [
  { column: 'status',    isStated: true },
  { column: 'events',    isStated: true },
  { column: 'search',    isStated: true },
  { column: 'providers', isStated: false },
] as const

/** Operations that move money, for which 5.3 names payments:process. */
const WRITES = ['initiate', 'capture', 'cancel', 'refund'] as const

/** Throws EmptyCell where a token for reports has more scopes than these, as it says (2.8, D-55). */
const ensureReportsAlone = (evidence: Evidence<string>, expect: Expect, besides: readonly Scope[] = []): void => {
  const issued = evidence.of(TOKEN)
  expect.response(issued)
  if (!isServed(issued)) throw new Blocked('no token for reports was issued', issued)
  const { scope } = (responseJson(issued) ?? {}) as { scope?: unknown }
  if (typeof scope !== 'string') throw new Blocked('the token does not tell its scope', issued)
  const granted = scopesIn(issued).filter(name => !besides.some(known => known === name))
  if (granted.join() !== REPORTS_SCOPE) throw new EmptyCell(`a token for reports has the scope ${scope}`)
}

const tokenIn = (issued: Exchange): string => {
  const token = accessTokenIn(issued)
  if (isServed(issued) && token !== undefined) return token
  throw new Blocked('no token for reports was issued', issued)
}

/** Calls that a token for reports must not make, refused before anybody looks at their payment. */
const forbiddenWrites = async (context: CheckContext): Promise<Record<(typeof WRITES)[number], CallParts>> => {
  const { account, profile } = context
  const transactionId = await context.given.payment()
  return {
    initiate: { json: await anyPayment(profile, context) },
    capture: { json: captureBody(account, transactionId) },
    cancel: { json: cancelBody(account, transactionId) },
    refund: { json: refundBody(account, transactionId) },
  }
}

/** Scenario with the grid rows of operation × a token for reports alone: those that read, those that move money (5.3). */
export const reportScopeGrid: CheckScenario<CheckContext> = {
  name: 'payments with a token for reports',
  tier: 3,
  play: async (context, keep) => {
    const { merchant } = context
    const token = tokenIn(await keep(TOKEN, merchant.request('token', { form: merchant.tokenForm(REPORTS_SCOPE) })))
    const path = { transactionId: await context.given.payment() }
    const calls: Record<(typeof READS)[number]['column'], CallParts> = {
      status: { path },
      events: { path },
      search: { json: { clientTransactionId: uniqueReference() } },
      providers: { json: { country: 'PL' } },
    }
    for (const { column } of READS) {
      await keep(`${column} for reports`, merchant.request(column, calls[column], { token }))
      await keep(column, merchant.request(column, calls[column]))
    }
    const writes = await forbiddenWrites(context)
    for (const column of WRITES.filter(name => lackedOperation(context.profile, name) === undefined))
      await keep(`${column} for reports`, merchant.request(column, writes[column], { token }))
  },
  checks: [
    gridRowCheck({
      ...GRID_CONTROL,
      ...assumed('D-56'),
      id: 'GRD-40',
      clause: '5.3, 7.3',
      title: 'no payment is read with a token for reports alone',
      otherColumns: 'SCP-13 judges calls that move money',
      exemptCell: lackedOperation,
      cells: READS.map(({ column, isStated }) => ({
        column,
        clause: '5.3',
        judge: (evidence, expect) => {
          ensureReportsAlone(evidence, expect)
          const judge = () =>
            expectRefusedUnlike(evidence.of(`${column} for reports`), () => evidence.of(column), expect, {
              status: 403,
            })
          return isStated ? expect.specified(judge) : judge()
        },
      })),
    }),
    gridRowCheck({
      id: 'SCP-13',
      clause: '5.3, 7.3',
      title: 'no money moves with a token for reports',
      otherColumns: 'GRD-40 judges reads',
      control: 'SCP-01',
      exemptCell: lackedOperation,
      cells: WRITES.map(column => ({
        column,
        clause: '5.3',
        judge: (evidence, expect) => {
          ensureReportsAlone(evidence, expect, ['payments:read'])
          const nothingMade = column === 'initiate' ? { without: 'initiate.transactionId' } : {}
          expect.refused(evidence.of(`${column} for reports`), { status: 403, ...nothingMade })
        },
      })),
    }),
  ],
}

import type { Exchange } from '../../client/http-exchange.ts'
import type { CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { hasCapability } from '../../harness/profile/capabilities-that-checks-need.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import { gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { expectPremise, expectPremiseState } from '../evidence/expect-premise.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import { createApprovedPayment } from '../given/create-payments.ts'
import { readStatusUntil, showsCategory } from '../given/read-until.ts'
import { chargeBody } from '../given/request-bodies.ts'
import { GRID_CONTROL, lackedOperation } from './cell-judgments.ts'
import { mandatePayer } from './signed-operation-columns.ts'

const AUTHORIZERS = ['finalize', 'charge'] as const
type Authorizer = (typeof AUTHORIZERS)[number]
const other = (column: Authorizer): Authorizer => (column === 'finalize' ? 'charge' : 'finalize')

const CAPTURED = ['captured', 'settled']

const stepOf = (column: Authorizer, autoCapture: boolean): string => `${column} with ${autoCapture}`
const statusOf = (column: Authorizer, autoCapture: boolean): string => `status after ${stepOf(column, autoCapture)}`

/** Whether a payment is captured after its authorization; undefined where no status tells. */
const isCaptured = (evidence: Evidence<string>, expect: Expect, column: Authorizer, autoCapture: boolean) => {
  expectPremise(evidence.of(stepOf(column, autoCapture)), stepOf(column, autoCapture), expect)
  const status = evidence.of(statusOf(column, autoCapture))
  expectPremiseState(status, expect, ...CAPTURED, 'authorized')
  const { profile } = expect
  return showsCategory(profile, status, ...CAPTURED, 'authorized') && showsCategory(profile, status, ...CAPTURED)
}

/**
 * Expects each value of autoCapture to do what it says. Its place in the payload is not shown (2.1): that it is heard at
 * all is seen on the other operation, where the values must have come to different ends.
 */
const judgeBoth = (evidence: Evidence<string>, expect: Expect, column: Authorizer): void => {
  const ends = (of: Authorizer) => [true, false].map(value => isCaptured(evidence, expect, of, value))
  const [whenTrue, whenFalse] = ends(column)
  if (whenTrue === undefined || whenFalse === undefined)
    throw new EmptyCell('no state tells captured payments from authorized ones here')
  if (whenTrue && !whenFalse) return
  const [otherTrue, otherFalse] = ends(other(column))
  if (!(otherTrue && otherFalse === false)) throw new EmptyCell('autoCapture is not heard at this place of the payload')
  const status = evidence.of(statusOf(column, !whenTrue))
  if (!whenTrue) expect.maybeLater('a payment that is only authorized', status)
  expect.holds(
    false,
    whenTrue ? 'an authorization with autoCapture false' : 'a capture with autoCapture true',
    `HTTP ${status.response?.status} and a payment that is ${whenTrue ? 'captured' : 'only authorized'}`,
    status,
  )
}

/** Scenario with checks of both values of autoCapture on finalize and charge (2.1, 3). */
export const automaticCaptureGrid: CheckScenario<CheckContext> = {
  name: 'both values of autoCapture on both operations that authorize',
  tier: 3,
  play: async (context, keep) => {
    const { profile, account, merchant } = context
    if (!hasCapability(profile, 'manualCapture') || lackedOperation(profile, 'charge') !== undefined) return
    const show = async (column: Authorizer, value: boolean, transactionId: unknown) => {
      const stages = [...(value ? [] : ['authorized']), ...CAPTURED]
      const status = readStatusUntil(profile, context, String(transactionId), stages)
      await keep(statusOf(column, value), status)
    }
    const payer = await mandatePayer(context)
    for (const value of [true, false]) {
      const transactionId = await createApprovedPayment(profile, context, value)
      await keep(stepOf('finalize', value), operationsOn(context, transactionId).finalize())
      await show('finalize', value, transactionId)
      const json = chargeBody(account, payer, value)
      const charged: Exchange = await keep(stepOf('charge', value), merchant.request('charge', { json }))
      await show('charge', value, findField(profile, charged, 'charge.transactionId'))
    }
  },
  checks: [
    gridRowCheck({
      ...GRID_CONTROL,
      id: 'GRD-47',
      clause: '2.1, 3',
      title: 'whoever hears autoCapture on one of finalize and charge does as it says on both',
      needs: ['fields.status.state', 'states', 'fields.charge.transactionId'],
      exemptCell: (profile, column) =>
        lackedOperation(profile, 'capture') ?? lackedOperation(profile, 'charge') ?? lackedOperation(profile, column),
      cells: AUTHORIZERS.map(column => ({
        column,
        clause: '2.1, 3',
        judge: (evidence, expect) => judgeBoth(evidence, expect, column),
      })),
    }),
  ],
}

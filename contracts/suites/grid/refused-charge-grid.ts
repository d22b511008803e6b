import { type Exchange, isServed } from '../../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import type { Evidence, KeepStep } from '../../harness/judge/scenario-evidence.ts'
import { gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { expectRefusedOrDeclined, findStep, readLaterOutcome } from '../evidence/expect-refused-or-declined.ts'
import { chargeBody, withMember } from '../given/request-bodies.ts'
import { GRID_CONTROL, lackedOperation } from './cell-judgments.ts'
import { refusedCorrectCall } from './refused-correct-call.ts'
import { isByHand, mandatePayer } from './signed-operation-columns.ts'

type MemberRow = {
  id: string
  title: string
  member: string
  /** Undefined where the member is left out. */
  wrong: unknown
  spot: string
  basis?: ReturnType<typeof assumed>
}

/** Members of 2.2 and 2.5 that begin a payment, each with a value that BLIK never has; `spot` judges it on initiate. */
// biome-ignore format: a table reads by its columns
const ROWS: readonly MemberRow[] = [
  { id: 'GRD-43', title: 'no payment of nothing begins',          member: 'paymentDetails.amount',   wrong: 0,     spot: 'VAL-11' },
  { id: 'GRD-44', title: 'no payment of less than nothing begins', member: 'paymentDetails.amount',  wrong: -1000, spot: 'VAL-12' },
  { id: 'GRD-45', title: 'no payment begins in a currency that its method has not', member: 'paymentDetails.currency', wrong: 'EUR', spot: 'VAL-15' },
  { id: 'GRD-46', title: 'no payment begins in a country that its method has not', member: 'paymentDetails.country', wrong: 'GR', spot: 'VAL-16' },
  { id: 'VAL-60', title: 'no charge begins without a reference',   member: 'clientTransactionId',        wrong: undefined, spot: 'VAL-03', basis: assumed('D-64') },
  { id: 'VAL-61', title: 'no charge begins without a sum',         member: 'paymentDetails',             wrong: undefined, spot: 'VAL-05', basis: assumed('D-64') },
  { id: 'VAL-62', title: 'no charge begins by an invented method', member: 'providerDetails.providerId', wrong: 'NOBODY',  spot: 'VAL-09', basis: assumed('D-64') },
  { id: 'VAL-63', title: 'no charge begins of an amount that is a text', member: 'paymentDetails.amount', wrong: '1000',  spot: 'VAL-13', basis: assumed('D-45') },
]

/** Expects that a charge was refused or declined, at once or later, and that the same charge made correctly was served. */
export const expectChargeRefused = (evidence: Evidence<string>, expect: Expect, step: string): void => {
  const later = findStep(evidence, laterThan(step))
  expectRefusedOrDeclined(evidence.of(step), expect, { without: 'charge.transactionId' }, { later })
  const correct = evidence.of('charge')
  expect.response(correct)
  if (!isServed(correct))
    throw refusedCorrectCall('the same charge made correctly was refused as well', correct, expect.profile)
}

/** Keeps the exchange of a charge that must be refused and, where it was accepted, a later read of its payment. */
export const keepForbiddenCharge = async (
  context: CheckContext,
  keep: KeepStep<string>,
  step: string,
  call: Promise<Exchange>,
): Promise<void> => {
  const later = await readLaterOutcome(context, await keep(step, call), 'charge.transactionId')
  if (later) await keep(laterThan(step), Promise.resolve(later))
}

/** Name of the step that keeps what became of a charge that must be refused. */
export const laterThan = (step: string): string => `${step}, later`

/** Scenario with grid rows of member × operation that begins a payment: values that a method cannot have (2.2). */
export const chargeGrid: CheckScenario<CheckContext> = {
  name: 'charges of what their method has not',
  tier: 3,
  play: async (context, keep, chosen) => {
    const { profile, account, merchant } = context
    if (lackedOperation(profile, 'charge') !== undefined) return
    const payer = await mandatePayer(context)
    const correct = () => chargeBody(account, payer, !isByHand(context))
    for (const { id, member, wrong } of ROWS.filter(row => chosen.has(row.id))) {
      const call = merchant.request('charge', { json: withMember(correct(), member, wrong) })
      await keepForbiddenCharge(context, keep, `${id} charge`, call).catch(() => undefined)
    }
    await keep('charge', merchant.request('charge', { json: correct() }))
  },
  checks: ROWS.map(({ id, title, spot, basis }) =>
    gridRowCheck({
      ...GRID_CONTROL,
      ...basis,
      id,
      clause: '2.2',
      title,
      exemptCell: lackedOperation,
      cells: [
        { column: 'initiate', empty: `${spot} judges this cell` },
        {
          column: 'charge',
          clause: '2.2, 2.5',
          judge: (evidence, expect) => expectChargeRefused(evidence, expect, `${id} charge`),
        },
      ],
    }),
  ),
}

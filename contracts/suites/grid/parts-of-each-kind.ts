import { type Exchange, isServed } from '../../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence, KeepStep } from '../../harness/judge/scenario-evidence.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { expectSum, findSum, readSumUntil } from '../evidence/expect-captured-or-refunded-sum.ts'
import { expectPremise, expectPremiseState } from '../evidence/expect-premise.ts'
import { findStep } from '../evidence/expect-refused-or-declined.ts'
import { isUnsupported } from '../evidence/unsupported-operation.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import { AFTER_FINALIZE, waitForSettlement } from '../given/create-payments.ts'
import { readStatusUntil, showsCategory } from '../given/read-until.ts'
import { lackedPart } from './cell-judgments.ts'
import { authorize, prepare } from './kinds-of-payment-grid.ts'
import { CAPTURED, type Kind, lackedKind } from './kinds-of-payment-rows.ts'

type Act = 'capture' | 'refund'

const PART = 400
/** The state of a payment of which an act takes a part, and the sum that shows it. */
const ACTS = {
  capture: { from: 'authorized', sum: 'captured' },
  refund: { from: 'settled', sum: 'refunded' },
} as const
/** Kinds of payment besides those of BLIK, of which LIF-16, 17, 32 and 33 take a part. */
const KINDS = ['IRIS', 'charge'] as const satisfies Kind[]

/** Leads a payment of a kind to where an act may take a part of it, and takes that part. */
const takePart = async (context: CheckContext, kind: Kind, act: Act, keep: KeepStep<string>): Promise<void> => {
  const { profile, merchant } = context
  const { operation, json } = await prepare(context, kind, act === 'refund')
  const begun = await keep('begun', merchant.request(operation, { json }))
  if (!isServed(begun)) return
  if (operation === 'initiate') await authorize(context, begun, kind)
  const id = String(findField(profile, begun, `${operation}.transactionId`))
  const payment = operationsOn(context, id)
  await readStatusUntil(profile, context, id, act === 'capture' ? AFTER_FINALIZE : [...CAPTURED, 'declined'])
  if (act === 'refund') await waitForSettlement(profile, context, id)
  await keep('standing', payment.status())
  await keep('part', payment[act](PART))
  await keep('sum', readSumUntil(context, id, ACTS[act].sum, PART))
}

/** A part is taken as that part, or refused with 501, as whether there are parts depends on the scheme (1, 7.1). */
const judgePart = (kind: Kind, act: Act) => (evidence: Evidence<string>, expect: Expect) => {
  const { profile } = expect
  const of = (step: string): Exchange =>
    findStep(evidence, `${kind} ${act} ${step}`) ?? evidence.of(`${kind} ${act} ended early`)
  const begun = of('begun')
  expect.response(begun)
  if (isUnsupported(profile, begun)) throw new EmptyCell('it is not captured by hand (1, 7.1)')
  expectPremise(begun, 'the first call', expect)
  const standing = of('standing')
  if (act === 'capture' && showsCategory(profile, standing, ...CAPTURED))
    throw new EmptyCell('it is captured with its authorization')
  expectPremiseState(standing, expect, ACTS[act].from)
  const part = of('part')
  expect.response(part)
  if (isUnsupported(profile, part)) return
  expect.specified(() => expect.served(part))
  expectPremise(part, `a ${act} of a part`, expect)
  const sum = of('sum')
  if (findSum(profile, sum, ACTS[act].sum) !== undefined) expectSum(sum, ACTS[act].sum, PART, expect)
}

const partRow = (id: string, act: Act, title: string, control: string, judgedBy: string) =>
  gridRowCheck({
    id,
    clause: '1, 4, 7.1',
    title,
    ...assumed('D-47'),
    control,
    exemptCell: (profile, kind) => lackedKind(profile, kind) ?? lackedPart(profile, act),
    cells: [
      { column: 'BLIK', empty: judgedBy },
      ...KINDS.map((column): Cell => ({ column, clause: '1, 4, 7.1', judge: judgePart(column, act) })),
    ],
  })

/** Scenario with the grid rows of a part that is captured or refunded × kind of payment (1, 4, 7.1). */
export const partsGrid: CheckScenario<CheckContext> = {
  name: 'a part of every kind of payment',
  tier: 3,
  needs: ['fields.initiate.transactionId'],
  play: async (context, keep) => {
    for (const kind of KINDS)
      for (const act of ['capture', 'refund'] as const) {
        if (lackedKind(context.profile, kind) ?? lackedPart(context.profile, act)) continue
        const keepOfCell: KeepStep<string> = (step, exchange) => keep(`${kind} ${act} ${step}`, exchange)
        await takePart(context, kind, act, keepOfCell).catch(why =>
          keepOfCell('ended early', Promise.reject(why)).catch(() => undefined),
        )
      }
  },
  // biome-ignore format: a table reads by its columns
  checks: [
    partRow('GRD-94', 'capture', 'of every kind of payment a part is captured as that part, or refused with 501', 'LIF-02', 'LIF-17 and LIF-32 judge this cell'),
    partRow('GRD-95', 'refund',  'of every kind of payment a part is refunded as that part, or refused with 501', 'LIF-08', 'LIF-16 and LIF-33 judge this cell'),
  ],
}

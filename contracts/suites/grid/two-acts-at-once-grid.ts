import { type Exchange, isServed } from '../../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { Blocked, Inconclusive } from '../../harness/judge/verdict-errors.ts'
import { isDecline } from '../../harness/profile/response-fields-and-line-advice.ts'
import { gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { ACCEPTED, LATER_OF_TWO } from '../evidence/expect-replay.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import { createAuthorizedPayment, createSettledPayment } from '../given/create-payments.ts'
import { GRID_CONTROL, lackedOperation } from './cell-judgments.ts'

const ACTS = ['capture', 'refund'] as const
type Act = (typeof ACTS)[number]
const PAYMENT_FOR = { capture: createAuthorizedPayment, refund: createSettledPayment } as const

/** The column of a capture and a cancel at the same instant. */
const VOIDED = 'cancel'

const otherOf = (act: Act): string => `the other ${act}`

/**
 * Returns those of two calls at the same instant that were carried out; throws Blocked where none was, and Inconclusive where
 * one of both is merely accepted: it may come to nothing later (E5).
 */
const findTaken = (both: readonly [Exchange, Exchange], expect: Expect): readonly Exchange[] => {
  for (const exchange of both) expect.response(exchange, LATER_OF_TWO)
  const taken = both.filter(exchange => isServed(exchange) && !isDecline(expect.profile, exchange))
  if (taken.length === 0) throw new Blocked('both calls were refused or declined', both[1])
  const accepted = taken.find(({ response }) => response?.status === ACCEPTED)
  if (taken.length === both.length && accepted)
    throw new Inconclusive('both were served, one as merely accepted: read later what the payment came to', accepted)
  return taken
}

/** Expects one of two acts of the whole to be carried out and the other refused, declined, or put off as one is under way. */
const judgeTwo = (evidence: Evidence<string>, expect: Expect, act: Act): void => {
  const both = [evidence.of(act), evidence.of(otherOf(act))] as const
  const [taken] = findTaken(both, expect)
  const other = taken === both[0] ? both[1] : both[0]
  const { status } = expect.response(other, LATER_OF_TWO)
  if (!LATER_OF_TWO.includes(status) && !isDecline(expect.profile, other)) expect.refused(other, { core: true })
}

/** Expects not both a capture and a cancel of one authorization to be carried out: what is voided is not captured (R2). */
const judgeVoided = (evidence: Evidence<string>, expect: Expect): void => {
  const both = [evidence.of('captured at once'), evidence.of('voided at once')] as const
  const isBoth = findTaken(both, expect).length === both.length
  expect.specified(() => expect.holds(!isBoth, 'one of the two to be refused', 'a capture and a cancel', both[1]))
}

/**
 * Scenario with the grid row of two captures, or two refunds, of the whole payment at the same instant under keys of their
 * own (R5): who compares the sums before either is saved serves both.
 */
export const twoActsAtOnceGrid: CheckScenario<CheckContext> = {
  name: 'two captures and two refunds at the same instant',
  tier: 3,
  play: async (context, keep) => {
    const { profile } = context
    for (const act of ACTS) {
      if (lackedOperation(profile, act) !== undefined) continue
      const take = operationsOn(context, await PAYMENT_FOR[act](profile, context))[act]
      const [one, other] = await Promise.all([take(), take()])
      await keep(act, Promise.resolve(one))
      await keep(otherOf(act), Promise.resolve(other))
    }
    if (lackedOperation(profile, VOIDED) !== undefined) return
    const { capture, cancel } = operationsOn(context, await createAuthorizedPayment(profile, context))
    const [captured, voided] = await Promise.all([capture(), cancel()])
    await keep('captured at once', Promise.resolve(captured))
    await keep('voided at once', Promise.resolve(voided))
  },
  checks: [
    gridRowCheck({
      ...GRID_CONTROL,
      ...assumed('D-41'),
      id: 'GRD-55',
      clause: '4, R2, R5',
      title: 'two at the same instant cannot capture or refund the whole twice, nor capture and void it',
      exemptCell: lackedOperation,
      cells: [
        ...ACTS.map(column => ({
          column,
          clause: '4, R5',
          judge: (evidence: Evidence<string>, expect: Expect) => judgeTwo(evidence, expect, column),
        })),
        { column: VOIDED, clause: 'R2', judge: judgeVoided },
      ],
    }),
  ],
}

import { isServed } from '../../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import { gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { LATER_OF_TWO } from '../evidence/expect-replay.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import { createAuthorizedPayment, createSettledPayment } from '../given/create-payments.ts'
import { GRID_CONTROL, lackedOperation } from './cell-judgments.ts'

const ACTS = ['capture', 'refund'] as const
type Act = (typeof ACTS)[number]
const PAYMENT_FOR = { capture: createAuthorizedPayment, refund: createSettledPayment } as const

/** The column of a capture and a cancel at the same instant. */
const VOIDED = 'cancel'

const otherOf = (act: Act): string => `the other ${act}`

/** Expects one of two acts of the whole to be served and the other refused, or put off as one of the two is under way. */
const judgeTwo = (evidence: Evidence<string>, expect: Expect, act: Act): void => {
  const [one, other] = [evidence.of(act), evidence.of(otherOf(act))]
  expect.response(one, LATER_OF_TWO)
  const { status } = expect.response(other, LATER_OF_TWO)
  if (!isServed(one)) throw new Blocked(`both calls of ${act} were refused`, one)
  if (!LATER_OF_TWO.includes(status)) expect.refused(other, { core: true })
}

/** Expects not both a capture and a cancel of one authorization to be served: what is voided is not captured (R2). */
const judgeVoided = (evidence: Evidence<string>, expect: Expect): void => {
  const [captured, voided] = [evidence.of('captured at once'), evidence.of('voided at once')]
  for (const exchange of [captured, voided]) expect.response(exchange, LATER_OF_TWO)
  if (!isServed(captured) && !isServed(voided))
    throw new Blocked('both the capture and the cancel were refused', voided)
  const isBoth = isServed(captured) && isServed(voided)
  expect.specified(() => expect.holds(!isBoth, 'one of the two to be refused', 'a capture and a cancel', voided))
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
      const sent = await Promise.all([take(), take()])
      const [one, other] = isServed(sent[0]) ? sent : sent.toReversed()
      for (const [step, exchange] of [
        [act, one],
        [otherOf(act), other],
      ] as const)
        if (exchange) await keep(step, Promise.resolve(exchange))
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

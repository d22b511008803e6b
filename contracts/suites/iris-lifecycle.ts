import { type Exchange, isServed } from '../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { EmptyCell } from '../harness/judge/judge-grid-cells.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { isOfDeclines } from '../harness/profile/response-fields-and-line-advice.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectNothingLeftToRefund } from './evidence/expect-nothing-left-to-refund.ts'
import { expectCategoryUnlessDeclined, expectPremise, expectPremiseState } from './evidence/expect-premise.ts'
import { expectSettled } from './evidence/expect-settled.ts'
import { isUnsupported } from './evidence/unsupported-operation.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { ensureServed, initiate, letShopper, readTransactionId, waitForSettlement } from './given/create-payments.ts'
import { readStatusUntil } from './given/read-until.ts'
import { APPROVED, bankSeconds } from './shopper-decisions.ts'

type Step =
  | 'waiting'
  | 'refund early'
  | 'finalize early'
  | 'still waiting'
  | 'initiate'
  | 'approved'
  | 'finalize'
  | 'captured'
  | 'settled'
  | 'refund'
  | 'refund again'

const CAPTURED = ['captured', 'settled']
const NOT_TAKEN = ['waiting', 'authenticated', 'declined', 'expired', 'canceled']

/** Expects the refund of a settled payment to be served; throws EmptyCell where the method has no refunds (1, 7.1, D-37). */
const expectRefund = (evidence: Evidence<Step>, expect: Expect): Exchange => {
  const refund = evidence.of('refund')
  expect.response(refund)
  if (isUnsupported(expect.profile, refund)) throw new EmptyCell('there is no refund of a payment of IRIS (1, 7.1)')
  return refund
}

/**
 * Scenario with checks of payments of IRIS after the redirect: one that its shopper approves, from finalize to refund,
 * and one that waits for its shopper (3, R1, R4, R5).
 */
export const irisLifecycle: CheckScenario<CheckContext, Step> = {
  name: 'a payment of IRIS from finalize to refund',
  tier: 3,
  needs: ['iris.approve', 'fields.initiate.transactionId'],
  play: async (context, keep) => {
    const { profile } = context
    const choice = { method: 'IRIS', autoCapture: true } as const
    const untouched = await keep('waiting', initiate(context, { ...choice, will: 'wait' }))
    const waiting = operationsOn(context, readTransactionId(profile, untouched))
    await keep('refund early', waiting.refund())
    await keep('finalize early', waiting.finalize())
    const id = await letShopper(profile, context, await keep('initiate', initiate(context, choice)), choice)
    const payment = operationsOn(context, id)
    const withinSeconds = bankSeconds(profile)
    await keep('approved', readStatusUntil(profile, context, id, [...APPROVED, 'declined'], { withinSeconds }))
    await ensureServed(profile, keep('finalize', payment.finalize()))
    await keep('captured', readStatusUntil(profile, context, id, [...CAPTURED, 'declined']))
    await waitForSettlement(profile, context, id)
    await keep('settled', payment.status())
    await keep('still waiting', waiting.status())
    await keep('refund', payment.refund())
    await readStatusUntil(profile, context, id, ['refunded'])
    await keep('refund again', payment.refund())
  },
  checks: [
    {
      id: 'IRS-10',
      clause: '2.1, 3 seq 1',
      title: 'finalize authorizes and captures a payment of IRIS',
      ...assumed('D-02'),
      control: 'IRS-05',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expectPremiseState(evidence.of('approved'), expect, ...APPROVED)
        expect.served(evidence.of('finalize'))
        expectCategoryUnlessDeclined(evidence.of('captured'), expect, ...CAPTURED)
      },
    },
    {
      id: 'IRS-09',
      clause: '3 seq 1',
      title: 'finalize takes no payment of IRIS before the consent',
      control: 'IRS-10',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expectPremise(evidence.of('waiting'), 'waiting', expect)
        const early = evidence.of('finalize early')
        const { status } = expect.response(early)
        if (isServed(early) || isOfDeclines(expect.profile, status))
          expect.inCategory(evidence.of('still waiting'), ...NOT_TAKEN)
        else expect.refused(early)
      },
    },
    {
      id: 'IRS-11',
      clause: 'R4',
      title: 'a captured payment of IRIS settles with no further call',
      control: 'IRS-10',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expectPremiseState(evidence.of('captured'), expect, ...CAPTURED)
        expectSettled(evidence.of('settled'), expect)
      },
    },
    {
      id: 'IRS-12',
      clause: '1, R1',
      title: 'a settled payment of IRIS can be refunded, or refunds of it are refused with 501',
      control: 'IRS-11',
      judge: (evidence, expect) => expect.served(expectRefund(evidence, expect)),
    },
    {
      id: 'IRS-13',
      clause: 'R5',
      title: 'a second full refund of a payment of IRIS is refused',
      ...assumed('D-41'),
      control: 'IRS-11',
      judge: (evidence, expect) => {
        expectPremise(expectRefund(evidence, expect), 'refund', expect)
        expectNothingLeftToRefund(evidence.of('refund again'), expect)
      },
    },
    {
      id: 'IRS-14',
      clause: 'R1, R5',
      title: 'a refund of a payment of IRIS before the consent: 422 with 5xxx',
      control: 'IRS-11',
      judge: (evidence, expect) => {
        expectPremise(evidence.of('waiting'), 'waiting', expect)
        expectPremise(expectRefund(evidence, expect), 'refund', expect)
        expect.refused(evidence.of('refund early'), { status: 422, code: '5' })
      },
    },
  ],
}

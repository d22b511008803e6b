import { choiceOf } from '../dialect/decision-choices.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { hasCapability } from '../harness/profile/capabilities-that-checks-need.ts'
import { lifecycleRefusal, PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectMoreEvents, readEventsAfter } from './evidence/expect-more-events.ts'
import { expectNothingLeftToRefund } from './evidence/expect-nothing-left-to-refund.ts'
import {
  expectCategoryUnlessDeclined,
  expectManualCapture,
  expectPremise,
  expectRefunds,
  expectServedByHand,
} from './evidence/expect-premise.ts'
import { expectSettled } from './evidence/expect-settled.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { ensureServed, initiate, letShopper, readTransactionId, waitForSettlement } from './given/create-payments.ts'
import { readStatusUntil } from './given/read-until.ts'

type Step =
  | 'initiate'
  | 'waiting'
  | 'events of initiate'
  | 'finalize'
  | 'authorized'
  | 'capture'
  | 'captured'
  | 'events of capture'
  | 'settled'
  | 'refund'
  | 'refunded'
  | 'refund again'
  | 'finalize late'

const CAPTURED = ['captured', 'settled']

/**
 * Scenario with checks of a payment from initiate to refund, captured by hand where that is offered, else by finalize
 * (3, R1, R4).
 */
export const fullLifecycle: CheckScenario<CheckContext, Step> = {
  name: 'a payment from initiate to refund',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const { profile } = context
    const isByHand = hasCapability(profile, 'manualCapture')
    const initiated = await keep('initiate', initiate(context, { autoCapture: !isByHand }))
    const transactionId = readTransactionId(profile, initiated)
    const payment = operationsOn(context, transactionId)
    const statusWith = (...stages: string[]) => readStatusUntil(profile, context, transactionId, stages)
    await keep('waiting', statusWith('waiting', 'authenticated'))
    const before = await keep('events of initiate', payment.events())
    await letShopper(profile, context, initiated)
    await ensureServed(profile, keep('finalize', payment.finalize()))
    if (isByHand) {
      await keep('authorized', statusWith('authorized', ...CAPTURED))
      await ensureServed(profile, keep('capture', payment.capture()))
    }
    await keep('captured', statusWith(...CAPTURED))
    await keep('events of capture', readEventsAfter(context, transactionId, before))
    await waitForSettlement(profile, context, transactionId)
    await keep('settled', payment.status())
    await keep('refund', payment.refund())
    await keep('refunded', statusWith('refunded'))
    await keep('refund again', payment.refund())
    await keep('finalize late', payment.finalize())
  },
  checks: [
    {
      id: 'LIF-01',
      clause: '3 seq 1',
      title: 'the whole way of a shopper: initiate, finalize, capture, settled',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expectManualCapture(evidence.of('initiate'), expect)
        for (const step of ['initiate', 'finalize'] as const) expect.served(evidence.of(step))
        if (hasCapability(expect.profile, 'manualCapture')) expectCaptureByHand(evidence, expect)
        expectCategoryUnlessDeclined(evidence.of('captured'), expect, ...CAPTURED)
      },
    },
    {
      id: 'LIF-05',
      clause: 'R4',
      title: 'settlement follows a capture with no further call',
      control: 'LIF-01',
      ...WITH_STATES,
      judge: (evidence, expect) => expectSettled(evidence.of('settled'), expect),
    },
    {
      id: 'LIF-08',
      clause: 'R1',
      title: 'a refund after settlement is accepted',
      control: 'LIF-05',
      judge: (evidence, expect) => {
        const refund = evidence.of('refund')
        expectRefunds(refund, expect)
        expect.served(refund)
      },
    },
    {
      id: 'LIF-22',
      clause: '3',
      title: 'after each step the state is of the documented kind',
      control: 'LIF-08',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expect.inCategory(evidence.of('waiting'), 'waiting', 'authenticated')
        if (hasCapability(expect.profile, 'manualCapture')) expect.inCategory(evidence.of('authorized'), 'authorized')
        expect.inCategory(evidence.of('captured'), ...CAPTURED)
        expect.inCategory(evidence.of('settled'), 'settled')
        expectPremise(evidence.of('refund'), 'refund', expect)
        expect.inCategory(evidence.of('refunded'), 'refunded')
      },
    },
    {
      id: 'LIF-18',
      clause: 'R5',
      title: 'a second full refund is refused',
      ...assumed('D-41'),
      control: 'LIF-08',
      judge: (evidence, expect) => {
        expectPremise(evidence.of('refund'), 'refund', expect)
        expectNothingLeftToRefund(evidence.of('refund again'), expect)
      },
    },
    lifecycleRefusal('LIF-19', 'R5', 'finalize of a finished payment: 422', 'LIF-08', 'finalize late', {
      ...assumed('D-35'),
      premises: ['finalize'],
      servedWhere: profile => choiceOf(profile, 'D-35') === 'repeated',
    }),
    {
      id: 'RDS-07',
      clause: '6',
      title: 'a step adds an event',
      control: 'LIF-01',
      needs: ['fields.events.list'],
      judge: (evidence, expect) =>
        expectMoreEvents(evidence.of('events of initiate'), evidence.of('events of capture'), expect),
    },
  ],
}

/** Expects a capture to be served; throws Blocked where finalize captured already, which LIF-04 judges (2.1). */
const expectCaptureByHand = (evidence: Evidence<Step>, expect: Expect): void => {
  expectManualCapture(evidence.of('capture'), expect)
  expectServedByHand(evidence.of('capture'), evidence.of('authorized'), expect)
}

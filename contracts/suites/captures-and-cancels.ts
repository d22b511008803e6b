import type { Exchange } from '../client/http-exchange.ts'
import { assumed, type CheckScenario, OBSERVING } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { hasCapability } from '../harness/profile/capabilities-that-checks-need.ts'
import { untakenReason } from '../harness/profile/create-request-dialect.ts'
import { lifecycleRefusal, PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import {
  expectCategoryUnlessDeclined,
  expectManualCapture,
  expectPremise,
  expectServedByHand,
} from './evidence/expect-premise.ts'
import { REFUSED_AMOUNT } from './evidence/refusal-by-profile-decision.ts'
import { isUnsupported } from './evidence/unsupported-operation.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import {
  createApprovedPayment,
  createAuthorizedPayment,
  createSettledPayment,
  waitForSettlement,
} from './given/create-payments.ts'
import { readStatusUntil } from './given/read-until.ts'

const CAPTURED = ['captured', 'settled']

type AutomaticCaptureStep = 'finalize' | 'status' | 'capture'

const automaticCapture: CheckScenario<CheckContext, AutomaticCaptureStep> = {
  name: 'a payment captured by finalize',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const transactionId = await createApprovedPayment(context.profile, context, true)
    const payment = operationsOn(context, transactionId)
    await keep('finalize', payment.finalize())
    await keep('status', readStatusUntil(context.profile, context, transactionId, CAPTURED))
    if (hasCapability(context.profile, 'manualCapture')) await keep('capture', payment.capture())
  },
  checks: [
    {
      id: 'LIF-02',
      clause: '2.1, 3',
      title: 'with autoCapture true, finalize captures as well',
      ...assumed('D-02'),
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expect.served(evidence.of('finalize'))
        expectCategoryUnlessDeclined(evidence.of('status'), expect, ...CAPTURED)
      },
    },
    {
      id: 'LIF-14',
      clause: '3, R5',
      title: 'a capture after the automatic one: 422 with 5xxx',
      ...assumed('D-02'),
      control: 'LIF-02',
      judge: (evidence, expect) => {
        expectPremise(evidence.of('finalize'), 'finalize', expect)
        expectManualCapture(evidence.of('capture'), expect)
        expect.refused(evidence.of('capture'), { status: 422, or: 409, code: '5' })
      },
    },
  ],
}

const captureByHand: CheckScenario<CheckContext, 'by hand' | 'not captured'> = {
  name: 'a payment not captured by finalize',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const transactionId = await createApprovedPayment(context.profile, context, false)
    await keep('by hand', operationsOn(context, transactionId).finalize())
    const stages = ['authorized', ...CAPTURED]
    await keep('not captured', readStatusUntil(context.profile, context, transactionId, stages))
  },
  checks: [
    {
      id: 'LIF-04',
      clause: '3',
      title: 'with autoCapture false, finalize does not capture',
      ...assumed('D-02'),
      control: 'LIF-02',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expect.served(evidence.of('by hand'))
        expectCategoryUnlessDeclined(evidence.of('not captured'), expect, 'authorized')
      },
    },
  ],
}

type Voided = 'authorized' | 'cancel' | 'status' | 'cancel again' | 'later'

/** Scenario with checks that a cancel voids an authorization, once and for good (3, R2). */
export const voidedAuthorization: CheckScenario<CheckContext, Voided> = {
  name: 'an authorization that is voided',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const transactionId = await createAuthorizedPayment(context.profile, context)
    const payment = operationsOn(context, transactionId)
    await keep('authorized', payment.status())
    await keep('cancel', payment.cancel())
    await keep('status', readStatusUntil(context.profile, context, transactionId, ['canceled']))
    await keep('cancel again', payment.cancel())
    await waitForSettlement(context.profile, context)
    await keep('later', payment.status())
  },
  checks: [
    {
      id: 'LIF-09',
      clause: 'R2',
      title: 'cancel voids an authorization that was not captured',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expectServedByHand(evidence.of('cancel'), evidence.of('authorized'), expect)
        expect.inCategory(evidence.of('status'), 'canceled')
      },
    },
    {
      id: 'LIF-20',
      clause: '3',
      title: 'a second cancel',
      ...OBSERVING,
      judge: (evidence, expect) => expect.describeJudged(evidence.of('cancel again')),
    },
    {
      id: 'LIF-23',
      clause: '3',
      title: 'an end never changes afterwards',
      ...assumed('D-05'),
      control: 'LIF-09',
      ...WITH_STATES,
      judge: (evidence, expect) => expect.inCategory(evidence.of('later'), 'canceled'),
    },
  ],
}

const captureAfterCancel: CheckScenario<CheckContext, 'cancel' | 'capture' | 'capture in time'> = {
  name: 'a capture of what was voided',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const { profile } = context
    const transactionId = await createAuthorizedPayment(profile, context)
    const payment = operationsOn(context, transactionId)
    await keep('cancel', payment.cancel())
    await readStatusUntil(profile, context, transactionId, ['canceled'])
    await keep('capture', payment.capture())
    const other = operationsOn(context, await createAuthorizedPayment(profile, context))
    await keep('capture in time', other.capture())
  },
  checks: [
    lifecycleRefusal('LIF-12', 'R2, R5', 'a capture after the cancel: 422 with 5xxx', 'LIF-09', 'capture', {
      premises: ['cancel', 'capture in time'],
      orConflict: true,
    }),
  ],
}

const partialCapture: CheckScenario<CheckContext, 'capture part'> = {
  name: 'a capture in part',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const payment = operationsOn(context, await createAuthorizedPayment(context.profile, context))
    await keep('capture part', payment.capture(400))
  },
  checks: [
    {
      id: 'LIF-17',
      exempt: profile => untakenReason(profile, 'capture', 'paymentDetails.amount'),
      clause: '1, 7.1',
      title: 'a partial capture is accepted, or refused with 501',
      control: 'LIF-01',
      judge: (evidence, expect) => servedOrUnsupported(evidence.of('capture part'), expect),
    },
  ],
}

const partialRefunds: CheckScenario<CheckContext, 'refund too much' | 'refund part'> = {
  name: 'refunds in part, and above the whole',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const payment = operationsOn(context, await createSettledPayment(context.profile, context))
    await keep('refund too much', payment.refund(1001))
    await keep('refund part', payment.refund(400))
  },
  checks: [
    {
      id: 'LIF-16',
      exempt: profile => untakenReason(profile, 'refund', 'paymentDetails.amount'),
      clause: '1, 7.1',
      title: 'a partial refund is accepted, or refused with 501',
      control: 'LIF-08',
      judge: (evidence, expect) => servedOrUnsupported(evidence.of('refund part'), expect),
    },
    {
      id: 'LIF-15',
      exempt: profile => untakenReason(profile, 'refund', 'paymentDetails.amount'),
      clause: 'R5',
      title: 'a refund above what was captured is refused',
      ...assumed('D-41'),
      control: 'LIF-08',
      judge: (evidence, expect) =>
        expect.refused(evidence.of('refund too much'), { core: true, ...REFUSED_AMOUNT.refund(expect.profile) }),
    },
  ],
}

const servedOrUnsupported = (exchange: Exchange, expect: Expect): void => {
  expect.response(exchange)
  if (!isUnsupported(expect.profile, exchange)) expect.served(exchange)
}

/** Scenarios of captures and cancels, automatic, partial, repeated, each after the other, and of partial refunds (3, R2, R4, R5). */
export const capturesAndCancels = [automaticCapture, captureByHand, captureAfterCancel, partialCapture, partialRefunds]

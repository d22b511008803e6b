import type { Exchange } from '../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { Blocked } from '../harness/judge/verdict-errors.ts'
import { hasCapability } from '../harness/profile/capabilities-that-checks-need.ts'
import { untakenReason } from '../harness/profile/create-request-dialect.ts'
import { lifecycleRefusal, PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectSum, readSumUntil } from './evidence/expect-captured-or-refunded-sum.ts'
import { expectMoreEvents, readEventsAfter } from './evidence/expect-more-events.ts'
import { expectCategoryUnlessDeclined, expectManualCapture, expectPremise } from './evidence/expect-premise.ts'
import { findStep } from './evidence/expect-refused-or-declined.ts'
import { REFUSED_AMOUNT } from './evidence/refusal-by-profile-decision.ts'
import { isPartUnsupported, isUnsupported } from './evidence/unsupported-operation.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { createApprovedPayment, createAuthorizedPayment, createSettledPayment } from './given/create-payments.ts'
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

type ByHand = 'approved' | 'approved events' | 'by hand' | 'not captured' | 'events'

const captureByHand: CheckScenario<CheckContext, ByHand> = {
  name: 'a payment not captured by finalize',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const transactionId = await createApprovedPayment(context.profile, context, false)
    const payment = operationsOn(context, transactionId)
    await keep('approved', payment.status())
    const before = await keep('approved events', payment.events())
    await keep('by hand', payment.finalize())
    const stages = ['authorized', ...CAPTURED]
    await keep('not captured', readStatusUntil(context.profile, context, transactionId, stages))
    await keep('events', readEventsAfter(context, transactionId, before))
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
    {
      id: 'RDS-15',
      clause: '4, 6',
      title: 'finalize adds an event',
      control: 'LIF-04',
      needs: ['fields.events.list', 'fields.status.state'],
      judge: (evidence, expect) => {
        expectPremise(evidence.of('by hand'), 'finalize', expect)
        const states = (['approved', 'not captured'] as const).map(step =>
          expect.field(evidence.of(step), 'status.state'),
        )
        if (states[0] === states[1]) throw new Blocked('finalize changes no state here', evidence.of('not captured'))
        expectMoreEvents(evidence.of('approved events'), evidence.of('events'), expect)
      },
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

const PART = 400

const partialCapture: CheckScenario<CheckContext, 'capture part' | 'captured'> = {
  name: 'a capture in part',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const transactionId = await createAuthorizedPayment(context.profile, context)
    await keep('capture part', operationsOn(context, transactionId).capture(PART))
    await keep('captured', readSumUntil(context, transactionId, 'captured', PART))
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
    {
      id: 'LIF-32',
      exempt: profile => untakenReason(profile, 'capture', 'paymentDetails.amount'),
      clause: '1, 4',
      title: 'a partial capture captures the part',
      ...assumed('D-47'),
      control: 'LIF-17',
      needs: ['sum.captured'],
      judge: (evidence, expect) => {
        expectPremise(evidence.of('capture part'), 'a partial capture', expect)
        expectSum(evidence.of('captured'), 'captured', PART, expect)
      },
    },
  ],
}

const partialRefunds: CheckScenario<CheckContext, 'refund too much' | 'refund part' | 'refunded'> = {
  name: 'refunds in part, and above the whole',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const transactionId = await createSettledPayment(context.profile, context)
    const payment = operationsOn(context, transactionId)
    await keep('refund too much', payment.refund(1001))
    await keep('refund part', payment.refund(PART))
    await keep('refunded', readSumUntil(context, transactionId, 'refunded', PART))
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
      id: 'LIF-33',
      exempt: profile => untakenReason(profile, 'refund', 'paymentDetails.amount'),
      clause: '1, 4',
      title: 'a partial refund refunds the part',
      ...assumed('D-47'),
      control: 'LIF-16',
      needs: ['sum.refunded'],
      judge: (evidence, expect) => {
        expectPremise(evidence.of('refund part'), 'a partial refund', expect)
        expectSum(evidence.of('refunded'), 'refunded', PART, expect)
      },
    },
    {
      id: 'LIF-15',
      exempt: profile => untakenReason(profile, 'refund', 'paymentDetails.amount'),
      clause: 'R5',
      title: 'a refund above what was captured is refused',
      ...assumed('D-41'),
      control: 'LIF-08',
      judge: (evidence, expect) => {
        const tooMuch = evidence.of('refund too much')
        const isLacked = isPartUnsupported(expect.profile, 'refund', tooMuch, findStep(evidence, 'refund part'))
        expect.refused(tooMuch, { core: true, ...(isLacked ? {} : REFUSED_AMOUNT.refund(expect.profile)) })
      },
    },
  ],
}

const servedOrUnsupported = (exchange: Exchange, expect: Expect): void => {
  expect.response(exchange)
  if (!isUnsupported(expect.profile, exchange)) expect.served(exchange)
}

/** Scenarios of captures and cancels, automatic, partial, repeated, each after the other, and of partial refunds (3, R2, R4, R5). */
export const capturesAndCancels = [automaticCapture, captureByHand, captureAfterCancel, partialCapture, partialRefunds]

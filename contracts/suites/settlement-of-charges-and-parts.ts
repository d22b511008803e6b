import type { CheckScenario } from '../harness/judge/check.ts'
import { untakenReason } from '../harness/profile/create-request-dialect.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectPremise, expectPremiseState, expectRefunds } from './evidence/expect-premise.ts'
import { expectSettled } from './evidence/expect-settled.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { createAuthorizedPayment, ensureServed, waitForSettlement } from './given/create-payments.ts'
import { readStatusUntil } from './given/read-until.ts'
import { chargeBody } from './given/request-bodies.ts'
import { mandatePayer } from './grid/signed-operation-columns.ts'

const CAPTURED = ['captured', 'settled']
const [PART, REST] = [400, 600]

const charged: CheckScenario<CheckContext, 'charge' | 'captured' | 'settled' | 'refund'> = {
  name: 'a charge from its capture to its refund',
  tier: 3,
  needs: ['blik.approve', 'fields.initiate.transactionId', 'fields.charge.transactionId'],
  play: async (context, keep) => {
    const { profile, merchant, account } = context
    const json = chargeBody(account, await mandatePayer(context), true)
    const charge = await keep('charge', merchant.request('charge', { json }))
    await ensureServed(profile, Promise.resolve(charge))
    const transactionId = String(findField(profile, charge, 'charge.transactionId'))
    await keep('captured', readStatusUntil(profile, context, transactionId, [...CAPTURED, 'declined']))
    await waitForSettlement(profile, context, transactionId)
    await keep('settled', operationsOn(context, transactionId).status())
    await keep('refund', operationsOn(context, transactionId).refund())
  },
  checks: [
    {
      id: 'LIF-35',
      clause: '3 seq 2, R4',
      title: 'a charge that is captured settles with no further call',
      control: 'LIF-03',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expectPremiseState(evidence.of('captured'), expect, ...CAPTURED)
        expectSettled(evidence.of('settled'), expect)
      },
    },
    {
      id: 'LIF-36',
      clause: '3 seq 2, R1',
      title: 'a charge that has settled can be refunded',
      control: 'LIF-35',
      judge: (evidence, expect) => {
        expectRefunds(evidence.of('refund'), expect)
        expect.served(evidence.of('refund'))
      },
    },
  ],
}

const inParts: CheckScenario<CheckContext, 'part' | 'rest' | 'captured' | 'settled'> = {
  name: 'a payment that is captured in two parts',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const { profile } = context
    const transactionId = await createAuthorizedPayment(profile, context)
    const payment = operationsOn(context, transactionId)
    await ensureServed(profile, keep('part', payment.capture(PART)))
    await ensureServed(profile, keep('rest', payment.capture(REST)))
    await keep('captured', readStatusUntil(profile, context, transactionId, [...CAPTURED, 'declined']))
    await waitForSettlement(profile, context, transactionId)
    await keep('settled', payment.status())
  },
  checks: [
    {
      id: 'LIF-34',
      exempt: profile => untakenReason(profile, 'capture', 'paymentDetails.amount'),
      clause: '1, R4',
      title: 'a payment that is captured in two parts settles',
      control: 'LIF-17',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        for (const step of ['part', 'rest'] as const) expectPremise(evidence.of(step), step, expect)
        expectPremiseState(evidence.of('captured'), expect, ...CAPTURED)
        expectSettled(evidence.of('settled'), expect)
      },
    },
  ],
}

/** Scenarios with checks that charges and payments captured in parts settle, and that settled charges are refunded (3, R1, R4). */
export const settlementOfChargesAndParts = [charged, inParts]

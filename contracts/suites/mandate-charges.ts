import { randomUUID } from 'node:crypto'
import type { CallParts } from '../client/endpoint-call.ts'
import type { Exchange } from '../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { UNSTATED_STATUSES } from '../protocol/reason-codes.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import { singleCallScenario } from './check-builders/single-call-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectCategoryUnlessDeclined, expectPremise } from './evidence/expect-premise.ts'
import { readLaterOutcome } from './evidence/expect-refused-or-declined.ts'
import { expectReplay } from './evidence/expect-replay.ts'
import { expectSecondPayment } from './evidence/expect-second-payment.ts'
import { chosenRefusal, REFUSED_CHARGE } from './evidence/refusal-by-profile-decision.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { createMandatePayment, initiateMandate } from './given/create-mandate-payments.ts'
import { readStatusUntil } from './given/read-until.ts'
import { chargeBody, irisPayment, uniqueReference, withMember } from './given/request-bodies.ts'
import { type ChargeStep, type ForbiddenCharge, refused, refusedOrDeclined } from './refused-charges.ts'
import { withoutHeader } from './request-mutations/tamper-with-requests.ts'

/** Creates a mandate for a payer and waits until it shows; returns the finalize exchange, which may hold a token. */
const createPayerMandate = async (context: CheckContext, payerId: string): Promise<Exchange> => {
  const { profile } = context
  const transactionId = await createMandatePayment(profile, context, 'RECURRING', { payerId })
  const finalized = await operationsOn(context, transactionId).finalize()
  await readStatusUntil(profile, context, transactionId, ['authorized', 'captured', 'settled', 'declined'])
  return finalized
}

const CAPTURED = ['captured', 'settled']
const NEEDS_ID = { needs: ['fields.charge.transactionId'] }

/** Checks of merchant-initiated charges with a mandate and without one (1, 2.5, 3 sequence 2). */
const underMandate: CheckScenario<CheckContext, ChargeStep> = {
  name: 'payments without their shopper',
  tier: 3,
  needs: ['blik.approve', 'fields.initiate.transactionId'],
  play: async (context, show) => {
    const { merchant, account } = context
    const payerId = uniqueReference()
    const charge = (json: unknown, more: CallParts = {}) => merchant.request('charge', { ...more, json })
    await show('token only', initiateMandate(context, 'TOKEN_ONLY'))
    const mandate = await show('mandate', createPayerMandate(context, payerId))
    const paymentToken = findField(context.profile, mandate, 'finalize.paymentToken')
    const byPayer = chargeBody(account, { payerId }, true)
    const key = { idempotencyKey: randomUUID() }
    const charged = await show('by payer', charge(byPayer, key))
    await merchant.forgetTokenOf(charged)
    await show('by payer again', charge(byPayer, key))
    const transactionId = findField(context.profile, charged, 'charge.transactionId')
    if (transactionId !== undefined) {
      await show('status', readStatusUntil(context.profile, context, String(transactionId), CAPTURED))
      await show('finalize', operationsOn(context, String(transactionId)).finalize())
    }
    await show('equal', charge(byPayer))
    const showWithOutcome = async (step: ForbiddenCharge, json: unknown) => {
      const later = await readLaterOutcome(context, await show(step, charge(json)), 'charge.transactionId')
      if (later) await show(`${step} later`, Promise.resolve(later))
    }
    if (paymentToken !== undefined) {
      const token = { paymentToken: String(paymentToken) }
      await show('by token', charge(chargeBody(account, token)))
      await show('by both', charge(chargeBody(account, { payerId, ...token })))
      await showWithOutcome("by another's token", chargeBody(account, { payerId: uniqueReference(), ...token }))
    }
    const { paymentDetails, providerDetails } = irisPayment(context)
    await show('one time', charge(withMember(chargeBody(account, { payerId }), 'transactionType', 'ONE_TIME')))
    await showWithOutcome('iris', { ...chargeBody(account, { payerId }), paymentDetails, providerDetails })
    await showWithOutcome('nobody', chargeBody(account, { payerId: uniqueReference() }))
    const keyless = { afterSigning: withoutHeader('idempotency-key') }
    await show('keyless', merchant.request('charge', { json: chargeBody(account, { payerId }) }, keyless))
    await show('read only', charge(chargeBody(account, { payerId }), { scope: 'payments:read' }))
  },
  checks: [
    {
      id: 'VAL-44',
      clause: '1',
      title: 'BLIK TOKEN_ONLY is accepted',
      judge: (evidence, expect) => {
        expect.served(evidence.of('token only'))
        expect.field(evidence.of('token only'), 'initiate.transactionId')
      },
    },
    {
      id: 'VAL-38',
      clause: '2.3',
      title: 'a charge by payerId alone is valid',
      ...assumed('D-62'),
      judge: (evidence, expect) => {
        expectPremise(evidence.of('mandate'), 'mandate', expect)
        expect.served(evidence.of('by payer'))
      },
    },
    {
      id: 'VAL-39',
      clause: '2.3',
      title: 'a charge by paymentToken alone is valid',
      ...assumed('D-62'),
      needs: ['fields.finalize.paymentToken'],
      judge: (evidence, expect) => {
        expectPremise(evidence.of('mandate'), 'mandate', expect)
        expect.field(evidence.of('mandate'), 'finalize.paymentToken')
        expect.served(evidence.of('by token'))
      },
    },
    {
      id: 'VAL-54',
      clause: '2.5',
      title: 'a charge by payerId and the paymentToken of that payer is valid',
      control: 'VAL-39',
      needs: ['fields.finalize.paymentToken'],
      judge: (evidence, expect) => {
        expectPremise(evidence.of('by token'), 'the charge by paymentToken alone', expect)
        expect.served(evidence.of('by both'))
      },
    },
    refusedOrDeclined(
      'VAL-55',
      "a charge of a payer by another's paymentToken is refused, or declined",
      "by another's token",
      profile => chosenRefusal(profile, 'D-63', REFUSED_CHARGE),
      { ...assumed('D-63'), clause: '1, 2.5', control: 'VAL-39', needs: ['fields.finalize.paymentToken'] },
    ),
    {
      id: 'VAL-56',
      clause: '2.1, I2',
      title: 'the same charge under a fresh key is another payment',
      control: 'VAL-38',
      ...NEEDS_ID,
      judge: (evidence, expect) => {
        expectPremise(evidence.of('by payer'), 'the first charge', expect)
        expectSecondPayment(evidence.of('by payer'), evidence.of('equal'), expect, 'charge')
      },
    },
    refused('VAL-40', '2.5', 'a charge of a type other than RECURRING is refused', 'one time', {}, assumed('D-64')),
    refusedOrDeclined('VAL-41', 'a charge on IRIS is refused', 'iris'),
    refusedOrDeclined(
      'VAL-45',
      'a charge of a payer with no valid mandate is refused, or declined',
      'nobody',
      profile => chosenRefusal(profile, 'D-63', REFUSED_CHARGE),
    ),
    refused('IDM-03', 'I1', 'charge without Idempotency-Key is refused and nothing happens', 'keyless', {
      or: UNSTATED_STATUSES.key,
      decidedBy: 'D-18',
    }),
    refused(
      'SCP-05',
      '5.3',
      'a read-only token on charge: 403 and 4971',
      'read only',
      { status: 403, code: '4971' },
      assumed('D-56'),
    ),
    {
      id: 'IDM-10',
      clause: 'I3',
      title: 'charge replayed makes one payment',
      control: 'VAL-38',
      judge: (evidence, expect) => expectReplay(evidence.of('by payer again'), evidence.of('by payer'), expect),
    },
    {
      id: 'LIF-03',
      clause: '2.1, 3',
      title: 'with autoCapture true, charge captures as well',
      ...assumed('D-02'),
      control: 'VAL-38',
      needs: [...NEEDS_ID.needs, ...WITH_STATES.needs],
      judge: (evidence, expect) => expectCategoryUnlessDeclined(evidence.of('status'), expect, ...CAPTURED),
    },
    refused(
      'LIF-21',
      '3 seq 2',
      'finalize of a payment that charge began is refused',
      'finalize',
      {},
      {
        ...assumed('D-64'),
        ...NEEDS_ID,
        control: 'LIF-03',
      },
    ),
  ],
}

const nobodyNamed = singleCallScenario({ name: 'charges without payer and token', tier: 2 }, [
  {
    id: 'VAL-37',
    clause: '2.3, 2.5',
    title: 'a charge with neither payerId nor paymentToken: 400',
    control: 'VAL-38',
    refused: { status: 400, without: 'charge.transactionId' },
    send: ({ merchant, account }) =>
      merchant.request('charge', { json: { ...chargeBody(account, { payerId: '' }), payerDetails: {} } }),
  },
])

/** Scenarios with checks of charge: who may be charged, and the resulting payment (1, 2.3, 2.5, 3). */
export const charges = [underMandate, nobodyNamed]

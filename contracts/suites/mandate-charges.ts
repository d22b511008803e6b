import { randomUUID } from 'node:crypto'
import type { CallParts } from '../client/endpoint-call.ts'
import type { Exchange } from '../client/http-exchange.ts'
import { assumed, type Check, type CheckScenario } from '../harness/judge/check.ts'
import type { ExpectedRefusal } from '../harness/judge/check-assertions.ts'
import { offersMethod } from '../harness/profile/missing-capability-reason.ts'
import { findField } from '../harness/profile/response-fields.ts'
import { UNSTATED_STATUSES } from '../protocol/reason-codes.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import { expectRefusedOrDeclined, singleCallScenario } from './check-builders/single-call-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectReplay } from './evidence/expect-replay.ts'
import { operationsOn } from './given/payment-operations.ts'
import { readTransactionId } from './given/payments.ts'
import { blikMandatePayment, chargeBody, irisPayment, withMember } from './given/request-bodies.ts'
import { withoutHeader } from './request-mutations/tamper-with-requests.ts'

type Step =
  | 'token only'
  | 'by payer'
  | 'by payer again'
  | 'status'
  | 'finalize'
  | 'by token'
  | 'one time'
  | 'iris'
  | 'nobody'
  | 'keyless'
  | 'read only'

/** Creates a mandate for a payer; returns the finalize exchange, whose response may hold a payment token. */
const createPayerMandate = async (context: CheckContext, payerId: string): Promise<Exchange> => {
  const { merchant, driver, account, profile } = context
  const json = blikMandatePayment(account, await driver.oneTimeCode(), payerId, 'RECURRING')
  const transactionId = readTransactionId(profile, await merchant.request('initiate', { json }))
  await driver.shopper(transactionId, 'approve')
  return operationsOn(context, transactionId).finalize()
}

const NEEDS_ID = { needs: ['fields.charge.transactionId'] }

const refused = (
  id: string,
  clause: string,
  title: string,
  step: Step,
  refusal: ExpectedRefusal = {},
  more: Partial<Check<Step>> = {},
): Check<Step> => ({
  id,
  clause,
  title,
  control: 'VAL-38',
  ...more,
  judge: (evidence, expect) => expect.refused(evidence.of(step), { ...refusal, without: 'charge.transactionId' }),
})

/** Checks of merchant-initiated charges with a mandate and without one (1, 2.5, 3 sequence 2). */
const underMandate: CheckScenario<CheckContext, Step> = {
  name: 'payments without their shopper',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, show) => {
    const { merchant, driver, account, profile } = context
    const payerId = `payer-${randomUUID()}`
    const charge = (json: unknown, more: CallParts = {}) => merchant.request('charge', { ...more, json })
    const tokenOnly = blikMandatePayment(account, await driver.oneTimeCode(), payerId, 'TOKEN_ONLY')
    await show('token only', merchant.request('initiate', { json: tokenOnly }))
    const paymentToken = findField(profile, await createPayerMandate(context, payerId), 'finalize.paymentToken')
    const byPayer = chargeBody(account, { payerId }, true)
    const key = { idempotencyKey: randomUUID() }
    const charged = await show('by payer', charge(byPayer, key))
    await show('by payer again', charge(byPayer, key))
    const transactionId = findField(profile, charged, 'charge.transactionId')
    if (transactionId !== undefined) {
      await show('status', operationsOn(context, String(transactionId)).status())
      await show('finalize', operationsOn(context, String(transactionId)).finalize())
    }
    if (paymentToken !== undefined)
      await show('by token', charge(chargeBody(account, { paymentToken: String(paymentToken) })))
    const { paymentDetails, providerDetails } = irisPayment(account)
    await show('one time', charge(withMember(chargeBody(account, { payerId }), 'transactionType', 'ONE_TIME')))
    if (offersMethod(profile, 'IRIS'))
      await show('iris', charge({ ...chargeBody(account, { payerId }), paymentDetails, providerDetails }))
    await show('nobody', charge(chargeBody(account, { payerId: `payer-${randomUUID()}` })))
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
      judge: (evidence, expect) => expect.served(evidence.of('by payer')),
    },
    {
      id: 'VAL-39',
      clause: '2.3',
      title: 'a charge by paymentToken alone is valid',
      needs: ['fields.finalize.paymentToken'],
      judge: (evidence, expect) => expect.served(evidence.of('by token')),
    },
    refused('VAL-40', '2.5', 'a charge of a type other than RECURRING is refused', 'one time', {}, assumed('D-64')),
    refused('VAL-41', '1', 'a charge on IRIS is refused', 'iris'),
    {
      id: 'VAL-45',
      clause: '1',
      title: 'a charge of a payer with no valid mandate is refused, or declined',
      control: 'VAL-38',
      judge: (evidence, expect) =>
        expectRefusedOrDeclined(evidence.of('nobody'), expect, { without: 'charge.transactionId' }),
    },
    refused('IDM-03', 'I1', 'charge without Idempotency-Key is refused and nothing happens', 'keyless', {
      or: UNSTATED_STATUSES.key,
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
      control: 'VAL-38',
      needs: [...NEEDS_ID.needs, ...WITH_STATES.needs],
      judge: (evidence, expect) => expect.inCategory(evidence.of('status'), 'captured', 'settled'),
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

/** Checks of charge: who may be charged, and the resulting payment (1, 2.3, 2.5, 3). */
export const charges = [underMandate, nobodyNamed]

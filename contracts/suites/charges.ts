import { randomUUID } from 'node:crypto'
import type { CallParts } from '../client/call.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Check, Journey } from '../harness/check.ts'
import type { Refusal } from '../harness/expect.ts'
import { findField } from '../harness/slots.ts'
import { UNSTATED } from '../protocol/reason-codes.ts'
import { on } from './acts.ts'
import { without } from './alter.ts'
import { chargeOf, edit, irisPayment, keptPayment } from './bodies.ts'
import { transactionIdOf } from './given.ts'
import { isReplay } from './idempotency.ts'
import { probing, saysNo } from './probe.ts'
import { NEEDS, WITH_STATES } from './stages.ts'
import type { World } from './world.ts'

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

/** A payer who has consented to be kept; the answer of finalize may tell a token. */
const keep = async (world: World, payerId: string): Promise<Exchange> => {
  const { merchant, operator, account, profile } = world
  const json = keptPayment(account, await operator.oneTimeCode(), payerId, 'RECURRING')
  const transactionId = transactionIdOf(profile, await merchant.request('initiate', { json }))
  await operator.shopper(transactionId, 'approve')
  return on(world, transactionId).finalize()
}

const NEEDS_ID = { needs: ['fields.charge.transactionId'] }

const refused = (
  id: string,
  clause: string,
  title: string,
  step: Step,
  refusal: Refusal = {},
  more: Partial<Check<Step>> = {},
): Check<Step> => ({
  id,
  clause,
  title,
  control: 'VAL-38',
  ...more,
  judge: (evidence, expect) => expect.refused(evidence.of(step), { ...refusal, without: 'charge.transactionId' }),
})

/** Payments with no shopper present, under a mandate and without one (1, 2.5, 3 sequence 2). */
const underMandate: Journey<World, Step> = {
  name: 'payments without their shopper',
  tier: 3,
  needs: NEEDS,
  play: async (world, show) => {
    const { merchant, operator, account, profile } = world
    const payerId = `payer-${randomUUID()}`
    const charge = (json: unknown, more: CallParts = {}) => merchant.request('charge', { ...more, json })
    const tokenOnly = keptPayment(account, await operator.oneTimeCode(), payerId, 'TOKEN_ONLY')
    await show('token only', merchant.request('initiate', { json: tokenOnly }))
    const paymentToken = findField(profile, await keep(world, payerId), 'finalize.paymentToken')
    const byPayer = chargeOf(account, { payerId }, true)
    const key = { idempotencyKey: randomUUID() }
    const charged = await show('by payer', charge(byPayer, key))
    await show('by payer again', charge(byPayer, key))
    const transactionId = findField(profile, charged, 'charge.transactionId')
    if (transactionId !== undefined) {
      await show('status', on(world, String(transactionId)).status())
      await show('finalize', on(world, String(transactionId)).finalize())
    }
    if (paymentToken !== undefined)
      await show('by token', charge(chargeOf(account, { paymentToken: String(paymentToken) })))
    const { paymentDetails, providerDetails } = irisPayment(account)
    await show('one time', charge(edit(chargeOf(account, { payerId }), 'transactionType', 'ONE_TIME')))
    await show('iris', charge({ ...chargeOf(account, { payerId }), paymentDetails, providerDetails }))
    await show('nobody', charge(chargeOf(account, { payerId: `payer-${randomUUID()}` })))
    const keyless = { afterSigning: without('idempotency-key') }
    await show('keyless', merchant.request('charge', { json: chargeOf(account, { payerId }) }, keyless))
    await show('read only', charge(chargeOf(account, { payerId }), { scope: 'payments:read' }))
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
      judge: (evidence, expect) => saysNo(evidence.of('nobody'), expect, { without: 'charge.transactionId' }),
    },
    refused('IDM-03', 'I1', 'charge without Idempotency-Key is refused and nothing happens', 'keyless', {
      or: UNSTATED.key,
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
      judge: (evidence, expect) => isReplay(evidence.of('by payer again'), evidence.of('by payer'), expect),
    },
    {
      id: 'LIF-03',
      clause: '2.1, 3',
      title: 'with autoCapture true, charge captures as well',
      control: 'VAL-38',
      needs: [...NEEDS_ID.needs, ...WITH_STATES.needs],
      judge: (evidence, expect) => expect.category(evidence.of('status'), 'captured', 'settled'),
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

function assumed(decision: string): Partial<Check<Step>> {
  return { basis: 'assumed', decisions: [decision] }
}

const nobodyNamed = probing({ name: 'charges that name nobody', tier: 2 }, [
  {
    id: 'VAL-37',
    clause: '2.3, 2.5',
    title: 'a charge with neither payerId nor paymentToken: 400',
    control: 'VAL-38',
    refused: { status: 400, without: 'charge.transactionId' },
    send: ({ merchant, account }) =>
      merchant.request('charge', { json: { ...chargeOf(account, { payerId: '' }), payerDetails: {} } }),
  },
])

/** What may be charged, and what comes of it (1, 2.3, 2.5, 3). */
export const charges = [underMandate, nobodyNamed]

import { randomUUID } from 'node:crypto'
import { type Exchange, isServed } from '../../client/http-exchange.ts'
import type { CheckScenario } from '../../harness/judge/check.ts'
import type { KeepStep } from '../../harness/judge/scenario-evidence.ts'
import { untakenReason } from '../../harness/profile/create-request-dialect.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import { chargeUntilServed } from '../charges-without-mandate.ts'
import { lastingMandate } from '../check-builders/lasting-mandate.ts'
import type { CheckContext } from '../context/check-context.ts'
import { readSumUntil } from '../evidence/expect-captured-or-refunded-sum.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import { ensureServed, letShopper, preparePayment, waitForSettlement } from '../given/create-payments.ts'
import { searchFor } from '../given/harmless-calls.ts'
import { readStatusUntil, readUntil } from '../given/read-until.ts'
import { blikMandatePayment, chargeBody, uniqueReference } from '../given/request-bodies.ts'
import { APPROVED, bankSeconds } from '../shopper-decisions.ts'
import { lackedOperation } from './cell-judgments.ts'
import {
  BY_HAND,
  CAPTURED,
  isCharge,
  KINDS,
  KINDS_OF_PAYMENT_ROWS,
  type Kind,
  lackedKind,
  TOO_MUCH,
  WHOLE,
  wayOf,
} from './kinds-of-payment-rows.ts'
import { findsNothing } from './search-rows.ts'
import { mandatePayer } from './signed-operation-columns.ts'

type Beginning = {
  operation: 'initiate' | 'charge'
  json: { clientTransactionId: string; payerDetails?: { payerId?: string | undefined } }
}

/** Prepares the call that begins a payment of a kind, for the whole amount and captured with its authorization or by hand. */
export const prepare = async (
  context: CheckContext,
  kind: Kind,
  autoCapture = kind !== BY_HAND,
): Promise<Beginning> => {
  const { account, shopper } = context
  if (isCharge(kind)) {
    const json = chargeBody(account, await mandatePayer(context), autoCapture)
    return { operation: 'charge', json }
  }
  if (kind === 'BLIK' || kind === 'IRIS')
    return { operation: 'initiate', json: await preparePayment(context, { method: kind, autoCapture }) }
  const body = blikMandatePayment(account, uniqueReference(), 'RECURRING')
  const paymentDetails = { ...body.paymentDetails, autoCapture }
  return { operation: 'initiate', json: await shopper.prepare({ ...body, paymentDetails }, 'approve') }
}

/** Lets the shopper of an initiated payment approve it, and finalizes it. */
export const authorize = async (context: CheckContext, initiated: Exchange, kind: Kind): Promise<void> => {
  const { profile } = context
  const method = kind === 'IRIS' ? 'IRIS' : 'BLIK'
  const id = await letShopper(profile, context, initiated, { method })
  await readStatusUntil(profile, context, id, [...APPROVED, 'declined'], { withinSeconds: bankSeconds(profile) })
  await ensureServed(profile, operationsOn(context, id).finalize())
}

/** Leads a payment of a kind from its first call, which is repeated under its key, to its refund. */
const follow = async (context: CheckContext, kind: Kind, keep: KeepStep<string>): Promise<void> => {
  const { profile, merchant } = context
  const { operation, json } = await prepare(context, kind)
  const call = { json, idempotencyKey: randomUUID() }
  const begun = await keep('begun', merchant.request(operation, call))
  await ensureServed(profile, Promise.resolve(begun))
  const id = String(findField(profile, begun, `${operation}.transactionId`))
  const search = () => searchFor(context, json.clientTransactionId)
  await keep(
    'found',
    readUntil(profile, search, it => !findsNothing(profile, it), context),
  ).catch(() => undefined)
  await keep('replay', merchant.request(operation, call))
  if (operation === 'initiate') await authorize(context, begun, kind)
  const { status, refund, capture, cancel } = operationsOn(context, id)
  if (kind === BY_HAND) {
    await keep('authorized', readStatusUntil(profile, context, id, ['authorized', ...CAPTURED, 'declined']))
    await keep('capture', capture())
  }
  await keep('captured', readStatusUntil(profile, context, id, [...CAPTURED, 'declined']))
  await keep('captured sum', readSumUntil(context, id, 'captured', WHOLE))
  await waitForSettlement(profile, context, id)
  await keep('settled', status())
  if (lackedOperation(profile, 'capture') === undefined) {
    await keep('capture again', capture())
    await keep('cancel', cancel())
  }
  if (untakenReason(profile, 'refund', 'paymentDetails.amount') === undefined) {
    const tooMuch = await keep('too much', refund(TOO_MUCH))
    if (isServed(tooMuch)) await keep('sum of too much', readSumUntil(context, id, 'refunded', TOO_MUCH))
  }
  await keep('refund', refund())
  await keep('refunded sum', readSumUntil(context, id, 'refunded', WHOLE))
  const { payerId = '' } = json.payerDetails ?? {}
  if (kind === 'RECURRING') await keep('charge', chargeUntilServed(context, id, { payerId })).catch(() => undefined)
  await keep('found again', search()).catch(() => undefined)
}

/** Scenario with the grid rows of rule × kind of payment, each led from its first call to its refund (1, 3). */
export const kindsOfPaymentGrid: CheckScenario<CheckContext> = {
  name: 'every kind of payment from its first call to its refund',
  tier: 3,
  needs: ['fields.initiate.transactionId'],
  play: async (context, keep) => {
    for (const kind of KINDS) {
      if (lackedKind(context.profile, kind) !== undefined) continue
      const keepOfKind: KeepStep<string> = (step, exchange) => keep(`${kind} ${step}`, exchange)
      await follow(context, kind, keepOfKind).catch(why =>
        keepOfKind('ended early', Promise.reject(why)).catch(() => undefined),
      )
    }
  },
  checks: [
    ...KINDS_OF_PAYMENT_ROWS,
    lastingMandate({
      id: 'VAL-65',
      after: 'the payment that made it was refunded',
      premises: ['refund'],
      charge: 'charge',
      find: (evidence, step) => wayOf(evidence, 'RECURRING').of(step),
    }),
  ],
}

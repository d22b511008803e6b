import { describeExchange, isServed, responseJson } from '../client/http-exchange.ts'
import { jsonLeaves } from '../dialect/json-pointer.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { operationsOn } from '../suites/given/calls-on-payment.ts'
import { createMandatePayment } from '../suites/given/create-mandate-payments.ts'
import { createApprovedPayment } from '../suites/given/create-payments.ts'
import { chargeBody, uniqueReference } from '../suites/given/request-bodies.ts'
import { createProbeResult, mergeProbeResults, type ProbeResult } from './probe-findings.ts'
import { findTransactionId } from './scout-initiate-fields.ts'

/** Learns where finalize holds the payment token of a mandate, and charge the transaction id (S09, S10). */
export const scoutMandateFields = async (context: CheckContext): Promise<ProbeResult> => {
  const { merchant, account, profile } = context
  const payerId = uniqueReference()
  const plain = await operationsOn(context, await createApprovedPayment(profile, context, false)).finalize()
  const kept = await createMandatePayment(profile, context, 'RECURRING', { payerId })
  const finalized = await operationsOn(context, kept).finalize()
  const before = new Set(jsonLeaves(responseJson(plain)).map(({ pointer }) => pointer))
  const fresh = jsonLeaves(responseJson(finalized)).filter(
    ({ pointer, value }) => !before.has(pointer) && isToken(value) && value !== payerId,
  )
  const charge = chargeBody(account, { payerId })
  const charged = await merchant.request('charge', { json: charge })
  const id = isServed(charged)
    ? await findTransactionId(context, charged, [charge.clientTransactionId, account])
    : undefined
  return mergeProbeResults([
    createProbeResult(
      'fields.finalize.paymentToken',
      fresh[0]?.pointer,
      `only a mandate has it: ${describeExchange(finalized)}`,
    ),
    createProbeResult(
      'fields.charge.transactionId',
      id?.pointer,
      id ? `its value opens a status: ${describeExchange(id.read)}` : describeExchange(charged),
    ),
  ])
}

const isToken = (value: unknown): boolean => /^[\w.~-]{8,}$/.test(String(value))

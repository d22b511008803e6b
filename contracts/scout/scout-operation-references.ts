import { describeExchange, type Exchange, isServed } from '../client/http-exchange.ts'
import { takesMember } from '../dialect/request-lens.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { anyPayment, readTransactionId } from '../suites/given/create-payments.ts'
import { cancelBody } from '../suites/given/request-bodies.ts'
import { failureAsOpenLine } from './failure-as-open-line.ts'
import { createProbeResult, mergeProbeResults, type ProbeResult } from './probe-findings.ts'

const LINE = 'decisions.D-48'

/** Checks that send the same cancel, which therefore cannot confirm what was learned. */
const SAME_CALL = ['LIF-30', 'LIF-31', 'GRD-13']

/**
 * Learns whether the reference of a cancel is its own or that of its payment (D-48): no later call on a payment is
 * understood without it. Makes one payment.
 */
export const scoutOperationReferences = async (context: CheckContext): Promise<ProbeResult> =>
  takesMember(context.profile, 'cancel', 'clientTransactionId')
    ? failureAsOpenLine(cancelByBothReferences(context), `${LINE}: `)
    : mergeProbeResults([])

const cancelByBothReferences = async (context: CheckContext): Promise<ProbeResult> => {
  const { merchant, account, profile } = context
  const payment = await anyPayment(profile, context)
  const transactionId = readTransactionId(profile, await merchant.request('initiate', { json: payment }))
  const own = cancelBody(account, transactionId)
  const first = await merchant.request('cancel', { json: own })
  const evidence = `a cancel with a reference of its own: ${describeExchange(first)}`
  if (isUnderstood(first)) return createProbeResult(LINE, 'of-operation', evidence, SAME_CALL)
  const repeated = { ...own, clientTransactionId: payment.clientTransactionId }
  const isOfPayment =
    first.response?.status === 400 && isUnderstood(await merchant.request('cancel', { json: repeated }))
  return createProbeResult(LINE, isOfPayment ? 'of-payment' : undefined, evidence, SAME_CALL)
}

/** Whether a cancel was done, or refused for the state of its payment (D-39). */
const isUnderstood = (exchange: Exchange): boolean => isServed(exchange) || exchange.response?.status === 422

import { randomUUID } from 'node:crypto'
import type { CallParts } from '../../client/endpoint-call.ts'
import { yesterday } from '../../client/wall-clock.ts'
import { hasCapability } from '../../harness/profile/capabilities-that-checks-need.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import { type OperationName, operationAddress, REPORTS_SCOPE } from '../../operations.ts'
import type { CheckContext } from '../context/check-context.ts'
import { createMandatePayment } from '../given/create-mandate-payments.ts'
import {
  AFTER_FINALIZE,
  createApprovedPayment,
  createAuthorizedPayment,
  createSettledPayment,
  preparePayment,
} from '../given/create-payments.ts'
import { mockBody } from '../given/mocks.ts'
import { readStatusUntil } from '../given/read-until.ts'
import {
  cancelBody,
  captureBody,
  chargeBody,
  finalizeBody,
  refundBody,
  uniqueReference,
} from '../given/request-bodies.ts'
import { findReportIds, listReports } from './report-calls.ts'

/** A signed operation as a column of the grid: a correct call of it, and what it works on. */
export type SignedCall = {
  column: OperationName
  /** Prepares a correct call, with the payment or mandate that it works on. */
  prepare(context: CheckContext): Promise<CallParts>
  /** Whether it works on a payment that its body names, whose sums can be compared before and after. */
  moves?: true
  /** Statuses by which the operation answers this call when it is let in, beside 2xx. */
  letIn?: readonly number[]
}

/**
 * Whether the grid captures its payments by a call of capture, where the service offers that; else finalize and charge
 * capture them (3).
 */
export const isByHand = ({ profile }: CheckContext): boolean => hasCapability(profile, 'manualCapture')

/** A mandate by what a charge names it by: the payer id, or the payment token where finalize told one (2.3, 2.5). */
export type MandateNames = { payerId: string; paymentToken?: string }

/** Creates a payer with a mandate that can be charged (2.3, 2.5). */
export const createMandate = async (context: CheckContext): Promise<MandateNames> => {
  const { merchant, profile, account } = context
  const payerId = uniqueReference()
  const transactionId = await createMandatePayment(profile, context, 'RECURRING', { payerId })
  const finalized = await merchant.request('finalize', { json: finalizeBody(account, transactionId) })
  await readStatusUntil(profile, context, transactionId, AFTER_FINALIZE)
  const paymentToken = findField(profile, finalized, 'finalize.paymentToken')
  return { payerId, ...(paymentToken !== undefined && { paymentToken: String(paymentToken) }) }
}

/** Creates a mandate that can be charged, and returns the payer details of such a charge. */
export const mandatePayer = async (context: CheckContext): Promise<{ payerId: string }> => {
  const { payerId } = await createMandate(context)
  return { payerId }
}

const readOf = async (context: CheckContext): Promise<CallParts> => ({
  path: { transactionId: await context.given.payment() },
})
const listedReport = async (context: CheckContext): Promise<CallParts> => {
  const [reportId = randomUUID()] = findReportIds(await listReports(context))
  return { query: { reportId }, scope: REPORTS_SCOPE }
}

/** Every operation behind the three layers of clause 5, in the order of the lifecycle. */
// biome-ignore format: a table reads by its columns
export const SIGNED_CALLS: readonly SignedCall[] = [
  { column: 'token',          prepare: async ({ merchant }) => ({ form: merchant.tokenForm('payments:read') }) },
  { column: 'initiate',       prepare: async context => ({ json: await preparePayment(context) }) },
  { column: 'finalize',       prepare: async context => ({ json: finalizeBody(context.account, await createApprovedPayment(context.profile, context, !isByHand(context))) }), moves: true },
  { column: 'charge',         prepare: async context => ({ json: chargeBody(context.account, await mandatePayer(context), !isByHand(context)) }) },
  { column: 'capture',        prepare: async context => ({ json: captureBody(context.account, await createAuthorizedPayment(context.profile, context)) }), moves: true },
  { column: 'cancel',         prepare: async context => ({ json: cancelBody(context.account, await createAuthorizedPayment(context.profile, context)) }), moves: true },
  { column: 'refund',         prepare: async context => ({ json: refundBody(context.account, await createSettledPayment(context.profile, context)) }), moves: true },
  { column: 'status',         prepare: readOf },
  { column: 'events',         prepare: readOf },
  { column: 'search',         prepare: async () => ({ json: { clientTransactionId: uniqueReference() } }) },
  { column: 'providers',      prepare: async () => ({ json: { country: 'PL' } }) },
  { column: 'reports',        prepare: async () => ({ query: { from: yesterday(), to: yesterday() }, scope: REPORTS_SCOPE }) },
  { column: 'downloadReport', prepare: listedReport, letIn: [404] },
  { column: 'mockSet',        prepare: async ({ account }) => ({ json: mockBody(account, { payer: uniqueReference(), oneTime: true }) }) },
]

/** Whether an operation is a POST in a deployment, whose body has a digest (5.2). */
export const hasBody = ({ profile }: Pick<CheckContext, 'profile'>, column: OperationName): boolean =>
  operationAddress(column, profile.paths).method === 'POST'

import type { WireRequest } from '../../client/http-exchange.ts'
import { valueAtPointer } from '../../dialect/json-pointer.ts'
import { createAddressTable } from '../../dialect/operation-path-table.ts'
import { OPERATION_NAMES, OPERATIONS, type OperationName, startsPayment } from '../../operations.ts'
import { parseJson } from '../../protocol/parse-json-keeping-big-integers.ts'
import { hasCapability } from '../profile/capabilities-that-checks-need.ts'
import { requestPointer } from '../profile/create-request-dialect.ts'
import type { Profile } from '../profile/profile.ts'

/**
 * A call that may leave something behind at a deployment: its operation, payment, amount as it was sent (S01), and
 * whether finalize captures (D-02), where request or profile says so.
 */
export type WriteCall = {
  operation: OperationName
  key?: string
  transactionId?: string
  clientTransactionId?: string
  amount?: number
  currency?: string
  autoCapture?: boolean
}

const WRITES = OPERATION_NAMES.filter(name => OPERATIONS[name].scope === 'payments:process')

/** Path of an address as it was written: `URL` would encode what is not ASCII, unlike the lines of a profile. */
const PATH = /^\w+:\/\/[^/]*([^?]*)/

/** Reads which write a request makes, from where the profile puts its members; undefined for a read. */
export const readWriteCall = (
  profile: Profile,
  { method, url, headers, body, endpoint }: WireRequest,
): WriteCall | undefined => {
  const basePath = new URL(profile.target.baseUrl).pathname.replace(/\/$/, '')
  const table = createAddressTable(profile.paths, basePath)
  const address = table.find(method, PATH.exec(url)?.[1] ?? '', new URL(url).searchParams)
  const operation = WRITES.find(name => name === (endpoint ?? address?.operation))
  if (method !== 'POST' || operation === undefined) return undefined
  const json = jsonIn(body)
  const inPath = address?.operation === operation ? address.parameters : {}
  const member = (name: string): unknown =>
    valueAtPointer(json, requestPointer(profile, operation, name)) ?? inPath[name]
  const amount = member('paymentDetails.amount')
  const isStart = startsPayment(operation)
  const autoCapture = member('paymentDetails.autoCapture') ?? (isStart ? usualAutoCapture(profile) : undefined)
  const [currency, transactionId] = [member('paymentDetails.currency'), member('transactionId')]
  const clientTransactionId = isStart ? member('clientTransactionId') : undefined
  return {
    operation,
    ...(headers['idempotency-key'] === undefined ? {} : { key: headers['idempotency-key'] }),
    ...(transactionId === undefined ? {} : { transactionId: String(transactionId) }),
    ...(typeof clientTransactionId === 'string' ? { clientTransactionId } : {}),
    ...(Number.isFinite(Number(amount ?? Number.NaN)) ? { amount: Number(amount) } : {}),
    ...(typeof currency === 'string' ? { currency } : {}),
    ...(typeof autoCapture === 'boolean' ? { autoCapture } : {}),
  }
}

/** Whether payments that do not say so are captured by finalize; undefined where the profile does not tell. */
const usualAutoCapture = (profile: Profile): boolean | undefined => {
  const chosen = profile.decisions?.['D-02']
  if (chosen !== undefined) return chosen === 'on'
  return hasCapability(profile, 'manualCapture') ? undefined : true
}

const jsonIn = (body: Uint8Array | undefined): unknown => {
  try {
    return parseJson(Buffer.from(body ?? []).toString('utf8'))
  } catch {
    return undefined
  }
}

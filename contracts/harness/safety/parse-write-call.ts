import type { WireRequest } from '../../client/http-exchange.ts'
import { valueAtPointer } from '../../dialect/json-pointer.ts'
import { OPERATION_NAMES, OPERATIONS, type OperationName, operationAddress } from '../../operations.ts'
import { parseJson } from '../../protocol/parse-json-keeping-big-integers.ts'
import { requestPointer } from '../profile/create-request-dialect.ts'
import type { Profile } from '../profile/profile.ts'

/** A call that may leave something behind at a deployment: its operation, payment, and amount as it was sent (S01). */
export type WriteCall = {
  operation: OperationName
  key?: string
  transactionId?: string
  amount?: number
  currency?: string
  autoCapture?: boolean
}

const WRITES = OPERATION_NAMES.filter(name => OPERATIONS[name].scope === 'payments:process')

/** Reads which write a request makes, from where the profile puts its members; undefined for a read. */
export const readWriteCall = (profile: Profile, { method, url, headers, body }: WireRequest): WriteCall | undefined => {
  const path = new URL(url).pathname.slice(new URL(profile.target.baseUrl).pathname.replace(/\/$/, '').length)
  const operation = WRITES.find(name => operationAddress(name, profile.paths).path === path)
  if (method !== 'POST' || operation === undefined) return undefined
  const json = jsonIn(body)
  const member = (name: string): unknown => valueAtPointer(json, requestPointer(profile, operation, name))
  const [amount, autoCapture] = [member('paymentDetails.amount'), member('paymentDetails.autoCapture')]
  const [currency, transactionId] = [member('paymentDetails.currency'), member('transactionId')]
  return {
    operation,
    ...(headers['idempotency-key'] === undefined ? {} : { key: headers['idempotency-key'] }),
    ...(transactionId === undefined ? {} : { transactionId: String(transactionId) }),
    ...(Number.isFinite(Number(amount ?? Number.NaN)) ? { amount: Number(amount) } : {}),
    ...(typeof currency === 'string' ? { currency } : {}),
    ...(typeof autoCapture === 'boolean' ? { autoCapture } : {}),
  }
}

const jsonIn = (body: Uint8Array | undefined): unknown => {
  try {
    return parseJson(Buffer.from(body ?? []).toString('utf8'))
  } catch {
    return undefined
  }
}

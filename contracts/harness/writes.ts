import { ENDPOINTS, type EndpointName } from '../client/endpoints.ts'
import type { WireRequest } from '../client/exchange.ts'
import type { Profile } from './profile.ts'
import { at } from './slots.ts'
import { pointerOf } from './spelling.ts'

/** A call that may leave something behind: what it would do, to what, and for how much as the amount was sent (S01). */
export type Write = {
  operation: EndpointName
  key?: string
  transactionId?: string
  amount?: number
  currency?: string
  autoCapture?: boolean
}

const WRITES = ['initiate', 'finalize', 'charge', 'capture', 'cancel', 'refund', 'mockSet'] as const

/** Writes that may move money of their own. */
export const PAYING: readonly string[] = ['initiate', 'charge']

/** What a request would write, read where the profile says that its members stand; undefined for a read. */
export const writeOf = (profile: Profile, { method, url, headers, body }: WireRequest): Write | undefined => {
  const path = new URL(url).pathname.slice(new URL(profile.target.baseUrl).pathname.replace(/\/$/, '').length)
  const operation = WRITES.find(name => (profile.paths?.[name] ?? ENDPOINTS[name].path) === path)
  if (method !== 'POST' || operation === undefined) return undefined
  const json = jsonIn(body)
  const member = (name: string): unknown => at(json, pointerOf(profile, operation, name))
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
    return JSON.parse(Buffer.from(body ?? []).toString('utf8'))
  } catch {
    return undefined
  }
}

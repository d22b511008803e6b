import type { ProviderOperation } from '../../contracts/operations.ts'
import { HOUR, SECOND } from '../../simulator/support/duration.ts'
import {
  advanceTo,
  applyMove,
  authorizeModel,
  createPaymentModel,
  leavesUnchanged,
  type Move,
  type PaymentModel,
  type PaymentStart,
  refusalOf,
} from './payment-model.ts'

/** A BLIK code in the reference model: digits, expiry and whether it was used. */
export type BlikCodeModel = { digits: string; expiresAt: number; used: boolean }

/** A merchant call, reduced to what decides its response. */
export type ModelCall = { name: string } & (
  | ({ operation: 'initiate'; code: BlikCodeModel | undefined } & PaymentStart)
  | ({ operation: 'charge' } & PaymentStart)
  | { operation: Exclude<Move, 'approve' | 'decline'>; on: PaymentModel; amount: number | undefined }
)

/** A call with its Idempotency-Key and the response stored under it. */
export type KeyedCall = {
  key: string
  call: ModelCall
  request: object
  remembers?: { http: number; until: number; text?: string }
}

export type ArmedFault = {
  operation: ProviderOperation
  fault: FaultName
  provider?: PaymentModel['provider']
  after?: number
}

/** Injected provider faults by name, each with the HTTP status of its response and the fault to arm. */
// biome-ignore format: a table reads by its columns
export const FAULTS = {
  decline:  { http: 200, armedFault: { kind: 'decline' } },
  error:    { http: 502, armedFault: { kind: 'error' } },
  internal: { http: 500, armedFault: { kind: 'internal' } },
  locked:   { http: 423, armedFault: { kind: 'locked' } },
  undone:   { http: 504, armedFault: { kind: 'timeout', done: 'no' } },
  done:     { http: 504, armedFault: { kind: 'timeout', done: 'yes' } },
  late:     { http: 504, armedFault: { kind: 'timeout', done: 'late' } },
} as const
export type FaultName = keyof typeof FAULTS

/** Reference model of one merchant: payments and all state that decides the next response. */
type ShopModel = {
  payments: PaymentModel[]
  consented: boolean
  faults: ArmedFault[]
  late: { keyed: KeyedCall; dueAt: number }[]
}

export const createShopModel = (): ShopModel => ({ payments: [], consented: false, faults: [], late: [] })

/** Advances all payments to an instant; late provider responses apply in order. */
export const advanceShopTo = (shop: ShopModel, now: number): void => {
  const due = shop.late.filter(({ dueAt }) => dueAt <= now).sort((one, other) => one.dueAt - other.dueAt)
  for (const late of due) {
    for (const payment of shop.payments) advanceTo(payment, late.dueAt)
    shop.late.splice(shop.late.indexOf(late), 1)
    const { keyed, dueAt } = late
    const refusal = refused(shop, keyed.call, dueAt)
    if (!refusal) carryOut(shop, keyed.call, dueAt)
    remember(keyed, refusal ?? 200, dueAt)
  }
  for (const payment of shop.payments) advanceTo(payment, now)
}

export const isKeyRemembered = ({ remembers }: KeyedCall, now: number): boolean =>
  remembers !== undefined && now < remembers.until

/** Whether the model still has a late provider response to this call pending. */
export const isPending = (shop: ShopModel, keyed: KeyedCall): boolean => shop.late.some(late => late.keyed === keyed)

const remember = (keyed: KeyedCall, http: number, now: number): number => {
  keyed.remembers = { http, until: now + 24 * HOUR }
  return http
}

/** Applies a call to the model and returns the expected HTTP status. */
export const expectedStatus = (shop: ShopModel, keyed: KeyedCall, now: number): number => {
  advanceShopTo(shop, now)
  const { call, remembers } = keyed
  if (remembers && isKeyRemembered(keyed, now)) return remembers.http
  const on = 'on' in call ? call.on : undefined
  const awaited = ({ keyed: { call: other } }: ShopModel['late'][number]) =>
    on !== undefined && 'on' in other && other.on === on
  if (isPending(shop, keyed) || shop.late.some(awaited)) return 423
  const refusal = refused(shop, call, now)
  if (refusal) return remember(keyed, refusal, now)
  const met = meet(shop, call)
  if (!met || met.fault === 'done') carryOut(shop, call, now)
  if (met?.fault === 'decline') declineCall(shop, call, now)
  if (met?.fault === 'late') shop.late.push({ keyed, dueAt: now + (met.after ?? 0) })
  if (!met || met.fault === 'decline' || met.fault === 'done') remember(keyed, 200, now)
  return met ? FAULTS[met.fault].http : 200
}

const refused = ({ consented }: ShopModel, call: ModelCall, now: number): number | undefined => {
  if ('on' in call) return refusalOf(call.on, call.operation, now, call.amount)
  if (call.provider === 'IRIS' && (call.type !== 'ONE_TIME' || !call.auto)) return 501
  return call.operation === 'charge' && !consented ? 422 : undefined
}

/** Takes the first armed fault that matches the call. */
const meet = (shop: ShopModel, call: ModelCall): ArmedFault | undefined => {
  if ('on' in call && leavesUnchanged(call.on, call.operation)) return undefined
  const { provider } = 'on' in call ? call.on : call
  const at = shop.faults.findIndex(
    armed => armed.operation === call.operation && (armed.provider ?? provider) === provider,
  )
  return at === -1 ? undefined : shop.faults.splice(at, 1)[0]
}

const carryOut = (shop: ShopModel, call: ModelCall, now: number): void => {
  if ('on' in call) carryOn(shop, call, now)
  else begin(shop, call, now)
}

const begin = (shop: ShopModel, call: Exclude<ModelCall, { on: PaymentModel }>, now: number): void => {
  const model = createPaymentModel(call.name, call, now)
  shop.payments.push(model)
  if (call.operation === 'charge') authorizeModel(model, now)
  else if (call.provider === 'BLIK') askShopper(model, call.code, now)
}

const carryOn = (
  shop: ShopModel,
  { operation, on, amount }: Extract<ModelCall, { on: PaymentModel }>,
  now: number,
): void => {
  if (operation === 'finalize' && !leavesUnchanged(on, operation) && on.type !== 'ONE_TIME') shop.consented = true
  applyMove(on, operation, amount, now)
}

const askShopper = (model: PaymentModel, code: BlikCodeModel | undefined, now: number): void => {
  if (!code || code.used || code.expiresAt <= now) model.state = 'DECLINED'
  else code.used = true
}

/** A declined capture, cancel or refund leaves the payment as it was. */
const declineCall = (shop: ShopModel, call: ModelCall, now: number): void => {
  if (!('on' in call)) shop.payments.push({ ...createPaymentModel(call.name, call, now), state: 'DECLINED' })
  else if (call.operation === 'finalize') call.on.state = 'DECLINED'
}

export const FAULT_DELAYS = { short: 10 * SECOND + 7, long: 200 * SECOND + 7 } as const

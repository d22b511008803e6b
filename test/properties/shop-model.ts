import { HOUR, SECOND } from '../../simulator/duration.ts'
import type { ProviderCall } from '../../simulator/providers/faults.ts'
import {
  authorize,
  isStill,
  live,
  type Model,
  type Move,
  modelOf,
  move,
  refusalOf,
  type Start,
} from './payment-model.ts'

/** A BLIK code as the phone shows it. */
export type Code = { digits: string; expiresAt: number; used: boolean }

/** A call of the merchant, as far as it matters what comes of it. */
export type Call = { name: string } & (
  | ({ operation: 'initiate'; code: Code | undefined } & Start)
  | ({ operation: 'charge' } & Start)
  | { operation: Exclude<Move, 'approve' | 'decline'>; on: Model; amount: number | undefined }
)

/** A call under its key, and what the key remembers. */
export type Keyed = {
  key: string
  call: Call
  request: object
  remembers?: { http: number; until: number; text?: string }
}

export type Armed = { operation: ProviderCall; fault: FaultName; provider?: Model['provider']; after?: number }

/** What the merchant is told, and whether the provider acts. */
// biome-ignore format: a table reads by its columns
export const FAULTS = {
  decline:  { http: 200, wish: { kind: 'decline' } },
  error:    { http: 502, wish: { kind: 'error' } },
  internal: { http: 500, wish: { kind: 'internal' } },
  locked:   { http: 423, wish: { kind: 'locked' } },
  undone:   { http: 504, wish: { kind: 'timeout', done: 'no' } },
  done:     { http: 504, wish: { kind: 'timeout', done: 'yes' } },
  late:     { http: 504, wish: { kind: 'timeout', done: 'late' } },
} as const
export type FaultName = keyof typeof FAULTS

/** One merchant's shop: its payments, and all that decides what the next call is answered. */
export type Shop = {
  payments: Model[]
  consented: boolean
  faults: Armed[]
  late: { keyed: Keyed; dueAt: number }[]
}

export const newShop = (): Shop => ({ payments: [], consented: false, faults: [], late: [] })

/** Lets everything live up to an instant; late providers act on their way, in order. */
export const liveAll = (shop: Shop, now: number): void => {
  const due = shop.late.filter(({ dueAt }) => dueAt <= now).sort((one, other) => one.dueAt - other.dueAt)
  for (const late of due) {
    for (const payment of shop.payments) live(payment, late.dueAt)
    shop.late.splice(shop.late.indexOf(late), 1)
    const { keyed, dueAt } = late
    const refusal = refused(shop, keyed.call)
    if (!refusal) carryOut(shop, keyed.call, dueAt)
    remember(keyed, refusal ?? 200, dueAt)
  }
  for (const payment of shop.payments) live(payment, now)
}

export const holds = ({ remembers }: Keyed, now: number): boolean => remembers !== undefined && now < remembers.until

/** Whether a provider still has this call to carry out. */
export const isPending = (shop: Shop, keyed: Keyed): boolean => shop.late.some(late => late.keyed === keyed)

const remember = (keyed: Keyed, http: number, now: number): number => {
  keyed.remembers = { http, until: now + 24 * HOUR }
  return http
}

/** The HTTP status of a call under its key, and what it does to the shop. */
export const answer = (shop: Shop, keyed: Keyed, now: number): number => {
  liveAll(shop, now)
  const { call, remembers } = keyed
  if (remembers && holds(keyed, now)) return remembers.http
  const on = 'on' in call ? call.on : undefined
  const awaited = ({ keyed: { call: other } }: Shop['late'][number]) =>
    on !== undefined && 'on' in other && other.on === on
  if (isPending(shop, keyed) || shop.late.some(awaited)) return 423
  const refusal = refused(shop, call)
  if (refusal) return remember(keyed, refusal, now)
  const met = meet(shop, call)
  if (!met || met.fault === 'done') carryOut(shop, call, now)
  if (met?.fault === 'decline') sayNo(shop, call, now)
  if (met?.fault === 'late') shop.late.push({ keyed, dueAt: now + (met.after ?? 0) })
  if (!met || met.fault === 'decline' || met.fault === 'done') remember(keyed, 200, now)
  return met ? FAULTS[met.fault].http : 200
}

const refused = ({ consented }: Shop, call: Call): number | undefined => {
  if ('on' in call) return refusalOf(call.on, call.operation, call.amount)
  if (call.provider === 'IRIS' && (call.type !== 'ONE_TIME' || !call.auto)) return 501
  return call.operation === 'charge' && !consented ? 422 : undefined
}

/** The first fault that waits for the call; it waits no longer. */
const meet = (shop: Shop, call: Call): Armed | undefined => {
  if ('on' in call && isStill(call.on, call.operation)) return undefined
  const { provider } = 'on' in call ? call.on : call
  const at = shop.faults.findIndex(
    armed => armed.operation === call.operation && (armed.provider ?? provider) === provider,
  )
  return at === -1 ? undefined : shop.faults.splice(at, 1)[0]
}

const carryOut = (shop: Shop, call: Call, now: number): void => {
  if ('on' in call) carryOn(shop, call, now)
  else begin(shop, call, now)
}

const begin = (shop: Shop, call: Exclude<Call, { on: Model }>, now: number): void => {
  const model = modelOf(call.name, call, now)
  shop.payments.push(model)
  if (call.operation === 'charge') authorize(model, now)
  else if (call.provider === 'BLIK') askPhone(model, call.code, now)
}

const carryOn = (shop: Shop, { operation, on, amount }: Extract<Call, { on: Model }>, now: number): void => {
  if (operation === 'finalize' && !isStill(on, operation) && on.type !== 'ONE_TIME') shop.consented = true
  move(on, operation, amount, now)
}

const askPhone = (model: Model, code: Code | undefined, now: number): void => {
  if (!code || code.used || code.expiresAt <= now) model.state = 'DECLINED'
  else code.used = true
}

/** A declined capture, cancel or refund leaves the payment as it was. */
const sayNo = (shop: Shop, call: Call, now: number): void => {
  if (!('on' in call)) shop.payments.push({ ...modelOf(call.name, call, now), state: 'DECLINED' })
  else if (call.operation === 'finalize') call.on.state = 'DECLINED'
}

export const waitFor = { short: 10 * SECOND + 7, long: 200 * SECOND + 7 } as const

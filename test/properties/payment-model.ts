import { DAY, MINUTE, SECOND } from '../../simulator/duration.ts'
import type { Payment } from '../../simulator/payments/payment.ts'

/** What a payment does, thought out a second time and as simply as can be: no table, no store, no events. */
export type Model = {
  /** The merchant's own name for it. */
  name: string
  provider: Payment['providerId']
  type: Payment['transactionType']
  amount: number
  auto: boolean
  state: string
  parts: { amount: number; settlesAt: number }[]
  refunds: number[]
  windowEnds: number
  holdEnds: number
}

export type Start = Pick<Model, 'provider' | 'type' | 'amount' | 'auto'>

const SETTLES_AFTER = 2 * SECOND

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

export const capturedOf = ({ parts }: Model): number => sum(parts.map(({ amount }) => amount))

export const settledOf = ({ parts }: Model, now: number): number =>
  sum(parts.filter(({ settlesAt }) => settlesAt <= now).map(({ amount }) => amount))

export const modelOf = (name: string, { provider, type, amount, auto }: Start, now: number): Model => ({
  name,
  provider,
  type,
  amount,
  auto,
  state: 'AWAITING_SHOPPER',
  parts: [],
  refunds: [],
  windowEnds: now + (provider === 'BLIK' ? 45 * SECOND : 30 * MINUTE),
  holdEnds: Number.POSITIVE_INFINITY,
})

/** Lets the payment live up to an instant. */
export const live = (model: Model, now: number): void => {
  const { state, windowEnds, holdEnds } = model
  if (state === 'AWAITING_SHOPPER' && windowEnds <= now) model.state = 'EXPIRED'
  if (state === 'AUTHORIZED' && holdEnds <= now) model.state = 'EXPIRED'
  if (state === 'PARTIALLY_CAPTURED' && holdEnds <= now) model.state = 'CAPTURED'
  if (model.state === 'CAPTURED' && settledOf(model, now) === capturedOf(model)) model.state = 'SETTLED'
}

/** What is called on a payment: by the merchant, or by the shopper. */
export type Move = 'approve' | 'decline' | 'finalize' | 'capture' | 'cancel' | 'refund'

// biome-ignore format: a table reads by its columns
const ALLOWED: Readonly<Record<Move, readonly string[]>> = {
  approve:  ['AWAITING_SHOPPER'],
  decline:  ['AWAITING_SHOPPER'],
  finalize: ['AWAITING_SHOPPER', 'AUTHENTICATED'],
  capture:  ['AUTHORIZED', 'PARTIALLY_CAPTURED'],
  cancel:   ['AUTHORIZED'],
  refund:   ['SETTLED', 'PARTIALLY_REFUNDED'],
}

/** The HTTP status with which a move is refused; undefined where it is not. */
export const refusalOf = (model: Model, move: Move, amount = 0): number | undefined => {
  if (!ALLOWED[move].includes(model.state)) return 422
  if (move === 'capture' && amount > model.amount - capturedOf(model)) return 422
  if (move === 'refund' && amount > capturedOf(model) - sum(model.refunds)) return 422
  if (move === 'refund' && model.provider === 'IRIS' && model.refunds.length > 0) return 501
  return undefined
}

/** Finalize before the shopper has decided is answered without the provider, and moves nothing. */
export const isStill = ({ state }: Model, move: Move): boolean => move === 'finalize' && state === 'AWAITING_SHOPPER'

/** Carries out a move that is not refused. */
export const move = (model: Model, what: Move, amount: number | undefined, now: number): void => {
  if (isStill(model, what)) return
  if (what === 'approve') model.state = 'AUTHENTICATED'
  if (what === 'decline') model.state = 'DECLINED'
  if (what === 'cancel') model.state = 'CANCELED'
  if (what === 'finalize') authorize(model, now)
  if (what === 'capture') take(model, amount ?? model.amount - capturedOf(model), now)
  if (what === 'refund') {
    model.refunds.push(amount ?? capturedOf(model) - sum(model.refunds))
    model.state = sum(model.refunds) === capturedOf(model) ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  }
}

/** What completes a consent, and what a charge begins with. */
export const authorize = (model: Model, now: number): void => {
  model.state = model.type === 'TOKEN_ONLY' ? 'TOKENIZED' : 'AUTHORIZED'
  model.holdEnds = now + 7 * DAY
  if (model.auto && model.state === 'AUTHORIZED') take(model, model.amount, now)
}

const take = (model: Model, amount: number, now: number): void => {
  model.parts.push({ amount, settlesAt: now + SETTLES_AFTER })
  model.state = capturedOf(model) === model.amount ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
}

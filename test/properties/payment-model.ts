import type { Payment } from '../../simulator/payments/payment.ts'
import { DAY, MINUTE, SECOND } from '../../simulator/support/duration.ts'

/** Reference model of one payment, independent of the product: no state table, store or events. */
export type PaymentModel = {
  /** clientTransactionId. */
  name: string
  provider: Payment['providerId']
  type: Payment['transactionType']
  amount: number
  auto: boolean
  state: string
  parts: { amount: number; settlesAt: number }[]
  refunds: number[]
  windowEnds: number
  consentEnds: number
  holdEnds: number
}

export type PaymentStart = Pick<PaymentModel, 'provider' | 'type' | 'amount' | 'auto'>

const SETTLES_AFTER = 2 * SECOND

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

export const capturedOf = ({ parts }: PaymentModel): number => sum(parts.map(({ amount }) => amount))

export const settledOf = ({ parts }: PaymentModel, now: number): number =>
  sum(parts.filter(({ settlesAt }) => settlesAt <= now).map(({ amount }) => amount))

export const createPaymentModel = (
  name: string,
  { provider, type, amount, auto }: PaymentStart,
  now: number,
): PaymentModel => ({
  name,
  provider,
  type,
  amount,
  auto,
  state: 'AWAITING_SHOPPER',
  parts: [],
  refunds: [],
  windowEnds: now + (provider === 'BLIK' ? 45 * SECOND : 30 * MINUTE),
  consentEnds: Number.POSITIVE_INFINITY,
  holdEnds: Number.POSITIVE_INFINITY,
})

/** Applies settlement and expiry to the model of a payment, up to an instant in epoch milliseconds. */
export const advanceTo = (model: PaymentModel, now: number): void => {
  const { state, windowEnds, consentEnds, holdEnds } = model
  if (state === 'AWAITING_SHOPPER' && windowEnds <= now) model.state = 'EXPIRED'
  if (state === 'AUTHENTICATED' && consentEnds <= now) model.state = 'EXPIRED'
  if (state === 'AUTHORIZED' && holdEnds <= now) model.state = 'EXPIRED'
  if (state === 'PARTIALLY_CAPTURED' && holdEnds <= now) model.state = 'CAPTURED'
  if (model.state === 'CAPTURED' && settledOf(model, now) === capturedOf(model)) model.state = stateBySums(model)
}

/** State of a payment whose captures have all settled. */
const stateBySums = (model: PaymentModel): string => {
  const refunded = sum(model.refunds)
  if (refunded === 0) return 'SETTLED'
  return refunded === capturedOf(model) ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
}

/** A call or shopper decision on a payment. */
export type Move = 'approve' | 'decline' | 'finalize' | 'capture' | 'cancel' | 'refund'

// biome-ignore format: a table reads by its columns
const ALLOWED: Readonly<Record<Move, readonly string[]>> = {
  approve:  ['AWAITING_SHOPPER'],
  decline:  ['AWAITING_SHOPPER'],
  finalize: ['AWAITING_SHOPPER', 'AUTHENTICATED'],
  capture:  ['AUTHORIZED', 'PARTIALLY_CAPTURED'],
  cancel:   ['AWAITING_SHOPPER', 'AUTHENTICATED', 'AUTHORIZED'],
  refund:   ['PARTIALLY_CAPTURED', 'CAPTURED', 'SETTLED', 'PARTIALLY_REFUNDED'],
}

/** HTTP status with which a move is refused; undefined where it is allowed. */
export const refusalOf = (model: PaymentModel, move: Move, now: number, amount = 0): number | undefined => {
  const open = settledOf(model, now) - sum(model.refunds)
  if (!ALLOWED[move].includes(model.state)) return 422
  if (move === 'capture' && amount > model.amount - capturedOf(model)) return 422
  if (move === 'refund' && (open === 0 || amount > open)) return 422
  if (move === 'refund' && model.provider === 'IRIS' && model.refunds.length > 0) return 501
  return undefined
}

/** Whether a move changes nothing: finalize before the shopper has decided. */
export const leavesUnchanged = ({ state }: PaymentModel, move: Move): boolean =>
  move === 'finalize' && state === 'AWAITING_SHOPPER'

/** Applies an allowed move to the model. */
export const applyMove = (model: PaymentModel, what: Move, amount: number | undefined, now: number): void => {
  if (leavesUnchanged(model, what)) return
  if (what === 'approve') {
    model.state = 'AUTHENTICATED'
    model.consentEnds = now + DAY
  }
  if (what === 'decline') model.state = 'DECLINED'
  if (what === 'cancel') model.state = 'CANCELED'
  if (what === 'finalize') authorizeModel(model, now)
  if (what === 'capture') take(model, amount ?? model.amount - capturedOf(model), now)
  if (what === 'refund') {
    model.refunds.push(amount ?? settledOf(model, now) - sum(model.refunds))
    if (!model.state.endsWith('CAPTURED')) model.state = stateBySums(model)
  }
}

/** Authorizes the payment of a model, and captures it where autoCapture is set. */
export const authorizeModel = (model: PaymentModel, now: number): void => {
  model.state = model.type === 'TOKEN_ONLY' ? 'TOKENIZED' : 'AUTHORIZED'
  model.holdEnds = now + 7 * DAY
  if (model.auto && model.state === 'AUTHORIZED') take(model, model.amount, now)
}

const take = (model: PaymentModel, amount: number, now: number): void => {
  model.parts.push({ amount, settlesAt: now + SETTLES_AFTER })
  model.state = capturedOf(model) === model.amount ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
}

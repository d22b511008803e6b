import { DAY, MINUTE, SECOND } from '../../simulator/duration.ts'

/**
 * What a payment does, thought out a second time and as simply as can be: no table, no store, no events. The random
 * walk compares the simulator with it.
 */
export type Model = {
  provider: 'BLIK' | 'IRIS'
  amount: number
  auto: boolean
  state: string
  parts: { amount: number; settlesAt: number }[]
  refunds: number[]
  windowEnds: number
  holdEnds: number
}

const SETTLES_AFTER = 2 * SECOND

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

export const modelOf = (provider: Model['provider'], amount: number, auto: boolean, now: number): Model => ({
  provider,
  amount,
  auto,
  state: 'AWAITING_SHOPPER',
  parts: [],
  refunds: [],
  windowEnds: now + (provider === 'BLIK' ? 45 * SECOND : 30 * MINUTE),
  holdEnds: Number.POSITIVE_INFINITY,
})

export const capturedOf = (model: Model): number => sum(model.parts.map(({ amount }) => amount))

/** Lets the model live up to an instant. */
export const live = (model: Model, now: number): void => {
  const { state, windowEnds, holdEnds } = model
  if (state === 'AWAITING_SHOPPER' && windowEnds <= now) model.state = 'EXPIRED'
  if (state === 'AUTHORIZED' && holdEnds <= now) model.state = 'EXPIRED'
  if (state === 'PARTIALLY_CAPTURED' && holdEnds <= now) model.state = 'CAPTURED'
  if (model.state === 'CAPTURED' && model.parts.every(({ settlesAt }) => settlesAt <= now)) model.state = 'SETTLED'
}

type Move = { call: string; amount: number | undefined }

/** The HTTP status of a call, and what it does to the model. */
export const answer = (model: Model, { call, amount }: Move, now: number): number => {
  live(model, now)
  const refusal = refusalOf(model, { call, amount })
  if (refusal) return refusal
  switch (call) {
    case 'approve':
    case 'decline':
      model.state = call === 'approve' ? 'AUTHENTICATED' : 'DECLINED'
      return 200
    case 'finalize':
      if (model.state === 'AWAITING_SHOPPER') return 200
      model.state = 'AUTHORIZED'
      model.holdEnds = now + 7 * DAY
      if (model.auto) take(model, model.amount, now)
      return 200
    case 'capture':
      take(model, amount ?? model.amount - capturedOf(model), now)
      return 200
    case 'cancel':
      model.state = 'CANCELED'
      return 200
    default:
      model.refunds.push(amount ?? capturedOf(model) - sum(model.refunds))
      model.state = sum(model.refunds) === capturedOf(model) ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
      return 200
  }
}

const take = (model: Model, amount: number, now: number): void => {
  model.parts.push({ amount, settlesAt: now + SETTLES_AFTER })
  model.state = capturedOf(model) === model.amount ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
}

// biome-ignore format: a table reads by its columns
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  approve:  ['AWAITING_SHOPPER'],
  decline:  ['AWAITING_SHOPPER'],
  finalize: ['AWAITING_SHOPPER', 'AUTHENTICATED'],
  capture:  ['AUTHORIZED', 'PARTIALLY_CAPTURED'],
  cancel:   ['AUTHORIZED'],
  refund:   ['SETTLED', 'PARTIALLY_REFUNDED'],
}

const refusalOf = (model: Model, { call, amount = 0 }: Move): number | undefined => {
  if (!ALLOWED[call]?.includes(model.state)) return 422
  if (call === 'capture' && amount > model.amount - capturedOf(model)) return 422
  if (call === 'refund' && amount > capturedOf(model) - sum(model.refunds)) return 422
  if (call === 'refund' && model.provider === 'IRIS' && model.refunds.length > 0) return 501
  return undefined
}

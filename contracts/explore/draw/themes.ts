import { settledOf } from '../../model/model-state.ts'
import { asOwner, begun, type DrawKind } from './basis-of-drawn-step.ts'
import { code, coded, foreign, foreignCharge, mocked, mockSet, passOf } from './foreign-mock-time-and-shopper-steps.ts'
import { act, advance, charge, initiate, read } from './payment-steps.ts'
import type { Random } from './random.ts'
import { fault, repeat, retry, wrongOf } from './repeated-wrong-and-faulty-steps.ts'

/** Theme of a random sequence: the payment that opens it, and the kinds of steps that are drawn first. */
export type Theme = {
  opening: 'any' | 'none' | 'held' | 'mandate'
  /** Whether days pass, for which a sequence needs clocks of its own. */
  isLong?: boolean
  /** Whether calls at once follow without other steps between. */
  isBurst?: true
  kinds: readonly DrawKind[]
}

const passDay = passOf('PT23H30M', 'PT24H30M')
const passHold = passOf('P6DT12H', 'P7DT1H')
const passCode = passOf('PT110S', 'PT125S')
const passSettlement = passOf('PT6S')

/** The call of the step before, by the other organization under the same key. */
const retryByOther: DrawKind = draw => {
  const step = draw.abilities.second ? retry(draw) : undefined
  if (!step) return undefined
  const { by, ...rest } = step
  return by ? rest : { ...rest, by: 'second' }
}

/** A refund or a capture in part, of which another can follow. */
const part: DrawKind = draw => {
  const on = draw.random.pick(begun(draw).filter(({ at }) => at === 'authorized' || at === 'partly captured'))
  return on
    ? { do: 'capture', on: on.name, amount: 400, ...(on.payment.owner === 'second' && { by: 'second' }) }
    : undefined
}

/** The rest of a capture in part. */
const rest: DrawKind = draw => {
  const on = draw.random.pick(begun(draw).filter(({ at }) => at === 'partly captured'))
  return on && { do: 'capture', on: on.name, ...asOwner(on.payment) }
}

/** A refund of what has settled, or of a part, while more of the payment has not. */
const refundEarly: DrawKind = draw => {
  const found = begun(draw).filter(({ at, payment }) => /captured$/.test(at) && settledOf(payment) > 0)
  const on = draw.random.pick(found)
  return on && { do: 'refund', on: on.name, ...asOwner(on.payment), ...(draw.random.oneIn(2) && { amount: 100 }) }
}

const GENERAL: Theme = { opening: 'any', kinds: [] }

/** Themes by which what needs several certain steps in a row comes often; every other sequence has none. */
// biome-ignore format: a table reads by its columns
const THEMES: readonly Theme[] = [
  { opening: 'none',    kinds: [mockSet, mocked, mocked, mocked] },
  { opening: 'none',    kinds: [mockSet, mocked, mockSet, mocked, mocked] },
  { opening: 'none',    kinds: [mockSet, passDay, mocked], isLong: true },
  { opening: 'none',    kinds: [code, passCode, coded] },
  { opening: 'held',    kinds: [passHold, advance, read], isLong: true },
  { opening: 'held',    kinds: [wrongOf(advance), wrongOf(act), part, retry, part, retryByOther] },
  { opening: 'held',    kinds: [part, passSettlement, rest, refundEarly, read] },
  { opening: 'held',    kinds: [part, passSettlement, read, refundEarly, passHold, read], isLong: true },
  { opening: 'any',     kinds: [passDay, repeat, repeat], isLong: true },
  { opening: 'any',     kinds: [initiate, read, read, read, read] },
  { opening: 'any',     kinds: [advance, fault, retry, read] },
  { opening: 'mandate', kinds: [charge, retryByOther, foreignCharge, advance, repeat, repeat] },
  { opening: 'mandate', kinds: [wrongOf(charge), wrongOf(charge), wrongOf(charge), charge, foreign] },
  { opening: 'held',    kinds: [], isBurst: true },
  { opening: 'mandate', kinds: [], isBurst: true },
  { opening: 'any',     kinds: [], isBurst: true },
]

/** Draws the theme of a random sequence. */
export const drawTheme = (random: Random): Theme => (random.oneIn(2) ? GENERAL : (random.pick(THEMES) ?? GENERAL))

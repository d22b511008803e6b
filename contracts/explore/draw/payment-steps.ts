import { takesMember } from '../../dialect/request-lens.ts'
import { ACTS, type Act } from '../../operations.ts'
import type { ProviderId } from '../../protocol/provider-codes.ts'
import type { Abilities } from '../abilities.ts'
import { WHOLE } from '../compose/parts-of-composed-call.ts'
import type { Step } from '../step.ts'
import { asOwner, begun, type Draw, type DrawKind, PAYERS, REFERENCES } from './basis-of-drawn-step.ts'

const PART = 400
const AMOUNTS = [undefined, WHOLE, PART, PART, WHOLE - PART, WHOLE + 1, 1] as const

const sum = ({ random, stage }: Draw, act: Act): Pick<Step, 'amount'> => {
  const amount = act === 'capture' || act === 'refund' ? random.pick(AMOUNTS) : undefined
  return amount === undefined || !takesMember(stage.profile, act, 'paymentDetails.amount') ? {} : { amount }
}

export const initiate: DrawKind = ({ random, abilities, state, stage }) => {
  const method: ProviderId = random.pick(abilities.methods) ?? 'BLIK'
  const isMandate = abilities.recurring && random.oneIn(4)
  const codes = Object.keys(state.codes).filter(code => stage.codes.has(code))
  const isOldCode = method === 'BLIK' && abilities.control && random.oneIn(6)
  return {
    do: 'initiate',
    method,
    ...(isMandate && { type: random.pick(['RECURRING', 'TOKEN_ONLY'] as const) }),
    ...(random.oneIn(4) ? {} : { autoCapture: random.oneIn(2) }),
    ...(isMandate || random.oneIn(2) ? { payer: random.pick(PAYERS) } : {}),
    ...(random.oneIn(8) ? { reference: random.pick(REFERENCES) } : {}),
    ...(isOldCode ? { code: random.pick([...codes, 'wrong']) as string } : {}),
    ...(abilities.accounts > 1 && random.oneIn(8) ? { account: 'other' as const } : {}),
  }
}

export const charge: DrawKind = ({ abilities, random, state, stage }) => {
  if (!abilities.recurring) return undefined
  const mandate = random.oneIn(4) ? undefined : random.pick(state.mandates)
  const payer = mandate === undefined ? undefined : state.payments[mandate]?.payer
  const label = payer === undefined ? undefined : PAYERS.find(one => stage.valueOf(one) === payer)
  const isByToken = mandate !== undefined && (label === undefined || random.oneIn(2))
  const named = isByToken ? { tokenOf: mandate } : { payer: label ?? random.pick(PAYERS) }
  return { do: 'charge', ...named, ...(random.oneIn(3) ? {} : { autoCapture: random.oneIn(2) }) }
}

// biome-ignore format: a table reads by its columns
const NEXT: Readonly<Partial<Record<string, Step['do']>>> = {
  waiting:           'shopper',
  authenticated:     'finalize',
  authorized:        'capture',
  'partly captured': 'capture',
  captured:          'pass',
  settled:           'refund',
  'partly refunded': 'refund',
}

/** Returns the step by which a payment in a stage of its lifecycle goes on. */
export const nextStep = (stage: string): Step['do'] | undefined => NEXT[stage]

/** What is tried in place of a step for which there is no driver: shoppers and time move payments by themselves too. */
const WITHOUT_DRIVER: Readonly<Partial<Record<Step['do'], Step['do']>>> = { shopper: 'finalize', pass: 'refund' }

/** Whether a step that is no call can be taken on a payment of a method: an approving shopper, or time that passes. */
export const canTake = ({ shoppers, settling }: Abilities, step: Step['do'], method: ProviderId): boolean =>
  step === 'shopper' ? shoppers.includes(method) : step !== 'pass' || settling !== undefined

/** Creates a random exploration step that takes a payment on to its next stage. */
export const advance: DrawKind = draw => {
  const { random, abilities } = draw
  const found = random.pick(begun(draw).filter(({ at }) => NEXT[at]))
  const wanted = found && NEXT[found.at]
  if (!found || !wanted) return undefined
  const next = canTake(abilities, wanted, found.payment.method) ? wanted : WITHOUT_DRIVER[wanted]
  if (!next) return undefined
  if (next === 'finalize' || next === 'capture' || next === 'refund')
    return { do: next, on: found.name, ...asOwner(found.payment), ...sum(draw, next) }
  if (next === 'pass') return { do: 'pass', time: abilities.settling as string }
  return { do: 'shopper', on: found.name, decision: abilities.control && random.oneIn(8) ? 'decline' : 'approve' }
}

/**
 * Creates a random exploration step: a finalize, capture, cancel or refund of any payment, or of one that does not
 * exist.
 */
export const act: DrawKind = draw => {
  const { random } = draw
  const [found, what] = [random.pick(begun(draw)), random.pick(ACTS)]
  if (random.oneIn(20) || !found) return { do: what, on: 'unknown', ...sum(draw, what) }
  return { do: what, on: found.name, ...asOwner(found.payment), ...sum(draw, what) }
}

/**
 * Creates a random exploration step that reads a payment; some carry the Idempotency-Key of the first call, which they
 * must ignore (E1).
 */
export const read: DrawKind = draw => {
  const { random, stage } = draw
  const found = random.pick(begun(draw))
  const [first] = stage.sent.keys()
  if (!found || first === undefined) return undefined
  const keyed = random.oneIn(2) ? { key: first } : {}
  return {
    do: random.pick(['status', 'events', 'search'] as const),
    on: found.name,
    ...asOwner(found.payment),
    ...keyed,
  }
}

import { takesMember } from '../../dialect/request-lens.ts'
import { ACTS, type OperationName } from '../../operations.ts'
import type { Step } from '../step.ts'
import { asOwner, begun, type DrawKind, PAYERS, REFERENCES } from './basis-of-drawn-step.ts'
import { charge, initiate, nextStep } from './payment-steps.ts'

/** Creates a random exploration step: a call on a payment, an account or a mandate of somebody else (7.1). */
export const foreign: DrawKind = draw => {
  const { random, abilities, stage } = draw
  const found = random.pick(begun(draw))
  if (!found) return undefined
  const { name: on, payment } = found
  const namesAccount = (what: Step['do']): boolean =>
    takesMember(stage.profile, what as OperationName, 'processingAccountId')
  if (abilities.accounts > 1 && random.oneIn(6)) {
    const what = random.pick(ACTS)
    return what && namesAccount(what) ? { do: what, on, ...asOwner(payment), account: 'other' } : undefined
  }
  if (!abilities.second) return undefined
  const other: Pick<Step, 'by'> = payment.owner === 'second' ? {} : { by: 'second' }
  const next = nextStep(found.at)
  const fitting = next === undefined || next === 'pass' || next === 'shopper' ? 'cancel' : next
  const what = random.pick([
    ...ACTS,
    fitting,
    fitting,
    'status',
    'events',
    'search',
    'charge',
    'initiate',
    'mockSet',
  ] as const)
  if (what === 'initiate') return { do: what, method: abilities.methods.at(-1) ?? 'BLIK', ...other, account: 'foreign' }
  if (what === 'charge') return foreignCharge(draw)
  if (what === 'mockSet')
    return abilities.mocks
      ? { do: what, ...other, payer: random.pick(PAYERS), account: 'foreign', mock: { type: 'MOCK', shows: 'details' } }
      : undefined
  const isForeign = random.oneIn(2) && what !== 'search' && namesAccount(what)
  return { do: what, on, ...other, ...(isForeign ? { account: 'foreign' as const } : {}) }
}

/** Creates a random exploration step: a charge of a mandate by the other organization. */
export const foreignCharge: DrawKind = draw => {
  const step = draw.abilities.second ? charge(draw) : undefined
  return step && { ...step, by: 'second' }
}

const OVERRIDDEN = ['details', 'details', 'status', 'overridden'] as const

/** Creates a random exploration step: a mock/set for a payer or a reference (2.7). */
export const mockSet: DrawKind = ({ random, abilities }) => {
  if (!abilities.mocks) return undefined
  const target = random.oneIn(3)
    ? { reference: random.pick(REFERENCES) }
    : { payer: random.pick(['u1', 'u1', 'u2'] as const) }
  const once = random.oneIn(3) ? {} : { oneTime: random.oneIn(2) }
  const overridden = abilities.overrides.includes('initiate') ? OVERRIDDEN : []
  const atFinalize = abilities.overrides.includes('finalize') ? (['finalize'] as const) : []
  const form = random.pick(['bare', 'passthrough', 'passthrough', ...overridden, ...atFinalize] as const)
  if (form === 'passthrough' || form === 'overridden')
    return {
      do: 'mockSet',
      ...target,
      mock: { type: 'PASSTHROUGH', ...once, ...(form === 'overridden' && { shows: 'details' as const }) },
    }
  if (form === 'finalize')
    return { do: 'mockSet', ...target, mock: { type: 'MOCK', ...once, shows: 'details', step: 'finalize' } }
  return { do: 'mockSet', ...target, mock: { type: 'MOCK', ...once, ...(form === 'bare' ? {} : { shows: form }) } }
}

/**
 * Creates a random exploration step: an initiate that a mock is for, or nearly so: another account, another
 * organization, a longer value (E2).
 */
export const mocked: DrawKind = draw => {
  const { random, state, stage, abilities } = draw
  const mock = random.pick(state.mocks)
  if (!mock) return undefined
  const label = [...PAYERS, ...REFERENCES].find(one => stage.valueOf(one) === mock.key.value) ?? 'u1'
  const near = random.oneIn(4) && label === 'u1' ? 'u1b' : label
  if (mock.key.type === 'PAYER_ID' && abilities.recurring && random.oneIn(5)) return { do: 'charge', payer: label }
  const { payer = 'u2', reference: _, code: __, account, ...step } = { ...initiate(draw), do: 'initiate' as const }
  const by: Pick<Step, 'by'> = abilities.second && random.oneIn(8) ? { by: 'second' } : {}
  const named = mock.key.type === 'PAYER_ID' ? { payer: near } : { payer, reference: label }
  return { ...step, ...by, ...named, ...(by.by ? {} : account && { account }) }
}

const SHORT = ['PT6S', 'PT42S', 'PT50S', 'PT125S', 'PT29M', 'PT35M'] as const
const LONG = [...SHORT, 'PT2H', 'PT23H30M', 'PT23H30M', 'PT24H30M', 'PT24H30M', 'P6DT12H', 'P7DT1H'] as const

/** Creates a random exploration step in which time passes, just short of a limit or just beyond it (8). */
export const pass: DrawKind = draw => passOf(...(draw.isLong ? LONG : SHORT))(draw)

/** Creates the function that makes a random exploration step in which one of these durations passes. */
export const passOf =
  (...times: readonly string[]): DrawKind =>
  ({ random, abilities }) =>
    abilities.control ? { do: 'pass', time: random.pick(times) ?? 'PT6S' } : undefined

/** Creates a random exploration step: a decision of the shopper, whether asked or not. */
export const shopper: DrawKind = draw => {
  const found = draw.random.pick(begun(draw))
  if (!draw.abilities.control || !found) return undefined
  return { do: 'shopper', on: found.name, decision: draw.random.oneIn(2) ? 'approve' : 'decline' }
}

/** Creates an exploration step that makes a one-time code, for a payment that comes later (R6). */
export const code: DrawKind = ({ abilities }) =>
  abilities.control && abilities.methods.includes('BLIK') ? { do: 'code' } : undefined

/** Creates an exploration step: an initiate with the one-time code that was made last. */
export const coded: DrawKind = draw => {
  if (!draw.abilities.control) return undefined
  const made = [...draw.stage.codes.keys()].at(-1)
  return made === undefined ? undefined : { do: 'initiate', method: 'BLIK', code: made }
}

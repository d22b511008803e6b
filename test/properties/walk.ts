import { expect } from 'vitest'
import { SECOND } from '../../simulator/duration.ts'
import { ACCOUNT, type Core, SHOP, type Told } from '../support/core.ts'
import { act, blikRequest, chargeRequest, irisRequest } from '../support/payments.ts'
import { look, type Seen } from './look.ts'
import { capturedOf, type Model, type Move, move, refusalOf, settledOf, sum } from './payment-model.ts'
import { checkFinal, checkRules, checkTold } from './rules.ts'
import { answer, type Call, type Code, FAULTS, holds, isPending, type Keyed, liveAll, newShop } from './shop-model.ts'
import type { Step } from './steps.ts'

type Of<Name extends Step['do']> = Extract<Step, { do: Name }>
type Walk = ReturnType<typeof newWalk>
type Taken = { http: number; expected: number; target?: string | undefined; replayed?: boolean }

const newWalk = (core: Core) => ({ core, shop: newShop(), keyed: [] as Keyed[], codes: [] as Code[] })
const nowIn = ({ core }: Walk): number => core.clock.now(SHOP)

/** Walks step by step, with the model beside; `tell` hears of every state and HTTP status on the way. */
export const walk = async (
  core: Core,
  steps: readonly Step[],
  tell: (reached: string | number) => void,
): Promise<void> => {
  const journey = newWalk(core)
  let before = await look(core)
  for (const step of steps) {
    const taken = await TAKE[step.do](journey, step as never, before)
    const after = await look(core)
    if (taken) {
      tell(taken.http)
      expect(taken.http).toBe(taken.expected)
      const silent = taken.http !== 200 && taken.target === undefined
      if (silent || taken.replayed) expect(after).toEqual(before)
      expect(others(after, taken.target)).toEqual(others(before, taken.target))
    }
    checkFinal(before, after)
    compare(journey, after)
    for (const { payment } of Object.values(after)) tell(payment.state)
    before = after
  }
  for (const seen of Object.values(before)) await checkTold(core, seen)
}

const others = (all: Record<string, Seen>, target: string | undefined) =>
  Object.entries(all).filter(([name]) => name !== target)

const compare = (journey: Walk, after: Record<string, Seen>): void => {
  const { shop } = journey
  const now = nowIn(journey)
  liveAll(shop, now)
  const expected = shop.payments.map(model => [
    model.name,
    [model.state, capturedOf(model), settledOf(model, now), sum(model.refunds)],
  ])
  const found = Object.entries(after).map(([name, { payment }]) => [
    name,
    [payment.state, payment.captured, payment.settled, payment.refunded],
  ])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
  for (const seen of Object.values(after)) checkRules(seen)
}

/** Sends a call under its key; the second time around the answer must be the first one's. */
const send = async (journey: Walk, keyed: Keyed): Promise<Taken> => {
  const { core, shop } = journey
  const known = holds(keyed, nowIn(journey))
  const expected = answer(shop, keyed, nowIn(journey))
  const { operation } = keyed.call
  const told = await core.call(operation, keyed.request, { key: keyed.key })
  expect(told.replayed).toBe(known)
  if (known) expect(told.text).toBe(keyed.remembers?.text ?? told.text)
  if (keyed.remembers && (known || told.http === keyed.remembers.http)) keyed.remembers.text = told.text
  return { http: told.http, expected, replayed: known, target: known ? undefined : targetOf(keyed, told) }
}

/** The payment that a call may change: none, where it is refused. */
const targetOf = ({ call, remembers }: Keyed, { http }: Told): string | undefined => {
  const done = http === 200 || (http === 504 && remembers)
  return done ? ('on' in call ? call.on.name : call.name) : undefined
}

const sendNew = (journey: Walk, call: Call, request: object): Promise<Taken> => {
  const keyed = { key: `key ${journey.keyed.length}`, call, request: { ...request, clientTransactionId: call.name } }
  journey.keyed.push(keyed)
  return send(journey, keyed)
}

const pick = <Item>(items: readonly Item[], which: number): Item | undefined => items[which % items.length]
const nameOf = ({ keyed }: Walk): string => `order ${keyed.length}`

const amountOf = (model: Model, part: Of<'act'>['part']): number | undefined =>
  ({ rest: undefined, unit: 1, third: Math.ceil(model.amount / 3), all: model.amount, more: model.amount + 1 })[part]

const callOn = (
  journey: Walk,
  on: Model,
  before: Record<string, Seen>,
  operation: Of<'act'>['operation'],
  part: Of<'act'>['part'],
): Promise<Taken> => {
  const amount = operation === 'capture' || operation === 'refund' ? amountOf(on, part) : undefined
  const request = act(before[on.name]?.payment.transactionId ?? '', amount)
  return sendNew(journey, { name: nameOf(journey), operation, on, amount }, request)
}

const decide = async (
  journey: Walk,
  on: Model,
  before: Record<string, Seen>,
  action: 'approve' | 'decline',
): Promise<Taken> => {
  const refusal = refusalOf(on, action)
  if (!refusal) move(on, action, undefined, nowIn(journey))
  const { http } = await journey.core.decide(before[on.name]?.payment.transactionId ?? '', action)
  return { http, expected: refusal ?? 200, target: refusal ? undefined : on.name }
}

const freshCode = async ({ core, codes }: Walk, now: number): Promise<Code> => {
  const code = { digits: await core.code(), expiresAt: now + 120 * SECOND, used: false }
  codes.push(code)
  return code
}

/** What leads on from each state that is not final; from the others something that is refused. */
const NEXT: Readonly<Record<string, Move>> = {
  AWAITING_SHOPPER: 'approve',
  AUTHENTICATED: 'finalize',
  AUTHORIZED: 'capture',
  PARTIALLY_CAPTURED: 'capture',
  SETTLED: 'refund',
  PARTIALLY_REFUNDED: 'refund',
}

type Take<Name extends Step['do']> = (
  journey: Walk,
  step: Of<Name>,
  before: Record<string, Seen>,
) => Promise<Taken | undefined>

const TAKE: { [Name in Step['do']]: Take<Name> } = {
  initiate: async (journey, { provider, type, auto, amount, code: kind }) => {
    const last = kind === 'last' ? journey.codes.at(-1) : undefined
    const code = kind === 'fresh' && provider === 'BLIK' ? await freshCode(journey, nowIn(journey)) : last
    const wanted = { amount, autoCapture: auto }
    const blik = () => blikRequest(code?.digits ?? '000000', { ...wanted, transactionType: type })
    const request = provider === 'BLIK' ? blik() : { ...irisRequest(wanted), transactionType: type }
    const call = { name: nameOf(journey), operation: 'initiate', provider, type, auto, amount, code } as const
    return sendNew(journey, call, request)
  },
  charge: (journey, { auto, amount }) => {
    const call = {
      name: nameOf(journey),
      operation: 'charge',
      provider: 'BLIK',
      type: 'RECURRING',
      auto,
      amount,
    } as const
    return sendNew(journey, call, chargeRequest(undefined, { amount, autoCapture: auto }))
  },
  goOn: async (journey, { which, part }, before) => {
    const open = journey.shop.payments.filter(({ state }) => NEXT[state])
    const on = pick(open, which)
    const next = on && NEXT[on.state]
    if (!on || !next) return undefined
    return next === 'approve' || next === 'decline'
      ? decide(journey, on, before, next)
      : callOn(journey, on, before, next, part)
  },
  act: async (journey, { operation, which, part }, before) => {
    const on = pick(journey.shop.payments, which)
    return on && callOn(journey, on, before, operation, part)
  },
  shopper: async (journey, { action, which }, before) => {
    const on = pick(journey.shop.payments, which)
    return on && decide(journey, on, before, action)
  },
  repeat: async (journey, { which }) => {
    const keyed = pick(journey.keyed, which)
    const forgotten = keyed?.remembers && !holds(keyed, nowIn(journey))
    return keyed && !forgotten ? send(journey, keyed) : undefined
  },
  reuse: async (journey, { which, how }) => {
    const { core, shop } = journey
    const keyed = pick(journey.keyed, which)
    if (!keyed || !(holds(keyed, nowIn(journey)) || isPending(shop, keyed))) return undefined
    const { operation } = keyed.call
    const other = operation === 'cancel' ? 'finalize' : 'cancel'
    const { http } =
      how === 'payload'
        ? await core.call(operation, { ...keyed.request, clientTransactionId: 'another' }, { key: keyed.key })
        : await core.call(other, keyed.request, { key: keyed.key })
    return { http, expected: 409 }
  },
  stray: async ({ core, shop }, { which, how }, before) => {
    const on = pick(shop.payments, which)
    if (!on) return undefined
    const request = act(before[on.name]?.payment.transactionId ?? '')
    const elsewhere = {
      organization: () =>
        core.call('cancel', { ...request, processingAccountId: 'other-account-1' }, { organizationId: 'other' }),
      account: () => core.call('cancel', { ...request, processingAccountId: ACCOUNT.replace('1', '2') }),
      payment: () => core.call('cancel', act('00000000-0000-4000-8000-000000000000')),
    }
    return { http: (await elsewhere[how]()).http, expected: 404 }
  },
  arm: async ({ core, shop }, { operation, fault, provider, after }) => {
    const code = provider === 'BLIK' ? '3003' : 'TIMEOUT'
    const more = fault === 'decline' ? { code } : fault === 'late' ? { after: `PT${after / SECOND}S` } : {}
    await core.arm({ operation, ...FAULTS[fault].wish, ...more })
    shop.faults.push({ operation, fault, ...(fault === 'decline' ? { provider } : {}), after })
    return undefined
  },
  pass: async ({ core }, { by, wait }) => {
    if (by === 'time') core.pass(wait)
    else await core.control.advance(SHOP, wait)
    return undefined
  },
}

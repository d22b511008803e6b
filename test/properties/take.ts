import { SECOND } from '../../simulator/duration.ts'
import { ACCOUNT, SHOP } from '../support/core.ts'
import { act, blikRequest, chargeRequest, irisRequest } from '../support/payments.ts'
import { type Journey, nowIn, send, sendNew, type Taken } from './journey.ts'
import type { Seen } from './look.ts'
import { type Model, type Move, move, refusalOf } from './payment-model.ts'
import { type Armed, type Code, FAULTS, holds, isPending } from './shop-model.ts'
import type { Step } from './steps.ts'

type Of<Name extends Step['do']> = Extract<Step, { do: Name }>

const pick = <Item>(items: readonly Item[], which: number): Item | undefined => items[which % items.length]
const nameOf = ({ keyed }: Journey): string => `order ${keyed.length}`

const amountOf = (model: Model, part: Of<'act'>['part']): number | undefined =>
  ({ rest: undefined, unit: 1, third: Math.ceil(model.amount / 3), all: model.amount, more: model.amount + 1 })[part]

const callOn = (
  journey: Journey,
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
  journey: Journey,
  on: Model,
  before: Record<string, Seen>,
  action: 'approve' | 'decline',
): Promise<Taken> => {
  const refusal = refusalOf(on, action)
  if (!refusal) move(on, action, undefined, nowIn(journey))
  const { http } = await journey.core.decide(before[on.name]?.payment.transactionId ?? '', action)
  return { http, expected: refusal ?? 200, target: refusal ? undefined : on.name }
}

const freshCode = async ({ core, codes }: Journey, now: number): Promise<Code> => {
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

const arm = async ({ core, shop }: Journey, ...[operation, fault, provider, after]: ArmedWith): Promise<void> => {
  const code = provider === 'BLIK' ? '3003' : 'TIMEOUT'
  const more = fault === 'decline' ? { code } : fault === 'late' ? { after: `PT${after / SECOND}S` } : {}
  await core.arm({ operation, ...FAULTS[fault].wish, ...more })
  shop.faults.push({ operation, fault, ...(fault === 'decline' ? { provider } : {}), after })
}
type ArmedWith = [operation: Armed['operation'], fault: Armed['fault'], provider: Model['provider'], after: number]

type Take<Name extends Step['do']> = (
  journey: Journey,
  step: Of<Name>,
  before: Record<string, Seen>,
) => Promise<Taken | undefined>

/** How each step is taken; undefined where it calls nobody, or nothing is there to call about. */
export const TAKE: { [Name in Step['do']]: Take<Name> } = {
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
  arm: async (journey, { operation, fault, provider, after }) => {
    await arm(journey, operation, fault, provider, after)
    return undefined
  },
  trouble: async (journey, { way, fault, which, part, after }, before) => {
    const on = pick(
      journey.shop.payments.filter(({ state }) => NEXT[state]),
      which,
    )
    const next = way === 'cancel' ? way : on && NEXT[on.state]
    if (!on || !next || next === 'approve' || next === 'decline') return undefined
    await arm(journey, next, fault, on.provider, after)
    return callOn(journey, on, before, next, part)
  },
  pass: async ({ core }, { by, wait }) => {
    if (by === 'time') core.pass(wait)
    else await core.control.advance(SHOP, wait)
    return undefined
  },
}

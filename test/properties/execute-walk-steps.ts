import { SECOND } from '../../simulator/support/duration.ts'
import { actionRequest, blikRequest, chargeRequest, irisRequest } from '../support/payment-requests.ts'
import { ACCOUNT, SHOP } from '../support/simulator-core.ts'
import { applyMove, type Move, type PaymentModel, refusalOf } from './payment-model.ts'
import type { StoredPayment } from './read-stored-payments.ts'
import { type ModelRun, nowIn, type StepResult, sendUnderKey, sendUnderNewKey } from './send-model-checked-calls.ts'
import { type ArmedFault, type BlikCodeModel, FAULTS, isKeyRemembered, isPending } from './shop-model.ts'
import type { WalkStep } from './walk-steps.ts'

type Of<Name extends WalkStep['do']> = Extract<WalkStep, { do: Name }>

const pick = <Item>(items: readonly Item[], which: number): Item | undefined => items[which % items.length]
const nameOf = ({ keyed }: ModelRun): string => `order ${keyed.length}`

const amountOf = (model: PaymentModel, part: Of<'act'>['part']): number | undefined =>
  ({ rest: undefined, unit: 1, third: Math.ceil(model.amount / 3), all: model.amount, more: model.amount + 1 })[part]

const callOn = (
  run: ModelRun,
  on: PaymentModel,
  before: Record<string, StoredPayment>,
  operation: Of<'act'>['operation'],
  part: Of<'act'>['part'],
): Promise<StepResult> => {
  const amount = operation === 'capture' || operation === 'refund' ? amountOf(on, part) : undefined
  const request = actionRequest(before[on.name]?.payment.transactionId ?? '', amount)
  return sendUnderNewKey(run, { name: nameOf(run), operation, on, amount }, request)
}

const decide = async (
  run: ModelRun,
  on: PaymentModel,
  before: Record<string, StoredPayment>,
  action: 'approve' | 'decline',
): Promise<StepResult> => {
  const refusal = refusalOf(on, action, nowIn(run))
  if (!refusal) applyMove(on, action, undefined, nowIn(run))
  const { http } = await run.core.decide(before[on.name]?.payment.transactionId ?? '', action)
  return { http, expected: refusal ?? 200, target: refusal ? undefined : on.name }
}

const freshCode = async ({ core, codes }: ModelRun, now: number): Promise<BlikCodeModel> => {
  const code = { digits: await core.code(), expiresAt: now + 120 * SECOND, used: false }
  codes.push(code)
  return code
}

/** Next move from each state; from a final state a move that is refused. */
const NEXT: Readonly<Record<string, Move>> = {
  AWAITING_SHOPPER: 'approve',
  AUTHENTICATED: 'finalize',
  AUTHORIZED: 'capture',
  PARTIALLY_CAPTURED: 'capture',
  SETTLED: 'refund',
  PARTIALLY_REFUNDED: 'refund',
}

const arm = async ({ core, shop }: ModelRun, ...[operation, fault, provider, after]: ArmedWith): Promise<void> => {
  const code = provider === 'BLIK' ? '3003' : 'TIMEOUT'
  const more = fault === 'decline' ? { code } : fault === 'late' ? { after: `PT${after / SECOND}S` } : {}
  await core.arm({ operation, ...FAULTS[fault].armedFault, ...more })
  shop.faults.push({ operation, fault, ...(fault === 'decline' ? { provider } : {}), after })
}
type ArmedWith = [
  operation: ArmedFault['operation'],
  fault: ArmedFault['fault'],
  provider: PaymentModel['provider'],
  after: number,
]

type ExecuteStep<Name extends WalkStep['do']> = (
  run: ModelRun,
  step: Of<Name>,
  before: Record<string, StoredPayment>,
) => Promise<StepResult | undefined>

/** Functions that execute each kind of walk step; undefined is returned where a step makes no call. */
export const EXECUTE_STEP: { [Name in WalkStep['do']]: ExecuteStep<Name> } = {
  initiate: async (run, { provider, type, auto, amount, code: kind }) => {
    const last = kind === 'last' ? run.codes.at(-1) : undefined
    const code = kind === 'fresh' && provider === 'BLIK' ? await freshCode(run, nowIn(run)) : last
    const wanted = { amount, autoCapture: auto }
    const blik = () => blikRequest(code?.digits ?? '000000', { ...wanted, transactionType: type })
    const request = provider === 'BLIK' ? blik() : { ...irisRequest(wanted), transactionType: type }
    const call = { name: nameOf(run), operation: 'initiate', provider, type, auto, amount, code } as const
    return sendUnderNewKey(run, call, request)
  },
  charge: (run, { auto, amount }) => {
    const call = {
      name: nameOf(run),
      operation: 'charge',
      provider: 'BLIK',
      type: 'RECURRING',
      auto,
      amount,
    } as const
    return sendUnderNewKey(run, call, chargeRequest(undefined, { amount, autoCapture: auto }))
  },
  advance: async (run, { which, part }, before) => {
    const open = run.shop.payments.filter(({ state }) => NEXT[state])
    const on = pick(open, which)
    const next = on && NEXT[on.state]
    if (!on || !next) return undefined
    return next === 'approve' || next === 'decline'
      ? decide(run, on, before, next)
      : callOn(run, on, before, next, part)
  },
  act: async (run, { operation, which, part }, before) => {
    const on = pick(run.shop.payments, which)
    return on && callOn(run, on, before, operation, part)
  },
  shopper: async (run, { action, which }, before) => {
    const on = pick(run.shop.payments, which)
    return on && decide(run, on, before, action)
  },
  repeat: async (run, { which }) => {
    const keyed = pick(run.keyed, which)
    const forgotten = keyed?.remembers && !isKeyRemembered(keyed, nowIn(run))
    return keyed && !forgotten ? sendUnderKey(run, keyed) : undefined
  },
  reuse: async (run, { which, how }) => {
    const { core, shop } = run
    const keyed = pick(run.keyed, which)
    if (!keyed || !(isKeyRemembered(keyed, nowIn(run)) || isPending(shop, keyed))) return undefined
    const { operation } = keyed.call
    const other = operation === 'cancel' ? 'finalize' : 'cancel'
    const { http } =
      how === 'payload'
        ? await core.call(operation, { ...keyed.request, clientTransactionId: 'another' }, { key: keyed.key })
        : await core.call(other, keyed.request, { key: keyed.key })
    return { http, expected: 409 }
  },
  misaddress: async ({ core, shop }, { which, how }, before) => {
    const on = pick(shop.payments, which)
    if (!on) return undefined
    const request = actionRequest(before[on.name]?.payment.transactionId ?? '')
    const elsewhere = {
      organization: () =>
        core.call('cancel', { ...request, processingAccountId: 'other-account-1' }, { organizationId: 'other' }),
      account: () => core.call('cancel', { ...request, processingAccountId: ACCOUNT.replace('1', '2') }),
      payment: () => core.call('cancel', actionRequest('00000000-0000-4000-8000-000000000000')),
    }
    return { http: (await elsewhere[how]()).http, expected: 404 }
  },
  arm: async (run, { operation, fault, provider, after }) => {
    await arm(run, operation, fault, provider, after)
    return undefined
  },
  failNextCall: async (run, { way, fault, which, part, after }, before) => {
    const on = pick(
      run.shop.payments.filter(({ state }) => NEXT[state]),
      which,
    )
    const next = way === 'cancel' ? way : on && NEXT[on.state]
    if (!on || !next || next === 'approve' || next === 'decline') return undefined
    await arm(run, next, fault, on.provider, after)
    return callOn(run, on, before, next, part)
  },
  pass: async ({ core }, { by, wait }) => {
    if (by === 'time') core.pass(wait)
    else await core.control.advance(SHOP, wait)
    return undefined
  },
}

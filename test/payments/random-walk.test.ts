import { expect, test } from 'vitest'
import { DAY, MINUTE, SECOND } from '../../simulator/duration.ts'
import type { Payment } from '../../simulator/payments/payment.ts'
import { type Chance, seededChance } from '../support/chance.ts'
import { type Core, openCore, SHOP } from '../support/core.ts'
import { act, chargeRequest, PAYER, paymentIn, startBlik, startIris } from '../support/payments.ts'
import { answer, capturedOf, live, type Model, modelOf, sum } from './model.ts'

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1)
const STEPS = 40

const CALLS = ['approve', 'decline', 'finalize', 'capture', 'cancel', 'refund'] as const
/** Calls that lead on are drawn more often, so that walks get far. */
const DRAWN = [
  ...CALLS,
  'approve',
  'finalize',
  'approve',
  'finalize',
  'capture',
  'refund',
  'capture',
  'refund',
] as const
const WAITS = [0, 1, 500, SECOND, 2 * SECOND, 44 * SECOND, 45 * SECOND, 30 * MINUTE, 3 * DAY, 7 * DAY]

/** A payment under a mandate, which begins where others get to by finalize. */
const startCharge = async (core: Core, amount: number, autoCapture: boolean): Promise<{ id: string; model: Model }> => {
  await paymentIn(core, 'TOKENIZED')
  const { transactionId } = (await core.call('charge', chargeRequest({ payerId: PAYER }, { amount, autoCapture }))).body
  const model = modelOf('BLIK', amount, autoCapture, core.time.now)
  model.state = 'AUTHENTICATED'
  answer(model, { call: 'finalize', amount: undefined }, core.time.now)
  return { id: transactionId, model }
}

const start = async (core: Core, chance: Chance): Promise<{ id: string; model: Model }> => {
  const amount = chance.pick([1, 2, 100, 99_999_999_999])
  if (chance.next() < 0.25) return startCharge(core, amount, chance.next() < 0.5)
  const provider = chance.pick(['BLIK', 'BLIK', 'IRIS'] as const)
  const auto = provider === 'IRIS' || chance.next() < 0.3
  const id = await (provider === 'BLIK' ? startBlik : startIris)(core, { amount, autoCapture: auto })
  return { id, model: modelOf(provider, amount, auto, core.time.now) }
}

const amountFor = (chance: Chance, model: Model): number | undefined =>
  chance.pick([undefined, 1, Math.ceil(model.amount / 3), model.amount, model.amount + 1])

const recordOf = async ({ store }: Core, transactionId: string): Promise<Payment> => {
  const needs = { transactionId }
  const found = await store.perform({
    organizationId: SHOP,
    now: 0,
    needs,
    decide: loaded => ({ result: loaded.payment }),
  })
  if (!found) throw new Error(`${transactionId} is lost`)
  return found
}

const compare = async (core: Core, id: string, model: Model): Promise<void> => {
  live(model, core.time.now)
  const { lifecycle } = (await core.status(id)).body
  const { paymentDetails } = (await core.events(id)).body
  expect([lifecycle.state, paymentDetails.capturedAmount, paymentDetails.refundedAmount]).toEqual([
    model.state,
    capturedOf(model),
    sum(model.refunds),
  ])
  const { amount, captured, settled, refunded, captures, refunds } = await recordOf(core, id)
  expect(captured).toBeLessThanOrEqual(amount)
  expect(settled).toBeLessThanOrEqual(captured)
  expect(refunded).toBeLessThanOrEqual(settled)
  expect(sum(captures.map(part => part.amount))).toBe(captured)
  expect(sum(captures.map(part => (part.settled ? part.amount : 0)))).toBe(settled)
  expect(sum(refunds.map(part => part.amount))).toBe(refunded)
}

const walked = new Set<string>()

test.each(SEEDS)('R1 to R5: sums and states hold on random walk %i', async seed => {
  const chance = seededChance(seed)
  const core = await openCore()
  const payments = [await start(core, chance), await start(core, chance)]
  for (let step = 0; step < STEPS; step += 1) {
    if (chance.next() < 0.3) core.pass(chance.pick(chance.next() < 0.8 ? WAITS.slice(0, 5) : WAITS))
    const { id, model } = chance.pick(payments)
    const call = chance.pick(DRAWN)
    const amount = amountFor(chance, model)
    const told = await (call === 'approve' || call === 'decline'
      ? core.decide(id, call)
      : core.call(call, act(id, amount)))
    expect([step, call, amount, told.http]).toEqual([
      step,
      call,
      amount,
      answer(model, { call, amount }, core.time.now),
    ])
    await compare(core, id, model)
    walked.add(model.state)
  }
})

test('R1 to R5: the walks got everywhere', () => {
  expect([...walked].sort()).toEqual([
    'AUTHENTICATED',
    'AUTHORIZED',
    'AWAITING_SHOPPER',
    'CANCELED',
    'CAPTURED',
    'DECLINED',
    'EXPIRED',
    'PARTIALLY_CAPTURED',
    'PARTIALLY_REFUNDED',
    'REFUNDED',
    'SETTLED',
  ])
})

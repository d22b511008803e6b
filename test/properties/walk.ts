import { expect } from 'vitest'
import type { Core } from '../support/core.ts'
import { type Journey, newJourney, nowIn } from './journey.ts'
import { look, type Seen } from './look.ts'
import { capturedOf, settledOf, sum } from './payment-model.ts'
import { checkFinal, checkRules, checkTold } from './rules.ts'
import { liveAll } from './shop-model.ts'
import type { Step } from './steps.ts'
import { TAKE } from './take.ts'

/** Walks step by step, with the model beside; `tell` hears of every state and HTTP status on the way. */
export const walk = async (
  core: Core,
  steps: readonly Step[],
  tell: (reached: string | number) => void,
): Promise<void> => {
  const journey = newJourney(core)
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

const compare = (journey: Journey, after: Record<string, Seen>): void => {
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

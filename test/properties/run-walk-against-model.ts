import { expect } from 'vitest'
import type { SimulatorCore } from '../support/simulator-core.ts'
import { checkFinalUnchanged, checkInvariants, checkReadsMatchStore } from './assert-payment-invariants.ts'
import { EXECUTE_STEP } from './execute-walk-steps.ts'
import { capturedOf, settledOf, sum } from './payment-model.ts'
import { readStoredPayments, type StoredPayment } from './read-stored-payments.ts'
import { type ModelRun, newModelRun, nowIn } from './send-model-checked-calls.ts'
import { advanceShopTo } from './shop-model.ts'
import type { WalkStep } from './walk-steps.ts'

/** Runs the steps of a walk against simulator and model; calls `tell` with every state and HTTP status. */
export const runWalk = async (
  core: SimulatorCore,
  steps: readonly WalkStep[],
  tell: (reached: string | number) => void,
): Promise<void> => {
  const run = newModelRun(core)
  let before = await readStoredPayments(core)
  for (const step of steps) {
    const taken = await EXECUTE_STEP[step.do](run, step as never, before)
    const after = await readStoredPayments(core)
    if (taken) {
      tell(taken.http)
      expect(taken.http).toBe(taken.expected)
      const silent = taken.http !== 200 && taken.target === undefined
      if (silent || taken.replayed) expect(after).toEqual(before)
      expect(others(after, taken.target)).toEqual(others(before, taken.target))
    }
    checkFinalUnchanged(before, after)
    compare(run, after)
    for (const { payment } of Object.values(after)) tell(payment.state)
    before = after
  }
  for (const seen of Object.values(before)) await checkReadsMatchStore(core, seen)
}

const others = (all: Record<string, StoredPayment>, target: string | undefined) =>
  Object.entries(all).filter(([name]) => name !== target)

const compare = (run: ModelRun, after: Record<string, StoredPayment>): void => {
  const { shop } = run
  const now = nowIn(run)
  advanceShopTo(shop, now)
  const expected = shop.payments.map(model => [
    model.name,
    [model.state, capturedOf(model), settledOf(model, now), sum(model.refunds)],
  ])
  const found = Object.entries(after).map(([name, { payment }]) => [
    name,
    [payment.state, payment.captured, payment.settled, payment.refunded],
  ])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
  for (const seen of Object.values(after)) checkInvariants(seen)
}

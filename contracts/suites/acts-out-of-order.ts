import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { hasCapability } from '../harness/profile/capabilities-that-checks-need.ts'
import { lifecycleRefusal, PAYMENT_NEEDS } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectPremise, expectPremiseState, expectRefunds } from './evidence/expect-premise.ts'
import { expectSameStage } from './evidence/expect-same-stage.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { ensureServed, initiate, letShopper, readTransactionId } from './given/create-payments.ts'
import { readStatusUntil } from './given/read-until.ts'

type Step =
  | 'initiate'
  | 'capture early'
  | 'finalize'
  | 'before'
  | 'events before'
  | 'refund early'
  | 'after'
  | 'events after'
  | 'capture'
  | 'capture again'
  | 'cancel late'

/**
 * Scenario with checks of acts that a payment's state forbids, on a payment of their own: one that is served spoils no
 * other check (3, R5).
 */
export const actsOutOfOrder: CheckScenario<CheckContext, Step> = {
  name: 'acts out of order',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const { profile } = context
    const isByHand = hasCapability(profile, 'manualCapture')
    const initiated = await keep('initiate', initiate(context, { autoCapture: !isByHand }))
    const transactionId = readTransactionId(profile, initiated)
    const payment = operationsOn(context, transactionId)
    const statusWith = (...stages: string[]) => readStatusUntil(profile, context, transactionId, stages)
    const refundEarly = async (...stages: string[]) => {
      await keep('before', statusWith(...stages))
      await keep('events before', payment.events())
      await keep('refund early', payment.refund())
      await keep('after', payment.status())
      await keep('events after', payment.events())
    }
    if (isByHand) await keep('capture early', payment.capture())
    await letShopper(profile, context, initiated)
    if (!isByHand) return refundEarly('authenticated')
    await ensureServed(profile, keep('finalize', payment.finalize()))
    await refundEarly('authorized', 'captured', 'settled')
    await ensureServed(profile, keep('capture', payment.capture()))
    await statusWith('captured', 'settled')
    await keep('capture again', payment.capture())
    await keep('cancel late', payment.cancel())
  },
  checks: [
    {
      id: 'LIF-07',
      clause: 'R1, R5',
      title: 'a refund before settlement: 422 with 5xxx',
      control: 'LIF-01',
      judge: (evidence, expect) => {
        expectNotCaptured(evidence, expect)
        expectRefunds(evidence.of('refund early'), expect)
        expect.refused(evidence.of('refund early'), { status: 422, code: '5' })
      },
    },
    lifecycleRefusal('LIF-10', 'R2, R5', 'a cancel after the capture: 422 with 5xxx', 'LIF-09', 'cancel late', {
      ...assumed('D-39'),
      premises: ['capture'],
      orConflict: true,
    }),
    lifecycleRefusal('LIF-11', 'R5', 'a second capture: 422 with 5xxx', 'LIF-01', 'capture again', {
      premises: ['capture'],
    }),
    lifecycleRefusal('LIF-13', '3, R5', 'a capture before authorization: 422 with 5xxx', 'LIF-01', 'capture early', {
      premises: ['initiate'],
      orConflict: true,
    }),
    {
      id: 'LIF-24',
      clause: 'R5',
      title: 'a refused operation leaves status and events as they were',
      ...assumed('D-51'),
      control: 'LIF-01',
      needs: ['fields.status.state', 'fields.events.list'],
      judge: (evidence, expect) => {
        expectNotCaptured(evidence, expect)
        const [before, after] = [evidence.of('before'), evidence.of('after')]
        expectSameStage(expect.field(before, 'status.state'), expect.field(after, 'status.state'), after, expect)
        const reads = [evidence.of('events before'), evidence.of('events after')] as const
        const [earlier, later] = reads.map(read => [expect.field(read, 'events.list')].flat().length)
        expect.holds(later === earlier, `${earlier} events`, `${later}`, reads[1])
      },
    },
  ],
}

/** Throws Blocked where the payment was not brought to the state before its capture, in which no refund is allowed. */
const expectNotCaptured = (evidence: Evidence<Step>, expect: Expect): void => {
  expectPremise(evidence.of('initiate'), 'initiate', expect)
  if (hasCapability(expect.profile, 'manualCapture')) expectPremise(evidence.of('finalize'), 'finalize', expect)
  expectPremiseState(evidence.of('before'), expect, 'waiting', 'authenticated', 'authorized')
}

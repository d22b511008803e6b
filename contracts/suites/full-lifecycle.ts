import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { hasCapability } from '../harness/profile/missing-capability-reason.ts'
import { lifecycleRefusal, PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { operationsOn } from './given/payment-operations.ts'
import { advancePastSettlement, initiate, readTransactionId } from './given/payments.ts'

type ManualCaptureStep =
  | 'initiate'
  | 'waiting'
  | 'capture early'
  | 'finalize'
  | 'before'
  | 'refund early'
  | 'after'
  | 'events before'
  | 'events after'
  | 'events captured'
  | 'capture'
  | 'captured'
  | 'capture again'
  | 'cancel late'
  | 'settled'
  | 'refund'
  | 'refunded'
  | 'refund again'
  | 'finalize late'

const isCapturedByHand = ({ profile }: Expect): boolean => hasCapability(profile, 'manualCapture')

/** Checks of a payment from initiate to refund; each operation is also tried where it must fail (3, R1 to R5). */
export const fullLifecycle: CheckScenario<CheckContext, ManualCaptureStep> = {
  name: 'a payment captured by hand, from initiate to refund',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const transactionId = readTransactionId(context.profile, await keep('initiate', initiate(context, false)))
    const payment = operationsOn(context, transactionId)
    const refundEarly = async () => {
      await keep('before', payment.status())
      await keep('events before', payment.events())
      await keep('refund early', payment.refund())
      await keep('after', payment.status())
      await keep('events after', payment.events())
    }
    await keep('waiting', payment.status())
    if (hasCapability(context.profile, 'manualCapture')) {
      await keep('capture early', payment.capture())
      await context.driver.shopper(transactionId, 'approve')
      await keep('finalize', payment.finalize())
      await refundEarly()
      await keep('capture', payment.capture())
      await keep('captured', payment.status())
      await keep('capture again', payment.capture())
      await keep('cancel late', payment.cancel())
    } else {
      await context.driver.shopper(transactionId, 'approve')
      await refundEarly()
      await keep('finalize', payment.finalize())
      await keep('captured', payment.status())
      await keep('events captured', payment.events())
    }
    await advancePastSettlement(context.profile, context)
    await keep('settled', payment.status())
    await keep('refund', payment.refund())
    await keep('refunded', payment.status())
    await keep('refund again', payment.refund())
    await keep('finalize late', payment.finalize())
  },
  checks: [
    {
      id: 'LIF-01',
      clause: '3 seq 1',
      title: 'the whole way of a shopper: initiate, finalize, capture, settled',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        const steps = ['initiate', 'finalize', ...(isCapturedByHand(expect) ? ['capture' as const] : [])] as const
        for (const step of steps) expect.served(evidence.of(step))
        expect.inCategory(evidence.of('captured'), 'captured', 'settled')
      },
    },
    {
      id: 'LIF-05',
      clause: 'R4',
      title: 'settlement follows a capture with no further call',
      control: 'LIF-01',
      ...WITH_STATES,
      judge: (evidence, expect) => expect.inCategory(evidence.of('settled'), 'settled'),
    },
    {
      id: 'LIF-08',
      clause: 'R1',
      title: 'a refund after settlement is accepted',
      control: 'LIF-05',
      judge: (evidence, expect) => expect.served(evidence.of('refund')),
    },
    {
      id: 'LIF-22',
      clause: '3',
      title: 'after each step the state is of the documented kind',
      control: 'LIF-08',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expect.inCategory(evidence.of('waiting'), 'waiting')
        if (isCapturedByHand(expect)) expect.inCategory(evidence.of('before'), 'authorized')
        expect.inCategory(evidence.of('captured'), 'captured', 'settled')
        expect.inCategory(evidence.of('settled'), 'settled')
        expect.inCategory(evidence.of('refunded'), 'refunded')
      },
    },
    lifecycleRefusal('LIF-07', 'R1, R5', 'a refund before settlement: 422 with 5xxx', 'LIF-01', 'refund early'),
    lifecycleRefusal('LIF-10', 'R2, R5', 'a cancel after the capture: 422 with 5xxx', 'LIF-09', 'cancel late'),
    lifecycleRefusal('LIF-11', 'R5', 'a second capture: 422 with 5xxx', 'LIF-01', 'capture again'),
    lifecycleRefusal('LIF-13', '3, R5', 'a capture before authorization: 422 with 5xxx', 'LIF-01', 'capture early'),
    lifecycleRefusal('LIF-18', 'R5', 'a second full refund is refused', 'LIF-08', 'refund again', {
      ...assumed('D-41'),
    }),
    lifecycleRefusal('LIF-19', 'R5', 'finalize of a finished payment: 422', 'LIF-08', 'finalize late', {
      ...assumed('D-35'),
    }),
    {
      id: 'LIF-24',
      clause: 'R5',
      title: 'a refused operation leaves status and events as they were',
      ...assumed('D-51'),
      control: 'LIF-01',
      needs: ['fields.status.state', 'fields.events.list'],
      judge: (evidence, expect) => {
        const [before, after] = [evidence.of('before'), evidence.of('after')]
        expect.equalText('state', expect.field(after, 'status.state'), expect.field(before, 'status.state'), after)
        const [earlier, later] = [evidence.of('events before'), evidence.of('events after')]
        expect.agreesWith('events', expect.field(later, 'events.list'), expect.field(earlier, 'events.list'), later)
      },
    },
    {
      id: 'RDS-07',
      clause: '6',
      title: 'a step adds an event',
      control: 'LIF-01',
      needs: ['fields.events.list'],
      judge: (evidence, expect) => {
        const events = evidence.of(isCapturedByHand(expect) ? 'events before' : 'events captured')
        const listed = expect.field(events, 'events.list')
        const kinds = Array.isArray(listed) ? listed.length : 0
        expect.holds(kinds >= 2, 'an event for initiate and one for finalize at least', kinds, events)
      },
    },
  ],
}

import { assumed, type CheckScenario, OBSERVING } from '../harness/judge/check.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectMoreEvents, readEventsAfter } from './evidence/expect-more-events.ts'
import { expectServedByHand } from './evidence/expect-premise.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { createAuthorizedPayment, waitForSettlement } from './given/create-payments.ts'
import { readStatusUntil } from './given/read-until.ts'

type Voided = 'authorized' | 'authorized events' | 'cancel' | 'status' | 'events' | 'cancel again' | 'later'

/** Scenario with checks that a cancel voids an authorization, once and for good (3, R2). */
export const voidedAuthorization: CheckScenario<CheckContext, Voided> = {
  name: 'an authorization that is voided',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const transactionId = await createAuthorizedPayment(context.profile, context)
    const payment = operationsOn(context, transactionId)
    await keep('authorized', payment.status())
    const before = await keep('authorized events', payment.events())
    await keep('cancel', payment.cancel())
    await keep('status', readStatusUntil(context.profile, context, transactionId, ['canceled']))
    await keep('events', readEventsAfter(context, transactionId, before))
    await keep('cancel again', payment.cancel())
    await waitForSettlement(context.profile, context)
    await keep('later', payment.status())
  },
  checks: [
    {
      id: 'LIF-09',
      clause: 'R2',
      title: 'cancel voids an authorization that was not captured',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expectServedByHand(evidence.of('cancel'), evidence.of('authorized'), expect)
        expect.inCategory(evidence.of('status'), 'canceled')
      },
    },
    {
      id: 'RDS-16',
      clause: '4, 6',
      title: 'cancel adds an event',
      control: 'LIF-09',
      needs: ['fields.events.list'],
      judge: (evidence, expect) => {
        expectServedByHand(evidence.of('cancel'), evidence.of('authorized'), expect)
        expectMoreEvents(evidence.of('authorized events'), evidence.of('events'), expect)
      },
    },
    {
      id: 'LIF-20',
      clause: '3',
      title: 'a second cancel',
      ...OBSERVING,
      judge: (evidence, expect) => expect.describeJudged(evidence.of('cancel again')),
    },
    {
      id: 'LIF-23',
      clause: '3',
      title: 'an end never changes afterwards',
      ...assumed('D-05'),
      control: 'LIF-09',
      ...WITH_STATES,
      judge: (evidence, expect) => expect.inCategory(evidence.of('later'), 'canceled'),
    },
  ],
}

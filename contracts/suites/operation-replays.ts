import { randomUUID } from 'node:crypto'
import type { CheckScenario } from '../harness/judge/check.ts'
import { hasCapability } from '../harness/profile/missing-capability-reason.ts'
import type { ProviderOperation } from '../operations.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectReplay } from './evidence/expect-replay.ts'
import { advancePastSettlement, createApprovedPayment, createAuthorizedPayment } from './given/payments.ts'
import { cancelBody, captureBody, finalizeBody, refundBody, withMember } from './given/request-bodies.ts'

type Replayed = Exclude<ProviderOperation, 'initiate' | 'charge'>
type Step = Replayed | `${Replayed} again` | `${'capture' | 'refund'} otherwise` | 'captured' | 'refunded' | 'canceled'

/** Checks of Idempotency-Key on finalize, capture, refund and cancel: replays, conflicts (I3, I4). */
export const operationReplays: CheckScenario<CheckContext, Step> = {
  name: 'acts sent again under their key',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const { merchant, account, profile } = context
    const twice = async (act: Replayed, json: object, other?: object) => {
      const send = (body: object, idempotencyKey: string) => merchant.request(act, { json: body, idempotencyKey })
      const key = randomUUID()
      await keep(act, send(json, key))
      await keep(`${act} again`, send(json, key))
      if (other && (act === 'capture' || act === 'refund')) await keep(`${act} otherwise`, send(other, key))
    }
    const path = { transactionId: await createApprovedPayment(profile, context, false) }
    await twice('finalize', finalizeBody(account, path.transactionId))
    const isCapturedByHand = hasCapability(profile, 'manualCapture')
    const capture = captureBody(account, path.transactionId, 1000)
    if (isCapturedByHand) await twice('capture', capture, withMember(capture, 'paymentDetails.amount', 500))
    await keep('captured', merchant.request('events', { path }))
    await advancePastSettlement(profile, context)
    const refund = refundBody(account, path.transactionId, 1000)
    await twice('refund', refund, withMember(refund, 'paymentDetails.amount', 500))
    await keep('refunded', merchant.request('events', { path }))
    if (!isCapturedByHand) return
    const held = await createAuthorizedPayment(profile, context)
    await twice('cancel', cancelBody(account, held))
    await keep('canceled', merchant.request('status', { path: { transactionId: held } }))
  },
  checks: [
    {
      id: 'IDM-14',
      clause: 'I3',
      title: 'finalize replayed finalizes once',
      control: 'LIF-01',
      judge: (evidence, expect) => expectReplay(evidence.of('finalize again'), evidence.of('finalize'), expect),
    },
    {
      id: 'IDM-11',
      clause: 'I3',
      title: 'capture replayed captures once',
      control: 'LIF-01',
      needs: ['fields.events.captured'],
      judge: (evidence, expect) => {
        expectReplay(evidence.of('capture again'), evidence.of('capture'), expect)
        expect.equalAmount(
          'captured sum',
          expect.field(evidence.of('captured'), 'events.captured'),
          1000,
          evidence.of('captured'),
        )
      },
    },
    {
      id: 'IDM-18',
      clause: 'I4',
      title: 'capture, same key and another payload: 409',
      control: 'LIF-01',
      judge: (evidence, expect) => expect.refused(evidence.of('capture otherwise'), { status: 409 }),
    },
    {
      id: 'IDM-12',
      clause: 'I3',
      title: 'refund replayed refunds once',
      control: 'LIF-08',
      needs: ['fields.events.refunded'],
      judge: (evidence, expect) => {
        expectReplay(evidence.of('refund again'), evidence.of('refund'), expect)
        expect.equalAmount(
          'refunded sum',
          expect.field(evidence.of('refunded'), 'events.refunded'),
          1000,
          evidence.of('refunded'),
        )
      },
    },
    {
      id: 'IDM-17',
      clause: 'I4',
      title: 'refund, same key and another amount: 409',
      control: 'LIF-08',
      judge: (evidence, expect) => expect.refused(evidence.of('refund otherwise'), { status: 409 }),
    },
    {
      id: 'IDM-13',
      clause: 'I3',
      title: 'cancel replayed cancels once and does not fail',
      control: 'LIF-09',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expectReplay(evidence.of('cancel again'), evidence.of('cancel'), expect)
        expect.inCategory(evidence.of('canceled'), 'canceled')
      },
    },
  ],
}

import type { Exchange } from '../client/http-exchange.ts'
import { assumed, type Check, type CheckScenario, OBSERVING } from '../harness/judge/check.ts'
import { hasCapability } from '../harness/profile/missing-capability-reason.ts'
import type { OperationName, ProviderOperation } from '../operations.ts'
import { PAYMENT_NEEDS } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { readStatus } from './given/harmless-calls.ts'
import { anyPayment, createApprovedPayment, createAuthorizedPayment, createSettledPayment } from './given/payments.ts'
import { cancelBody, captureBody, finalizeBody, refundBody } from './given/request-bodies.ts'

type Step = Exclude<ProviderOperation, 'charge'>

const refused = (id: string, step: Step, control: string, more: Partial<Check<Step>> = {}): Check<Step> => ({
  id,
  clause: '5.3, 7.3',
  title: `a read-only token on ${step}: 403 and 4971`,
  control,
  ...more,
  judge: (evidence, expect) =>
    expect.refused(evidence.of(step), { status: 403, code: '4971', without: 'initiate.transactionId' }),
})

/** Checks that operations refuse a read-only token, in states where the right scope would be served (5.3, 7.3). */
export const operationScopes: CheckScenario<CheckContext, Step> = {
  name: 'acts with a read-only token',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const { merchant, account, profile } = context
    const act = (endpoint: OperationName, json: unknown): Promise<Exchange> =>
      merchant.request(endpoint, { json, scope: 'payments:read' })
    await keep('initiate', act('initiate', await anyPayment(context)))
    await keep('finalize', act('finalize', finalizeBody(account, await createApprovedPayment(profile, context, false))))
    if (hasCapability(profile, 'manualCapture')) {
      const held = await createAuthorizedPayment(profile, context)
      await keep('capture', act('capture', captureBody(account, held)))
      await keep('cancel', act('cancel', cancelBody(account, held)))
    }
    await keep('refund', act('refund', refundBody(account, await createSettledPayment(profile, context))))
  },
  checks: [
    refused('SCP-01', 'initiate', 'VAL-02'),
    refused('SCP-02', 'capture', 'LIF-01'),
    refused('SCP-03', 'refund', 'LIF-08'),
    refused('SCP-04', 'cancel', 'LIF-09'),
    refused('SCP-06', 'finalize', 'LIF-01', assumed('D-56')),
  ],
}

/** Checks of the scopes with which a status is served (5.3). */
export const readScopes: CheckScenario<CheckContext, 'read' | 'process'> = {
  name: 'scopes of a read',
  tier: 1,
  play: async (context, keep) => {
    await keep('read', readStatus(context, {}, 'payments:read'))
    await keep('process', readStatus(context, {}, 'payments:process'))
  },
  checks: [
    {
      id: 'SCP-08',
      clause: '5.3',
      title: 'payments:read is enough for status',
      judge: (evidence, expect) => expect.served(evidence.of('read')),
    },
    {
      id: 'SCP-07',
      clause: '5.3',
      title: 'status with a token that was asked for payments:process only',
      ...OBSERVING,
      judge: (evidence, expect) => expect.describeJudged(evidence.of('process')),
    },
  ],
}

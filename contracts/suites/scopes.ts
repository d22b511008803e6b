import { assumed, type Check, type CheckScenario, OBSERVING } from '../harness/judge/check.ts'
import type { ProviderOperation } from '../operations.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/checks-with-own-calls.ts'
import { PAYMENT_NEEDS } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import {
  createAuthorizedPayment,
  createSettledPayment,
  initiate,
  letShopper,
  preparePayment,
} from './given/create-payments.ts'
import { readStatus } from './given/harmless-calls.ts'
import { cancelBody, captureBody, finalizeBody, refundBody } from './given/request-bodies.ts'

type Refused = Exclude<ProviderOperation, 'charge'>

const FORBIDDEN = { status: 403, code: '4971', core: true } as const
const NOTHING_MADE = { without: 'initiate.transactionId' }

/** Creates a check that a call with a read-only token is refused; `prepare` returns the body of a call that else is served. */
const refused = (
  id: string,
  act: Refused,
  control: string,
  prepare: (context: CheckContext) => Promise<unknown>,
  more: Partial<Check> = {},
): IsolatedCheck => ({
  id,
  clause: '5.3, 7.3',
  title: `a read-only token on ${act}: 403 and 4971`,
  control,
  ...more,
  play: async (context, keep) => {
    const json = await prepare(context)
    await keep(act, context.merchant.request(act, { json, scope: 'payments:read' }))
  },
  judge: (evidence, expect) =>
    expect.refused(evidence.of(act), { ...FORBIDDEN, ...(act === 'initiate' && NOTHING_MADE) }),
})

const approved = async (context: CheckContext): Promise<string> =>
  letShopper(context.profile, context, await initiate(context))

// biome-ignore format: a table reads by its columns
const CHECKS: IsolatedCheck[] = [
  refused('SCP-01', 'initiate', 'VAL-02', context => preparePayment(context, { will: 'wait' })),
  refused('SCP-02', 'capture',  'LIF-01', async context => captureBody(context.account, await createAuthorizedPayment(context.profile, context)), { needs: PAYMENT_NEEDS }),
  refused('SCP-03', 'refund',   'LIF-08', async context => refundBody(context.account, await createSettledPayment(context.profile, context)), { needs: PAYMENT_NEEDS }),
  refused('SCP-04', 'cancel',   'LIF-09', async context => cancelBody(context.account, await createAuthorizedPayment(context.profile, context)), { needs: PAYMENT_NEEDS }),
  refused('SCP-06', 'finalize', 'LIF-01', async context => finalizeBody(context.account, await approved(context)), { ...assumed('D-56'), needs: PAYMENT_NEEDS }),
]

/**
 * Scenario with checks that operations refuse a read-only token, in states where the right scope would be served (5.3,
 * 7.3).
 */
export const operationScopes = isolatedScenario({ name: 'acts with a read-only token', tier: 3 }, CHECKS)

/** Scenario with checks of the scopes with which a status is served (5.3). */
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

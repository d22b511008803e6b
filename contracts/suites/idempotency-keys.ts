import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/http-exchange.ts'
import type { CallOverrides } from '../client/send-signed-call.ts'
import { assumed, type Check, type CheckScenario, OBSERVING } from '../harness/judge/check.ts'
import { hasCapability } from '../harness/profile/missing-capability-reason.ts'
import type { OperationName } from '../operations.ts'
import { UNSTATED_STATUSES } from '../protocol/reason-codes.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/isolated-checks.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { anyPayment, createApprovedPayment, createAuthorizedPayment, createSettledPayment } from './given/payments.ts'
import { cancelBody, captureBody, finalizeBody, refundBody, withMember } from './given/request-bodies.ts'
import { withHeader, withOneCharacterChanged, withoutHeader } from './request-mutations/tamper-with-requests.ts'

const initiate = (
  { merchant }: Pick<CheckContext, 'merchant'>,
  json: object,
  idempotencyKey: string,
  alter?: CallOverrides,
) => merchant.request('initiate', { json, idempotencyKey }, alter)

/** Creates an observing check, which reports the response to a call that the document does not describe. */
const observed = (
  id: string,
  clause: string,
  title: string,
  play: (context: CheckContext) => Promise<Exchange>,
): IsolatedCheck => ({
  id,
  clause,
  title,
  ...OBSERVING,
  control: 'VAL-02',
  play: (context, keep) => keep('seen', play(context)),
  judge: (evidence, expect) => expect.describeJudged(evidence.of('seen')),
})

const CHECKS: IsolatedCheck[] = [
  observed('IDM-31', 'I2', 'one key for two different operations', async context => {
    const { merchant, account, profile } = context
    const [transactionId, idempotencyKey] = [await createAuthorizedPayment(profile, context), randomUUID()]
    await merchant.request('capture', { json: captureBody(account, transactionId, 400), idempotencyKey })
    return merchant.request('cancel', { json: cancelBody(account, transactionId), idempotencyKey })
  }),
  {
    id: 'IDM-32',
    clause: 'I2',
    title: 'the same key of two merchants does not conflict',
    ...assumed('D-19'),
    control: 'VAL-02',
    needs: ['secondOrganization', ...PAYMENT_NEEDS],
    play: async (context, keep) => {
      const [key, second] = [randomUUID(), await context.secondOrganization()]
      await keep('ours', initiate(context, await anyPayment(context), key))
      await keep('theirs', initiate(second, await anyPayment(second), key))
    },
    judge: (evidence, expect) => {
      const [ours, theirs] = [evidence.of('ours'), evidence.of('theirs')]
      for (const each of [ours, theirs]) expect.served(each)
      const ids = [ours, theirs].map(each => expect.field(each, 'initiate.transactionId'))
      expect.differ('a payment of their own', ids, theirs)
    },
  },
  observed('IDM-35', 'I2', 'a key of 1,000 characters', async context =>
    initiate(context, await anyPayment(context), 'k'.repeat(1000)),
  ),
  observed('IDM-36', 'I3', 'a refused body, corrected, under the same key', async context => {
    const [json, key] = [await anyPayment(context), randomUUID()]
    await initiate(context, withMember(json, 'paymentDetails', undefined), key)
    return initiate(context, json, key)
  }),
  {
    id: 'IDM-40',
    clause: '5, I3',
    title: 'a 401 or a 403 does not use up the key',
    ...assumed('D-22'),
    control: 'VAL-02',
    play: async (context, keep) => {
      const [json, key] = [await anyPayment(context), randomUUID()]
      const spoilt = { afterSigning: withHeader('signature', withOneCharacterChanged) }
      await keep('unsigned', initiate(context, json, key, spoilt))
      await keep('forbidden', initiate(context, json, key, { token: await context.merchant.tokenFor('payments:read') }))
      await keep('allowed', initiate(context, json, key))
    },
    judge: (evidence, expect) => {
      expect.refused(evidence.of('unsigned'), { status: 401 })
      expect.refused(evidence.of('forbidden'), { status: 403 })
      expect.served(evidence.of('allowed'))
    },
  },
]

/** Checks of the scope of an idempotency key: merchant, operation, refused calls (I2, I3). */
export const idempotencyKeyScope = isolatedScenario(
  { name: 'keys of others, and keys of refused calls', tier: 3, needs: PAYMENT_NEEDS },
  CHECKS,
)

const OPERATIONS = ['initiate', 'finalize', 'capture', 'cancel', 'refund'] as const
type KeyedOperation = (typeof OPERATIONS)[number]

/** Checks of payment operations without an Idempotency-Key, or with an empty one (I1). */
export const missingIdempotencyKeys: CheckScenario<
  CheckContext,
  KeyedOperation | 'consented' | 'authorized' | 'settled' | 'empty'
> = {
  name: 'acts without Idempotency-Key',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const { merchant, account, profile } = context
    const act = (endpoint: OperationName, json: unknown): Promise<Exchange> =>
      merchant.request(endpoint, { json }, { afterSigning: withoutHeader('idempotency-key') })
    const status = (transactionId: string) => merchant.request('status', { path: { transactionId } })
    await keep('initiate', act('initiate', await anyPayment(context)))
    await keep('empty', merchant.request('initiate', { json: await anyPayment(context), idempotencyKey: '' }))
    const agreed = await createApprovedPayment(profile, context, false)
    await keep('finalize', act('finalize', finalizeBody(account, agreed)))
    await keep('consented', status(agreed))
    if (hasCapability(profile, 'manualCapture')) {
      const held = await createAuthorizedPayment(profile, context)
      await keep('capture', act('capture', captureBody(account, held)))
      await keep('cancel', act('cancel', cancelBody(account, held)))
      await keep('authorized', status(held))
    }
    const paid = await createSettledPayment(profile, context)
    await keep('refund', act('refund', refundBody(account, paid)))
    await keep('settled', status(paid))
  },
  checks: [
    ...refusedWithoutKey('IDM-01', 'initiate', 'VAL-02'),
    ...refusedWithoutKey('IDM-02', 'finalize', 'LIF-01', 'consented', 'authenticated'),
    ...refusedWithoutKey('IDM-04', 'capture', 'LIF-01', 'authorized', 'authorized'),
    ...refusedWithoutKey('IDM-05', 'cancel', 'LIF-09', 'authorized', 'authorized'),
    ...refusedWithoutKey('IDM-06', 'refund', 'LIF-08', 'settled', 'settled'),
    {
      id: 'IDM-07',
      clause: '7.1, I1',
      title: 'the refusal of a missing key is 400 with a 4xxx code',
      ...assumed('D-18'),
      control: 'VAL-02',
      judge: (evidence, expect) => expect.refused(evidence.of('initiate'), { status: 400, code: '4' }),
    },
    {
      id: 'IDM-34',
      clause: 'I1',
      title: 'an empty key is refused',
      ...assumed('D-18'),
      control: 'VAL-02',
      judge: (evidence, expect) =>
        expect.refused(evidence.of('empty'), { or: UNSTATED_STATUSES.key, without: 'initiate.transactionId' }),
    },
  ],
}

function refusedWithoutKey(
  id: string,
  act: KeyedOperation,
  control: string,
  after?: 'consented' | 'authorized' | 'settled',
  category?: string,
): Check<KeyedOperation | 'consented' | 'authorized' | 'settled' | 'empty'>[] {
  return [
    {
      id,
      clause: 'I1',
      title: `${act} without Idempotency-Key is refused and nothing happens`,
      control,
      ...(after && WITH_STATES),
      judge: (evidence, expect) => {
        expect.refused(evidence.of(act), {
          or: UNSTATED_STATUSES.key,
          ...(!after && { without: 'initiate.transactionId' }),
        })
        if (after && category) expect.inCategory(evidence.of(after), category)
      },
    },
  ]
}

import { randomUUID } from 'node:crypto'
import { type Exchange, isServed } from '../client/http-exchange.ts'
import type { CallOverrides } from '../client/send-signed-call.ts'
import { assumed, type Check, OBSERVING } from '../harness/judge/check.ts'
import type { ExpectedRefusal } from '../harness/judge/check-assertions.ts'
import { hasCapability } from '../harness/profile/capabilities-that-checks-need.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { UNSTATED_STATUSES } from '../protocol/reason-codes.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/checks-with-own-calls.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectPremise } from './evidence/expect-premise.ts'
import { expectSameStage } from './evidence/expect-same-stage.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import {
  anyPayment,
  createApprovedPayment,
  createAuthorizedPayment,
  createSettledPayment,
} from './given/create-payments.ts'
import { readUntil } from './given/read-until.ts'
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
  more: Pick<Check, 'control' | 'needs'> = {},
): IsolatedCheck => ({
  id,
  clause,
  title,
  ...OBSERVING,
  control: 'VAL-02',
  ...more,
  play: (context, keep) => keep('seen', play(context)),
  judge: (evidence, expect) => expect.describeJudged(evidence.of('seen')),
})

const CHECKS: IsolatedCheck[] = [
  observed(
    'IDM-31',
    'I2',
    'one key for two different operations',
    async context => {
      const { merchant, account, profile } = context
      const [transactionId, idempotencyKey] = [await createAuthorizedPayment(profile, context), randomUUID()]
      const part = hasCapability(profile, 'partialCaptures') ? 400 : 1000
      await merchant.request('capture', { json: captureBody(account, transactionId, part), idempotencyKey })
      return merchant.request('cancel', { json: cancelBody(account, transactionId), idempotencyKey })
    },
    { control: 'LIF-09', needs: PAYMENT_NEEDS },
  ),
  {
    id: 'IDM-32',
    clause: 'I2',
    title: 'the same key of two merchants does not conflict',
    ...assumed('D-19'),
    control: 'VAL-02',
    needs: ['secondOrganization', 'fields.initiate.transactionId'],
    play: async (context, keep) => {
      const [key, second] = [randomUUID(), await context.secondOrganization()]
      await keep('ours', initiate(context, await anyPayment(context.profile, context), key))
      await keep('theirs', initiate(second, await anyPayment(context.profile, second), key))
    },
    judge: (evidence, expect) => {
      const [ours, theirs] = [evidence.of('ours'), evidence.of('theirs')]
      expectPremise(ours, 'our payment', expect)
      const one = expect.field(ours, 'initiate.transactionId')
      const two = findField(expect.profile, theirs, 'initiate.transactionId')
      expect.specified(() => expect.holds(one !== two, 'a payment of their own', `${two} again`, theirs))
      expect.served(theirs)
      expect.field(theirs, 'initiate.transactionId')
    },
  },
  observed('IDM-35', 'I2', 'a key of 1,000 characters', async context =>
    initiate(context, await anyPayment(context.profile, context), 'k'.repeat(1000)),
  ),
  observed('IDM-36', 'I3', 'a refused body, corrected, under the same key', async context => {
    const [json, key] = [await anyPayment(context.profile, context), randomUUID()]
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
      const [json, key] = [await anyPayment(context.profile, context), randomUUID()]
      const spoilt = { afterSigning: withHeader('signature', withOneCharacterChanged) }
      await keep('unsigned', initiate(context, json, key, spoilt))
      await keep('forbidden', initiate(context, json, key, { token: await context.merchant.tokenFor('payments:read') }))
      await keep('allowed', initiate(context, json, key))
    },
    judge: (evidence, expect) => {
      expect.refused(evidence.of('unsigned'), { status: 401, core: true })
      expect.refused(evidence.of('forbidden'), { status: 403, core: true })
      expect.served(evidence.of('allowed'))
    },
  },
]

/** Scenario with checks of the scope of an idempotency key: merchant, operation, refused calls (I2, I3). */
export const idempotencyKeyScope = isolatedScenario(
  { name: 'keys of others, and keys of refused calls', tier: 3 },
  CHECKS,
)

/** The keyless call of an operation, its control, and how the payment that it names comes about. */
type Keyless = {
  id: string
  act: 'finalize' | 'capture' | 'cancel' | 'refund'
  control: string
  pay(profile: Profile, context: CheckContext): Promise<string>
  body(account: string, transactionId: string): unknown
}

// biome-ignore format: a table reads by its columns
const ON_A_PAYMENT: readonly Keyless[] = [
  { id: 'IDM-02', act: 'finalize', control: 'LIF-01', pay: (profile, context) => createApprovedPayment(profile, context, true), body: finalizeBody },
  { id: 'IDM-04', act: 'capture',  control: 'LIF-01', pay: createAuthorizedPayment, body: captureBody },
  { id: 'IDM-05', act: 'cancel',   control: 'LIF-09', pay: createAuthorizedPayment, body: cancelBody },
  { id: 'IDM-06', act: 'refund',   control: 'LIF-08', pay: createSettledPayment,    body: refundBody },
]

const withoutKey = { afterSigning: withoutHeader('idempotency-key') }

/** How a call without a key may be refused (7.1). */
const KEYLESS = { or: UNSTATED_STATUSES.key, decidedBy: 'D-18' } as const

const keyless = ({ id, act, control, pay, body }: Keyless): IsolatedCheck => ({
  id,
  clause: 'I1',
  title: `${act} without Idempotency-Key is refused and nothing happens`,
  control,
  needs: [...PAYMENT_NEEDS, ...WITH_STATES.needs],
  play: async (context, keep) => {
    const transactionId = await pay(context.profile, context)
    const { status } = operationsOn(context, transactionId)
    await keep('before', readUntil(context.profile, status, isServed, context))
    await keep('keyless', context.merchant.request(act, { json: body(context.account, transactionId) }, withoutKey))
    await keep('after', status())
  },
  judge: (evidence, expect) => {
    expect.refused(evidence.of('keyless'), KEYLESS)
    const [before, after] = ['before', 'after'].map(step => evidence.of(step)) as [Exchange, Exchange]
    expectSameStage(expect.field(before, 'status.state'), expect.field(after, 'status.state'), after, expect)
  },
})

const refusedInitiate = (
  check: Pick<Check, 'id' | 'clause' | 'title'> & Partial<Check>,
  refused: ExpectedRefusal,
  idempotencyKey?: string,
): IsolatedCheck => ({
  ...check,
  control: 'VAL-02',
  play: async (context, keep) => {
    const json = await anyPayment(context.profile, context)
    const keyed = idempotencyKey === undefined ? { json } : { json, idempotencyKey }
    await keep('keyless', context.merchant.request('initiate', keyed, idempotencyKey === undefined ? withoutKey : {}))
  },
  judge: (evidence, expect) => expect.refused(evidence.of('keyless'), refused),
})

// biome-ignore format: a table reads by its columns
const ON_INITIATE: readonly IsolatedCheck[] = [
  refusedInitiate({ id: 'IDM-01', clause: 'I1', title: 'initiate without Idempotency-Key is refused and nothing happens' }, { ...KEYLESS, without: 'initiate.transactionId' }),
  refusedInitiate({ id: 'IDM-07', clause: '7.1, I1', title: 'the refusal of a missing key is 400 with a 4xxx code', ...assumed('D-18') }, { status: 400, decidedBy: 'D-18', code: '4' }),
  refusedInitiate({ id: 'IDM-34', clause: 'I1', title: 'an empty key is refused', ...assumed('D-18') }, { ...KEYLESS, without: 'initiate.transactionId' }, ''),
]

/** Scenario with checks of payment operations without an Idempotency-Key, or with an empty one (I1). */
export const missingIdempotencyKeys = isolatedScenario({ name: 'acts without Idempotency-Key', tier: 3 }, [
  ...ON_INITIATE,
  ...ON_A_PAYMENT.map(keyless),
])

import { randomUUID } from 'node:crypto'
import type { CallParts } from '../client/endpoint-call.ts'
import type { Check, CheckScenario } from '../harness/judge/check.ts'
import type { KeepStep } from '../harness/judge/scenario-evidence.ts'
import type { ProviderOperation } from '../operations.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectReplay } from './evidence/expect-replay.ts'
import { repeatCall } from './given/content-of-recorded-call.ts'
import { createApprovedPayment, createSettledPayment } from './given/create-payments.ts'
import { fetchToken } from './given/harmless-calls.ts'
import { begun, playTimeline } from './given/play-timed-checks.ts'
import { cancelBody, captureBody, chargeBody, finalizeBody, refundBody } from './given/request-bodies.ts'
import { mandatePayer } from './grid/signed-operation-columns.ts'
import { authorized } from './grid/states-and-their-acts.ts'

/** A check that a key is known for 24 hours: its operation, and what prepares the body of the call. */
type KeyCheck = Pick<Check<string>, 'id' | 'control' | 'needs'> & {
  operation: ProviderOperation
  prepare(context: CheckContext): Promise<object>
}

const NEARLY_A_DAY = { seconds: 24 * 60 * 60 - 60, within: 'PT50S' }
const NEEDS = ['time.PT24H', 'fields.initiate.transactionId']

/** A check of the key of an act, on a payment made for it. */
const onPayment = (
  id: string,
  operation: ProviderOperation,
  control: string,
  pay: (context: CheckContext) => Promise<string>,
  body: (account: string, transactionId: string) => object,
): KeyCheck => ({
  id,
  operation,
  control,
  needs: ['shopper.approve', ...NEEDS],
  prepare: async context => body(context.account, await pay(context)),
})

const CHECKS: readonly KeyCheck[] = [
  {
    id: 'IDM-43',
    operation: 'charge',
    control: 'IDM-10',
    needs: ['blik.approve', ...NEEDS],
    prepare: async context => chargeBody(context.account, await mandatePayer(context)),
  },
  onPayment('IDM-44', 'refund', 'IDM-12', context => createSettledPayment(context.profile, context), refundBody),
  onPayment(
    'IDM-46',
    'finalize',
    'IDM-14',
    context => createApprovedPayment(context.profile, context, true),
    finalizeBody,
  ),
  onPayment('IDM-47', 'capture', 'IDM-11', authorized, captureBody),
  onPayment('IDM-48', 'cancel', 'IDM-13', authorized, cancelBody),
]

/** Makes the call of a check, and once its key is nearly a day old makes it again. */
const replayLate = (context: CheckContext, keep: KeepStep<string>, { id, operation, prepare }: KeyCheck) => {
  const send = async (parts: CallParts) => context.merchant.request(operation, parts, await fetchToken(context))
  return begun(
    async () => {
      const json = await prepare(context)
      return repeatCall(await keep(`${id} first`, send({ json, idempotencyKey: randomUUID() })))
    },
    call => keep(id, send(call)),
  )
}

/** Scenario with checks that the keys of all operations are known for 24 hours, as that of initiate (8). */
export const expiryOfIdempotencyKeys: CheckScenario<CheckContext> = {
  name: 'keys of all operations but initiate, a day later',
  tier: 3,
  play: async (context, keep, chosen) => {
    const organization = await context.organizationForTime()
    const timed = CHECKS.filter(({ id }) => chosen.has(id)).map(check => ({
      id: check.id,
      ...NEARLY_A_DAY,
      ...replayLate({ ...context, ...organization }, keep, check),
    }))
    await playTimeline(organization, timed, (id, why) => {
      keep(id, Promise.reject(why)).catch(() => undefined)
    })
  },
  checks: CHECKS.map(({ id, operation, control, needs }) => ({
    id,
    clause: '8, I3',
    title: `a key of ${operation} that is 23 h 59 min old still replays`,
    ...(control && { control }),
    ...(needs && { needs }),
    judge: (evidence, expect) => expectReplay(evidence.of(id), evidence.of(`${id} first`), expect),
  })),
}

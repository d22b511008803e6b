import { randomUUID } from 'node:crypto'
import { choiceOf } from '../dialect/decision-choices.ts'
import { takesMember } from '../dialect/request-lens.ts'
import type { CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Evidence, KeepStep } from '../harness/judge/scenario-evidence.ts'
import { Blocked } from '../harness/judge/verdict-errors.ts'
import { hasCapability } from '../harness/profile/capabilities-that-checks-need.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { ProviderOperation } from '../operations.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectSum, readThatShows, type Sum, showsSum } from './evidence/expect-captured-or-refunded-sum.ts'
import { expectPremise } from './evidence/expect-premise.ts'
import { expectReplay } from './evidence/expect-replay.ts'
import { isUnsupported } from './evidence/unsupported-operation.ts'
import {
  createApprovedPayment,
  createAuthorizedPayment,
  unknownId,
  waitForSettlement,
} from './given/create-payments.ts'
import { readStatusUntil, readUntil } from './given/read-until.ts'
import { cancelBody, captureBody, finalizeBody, refundBody, uniqueReference } from './given/request-bodies.ts'

type Replayed = Exclude<ProviderOperation, 'initiate' | 'charge'>
type Other = 'capture' | 'refund'
type Step = Replayed | `${Replayed} again` | `${Other} otherwise` | 'captured' | 'refunded' | 'canceled'

const WHOLE = 1000
const PART = 500
const PARTS = { capture: 'partialCaptures', refund: 'partialRefunds' } as const

/** Sends a call twice under one key, the second time with a fresh token, which is no part of it (I3); returns that key. */
const twice = async (
  { merchant }: CheckContext,
  keep: KeepStep<Replayed | `${Replayed} again`>,
  act: Replayed,
  json: object,
): Promise<string> => {
  const idempotencyKey = randomUUID()
  await merchant.forgetTokenOf(await keep(act, merchant.request(act, { json, idempotencyKey })))
  await keep(`${act} again`, merchant.request(act, { json, idempotencyKey }))
  return idempotencyKey
}

/** Returns the member in which another payload differs: the amount; where there are no parts, the reference, else the payment. */
const otherMember = (profile: Profile, act: Other) => {
  const takes = (member: string) => takesMember(profile, act, member)
  if (profile.capabilities?.[PARTS[act]] !== false && takes('paymentDetails.amount')) return 'paymentDetails.amount'
  const isFree = choiceOf(profile, 'D-48') === 'of-operation'
  return isFree && takes('clientTransactionId') ? 'clientTransactionId' : 'transactionId'
}

/** Returns another payload of the same call. */
const otherwise = ({ profile }: CheckContext, act: Other, json: { paymentDetails?: object }): object => {
  const changes = {
    'paymentDetails.amount': { paymentDetails: { ...json.paymentDetails, amount: PART } },
    clientTransactionId: { clientTransactionId: uniqueReference() },
    transactionId: { transactionId: unknownId(profile) },
  }
  return { ...json, ...changes[otherMember(profile, act)] }
}

/** Checks of Idempotency-Key on finalize, capture and refund of one payment: replays, conflicts (I3, I4). */
const paid: CheckScenario<CheckContext, Step> = {
  name: 'acts sent again under their key',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const { merchant, account, profile } = context
    const isByHand = hasCapability(profile, 'manualCapture')
    const transactionId = await createApprovedPayment(profile, context, !isByHand)
    const keepSum = (sum: Sum) => {
      const read = () => merchant.request(readThatShows(profile, sum), { path: { transactionId } })
      return keep(sum, readUntil(profile, read, showsSum(profile, sum, WHOLE), context))
    }
    const keepOther = (act: Other, json: { paymentDetails?: object }, idempotencyKey: string) =>
      keep(`${act} otherwise`, merchant.request(act, { json: otherwise(context, act, json), idempotencyKey }))

    await twice(context, keep, 'finalize', finalizeBody(account, transactionId))
    await readStatusUntil(profile, context, transactionId, ['authorized', 'captured', 'settled'])
    const capture = captureBody(account, transactionId)
    if (isByHand) await keepOther('capture', capture, await twice(context, keep, 'capture', capture))
    await keepSum('captured')
    await waitForSettlement(profile, context, transactionId)
    await readStatusUntil(profile, context, transactionId, ['settled'])
    const refund = refundBody(account, transactionId)
    await keepOther('refund', refund, await twice(context, keep, 'refund', refund))
    await keepSum('refunded')
  },
  checks: [
    {
      id: 'IDM-14',
      clause: 'I3',
      title: 'finalize replayed finalizes once',
      control: 'LIF-01',
      judge: (evidence, expect) => expectReplayed(evidence, 'finalize', expect),
    },
    {
      id: 'IDM-11',
      clause: 'I3',
      title: 'capture replayed captures once',
      control: 'LIF-01',
      needs: ['sum.captured'],
      judge: (evidence, expect) => {
        expectReplayed(evidence, 'capture', expect)
        expectSum(evidence.of('captured'), 'captured', WHOLE, expect)
      },
    },
    {
      id: 'IDM-18',
      clause: 'I4',
      title: 'capture, same key and another payload: 409',
      control: 'LIF-01',
      judge: (evidence, expect) => expectConflict(evidence, 'capture', expect),
    },
    {
      id: 'IDM-12',
      clause: 'I3',
      title: 'refund replayed refunds once',
      control: 'LIF-08',
      needs: ['sum.refunded'],
      judge: (evidence, expect) => {
        expectReplayed(evidence, 'refund', expect)
        expectSum(evidence.of('refunded'), 'refunded', WHOLE, expect)
      },
    },
    {
      id: 'IDM-17',
      clause: 'I4',
      title: 'refund, same key and another amount: 409',
      control: 'LIF-08',
      judge: (evidence, expect) => expectConflict(evidence, 'refund', expect),
    },
  ],
}

const voided: CheckScenario<CheckContext, Step> = {
  name: 'a cancel sent again under its key',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const held = await createAuthorizedPayment(context.profile, context)
    await twice(context, keep, 'cancel', cancelBody(context.account, held))
    await keep('canceled', readStatusUntil(context.profile, context, held, ['canceled']))
  },
  checks: [
    {
      id: 'IDM-13',
      clause: 'I3',
      title: 'cancel replayed cancels once and does not fail',
      control: 'LIF-09',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expectReplayed(evidence, 'cancel', expect)
        expect.inCategory(evidence.of('canceled'), 'canceled')
      },
    },
  ],
}

const expectReplayed = (evidence: Evidence<Step>, act: Replayed, expect: Expect): void => {
  expectPremise(evidence.of(act), act, expect)
  expectReplay(evidence.of(`${act} again`), evidence.of(act), expect)
}

/**
 * Expects 409 for another payload under a key that a served call has used (I4), or 404 where that names a payment that is
 * not there; no order to a check of parts is stated.
 */
const expectConflict = (evidence: Evidence<Step>, act: Other, expect: Expect): void => {
  expectPremise(evidence.of(act), act, expect)
  const other = evidence.of(`${act} otherwise`)
  expect.response(other)
  if (isUnsupported(expect.profile, other)) {
    const line = `capabilities.${PARTS[act]}: false`
    throw new Blocked(
      `there seems to be no ${act} in parts: if so, add to ${expect.profile.file} the line ${line}`,
      other,
    )
  }
  const isElsewhere = otherMember(expect.profile, act) === 'transactionId'
  expect.refused(other, { status: 409, ...(isElsewhere && { or: 404 }) })
}

/** Scenarios with checks of Idempotency-Key on finalize, capture, refund and cancel: replays, conflicts (I3, I4). */
export const operationReplays = [paid, voided]

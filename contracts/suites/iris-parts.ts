import type { Exchange } from '../client/http-exchange.ts'
import { assumed, type Check, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { EmptyCell } from '../harness/judge/judge-grid-cells.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { untakenReason } from '../harness/profile/create-request-dialect.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectSum, readSumUntil } from './evidence/expect-captured-or-refunded-sum.ts'
import { expectPremise, expectPremiseState, expectServedOrUnsupported } from './evidence/expect-premise.ts'
import { isUnsupported } from './evidence/unsupported-operation.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import {
  AFTER_FINALIZE,
  ensureServed,
  initiate,
  letShopper,
  readTransactionId,
  waitForSettlement,
} from './given/create-payments.ts'
import { readStatusUntil, showsCategory } from './given/read-until.ts'
import { APPROVED, bankSeconds } from './shopper-decisions.ts'

const PART = 400
const NEEDS = ['iris.approve', 'fields.initiate.transactionId']
const TAKEN = ['captured', 'settled']

/** Has the shopper of an initiated payment of IRIS approve, and waits until that shows; returns its id. */
export const approveIrisPayment = async (context: CheckContext, initiated: Exchange): Promise<string> => {
  const { profile } = context
  const id = readTransactionId(profile, initiated)
  await letShopper(profile, context, initiated, { method: 'IRIS' })
  await readStatusUntil(profile, context, id, [...APPROVED, 'declined'], { withinSeconds: bankSeconds(profile) })
  return id
}

type CaptureStep = 'initiate' | 'finalize' | 'authorized' | 'capture part' | 'captured'

/** Throws EmptyCell where payments of IRIS are not captured by hand, as a scheme may (1, 7.1); Blocked where none was authorized. */
const expectByHand = (evidence: Evidence<CaptureStep>, expect: Expect): void => {
  const isLacked = (['initiate', 'finalize'] as const).some(step => isUnsupported(expect.profile, evidence.of(step)))
  const authorized = isLacked ? undefined : evidence.of('authorized')
  if (!authorized || showsCategory(expect.profile, authorized, ...TAKEN))
    throw new EmptyCell('payments of IRIS are not captured by hand (1, 7.1)')
  expectPremise(evidence.of('finalize'), 'finalize', expect)
  expectPremiseState(authorized, expect, 'authorized')
}

/** Expects an act in part to have been served; throws EmptyCell where the scheme does none of it in parts (1, 7.1). */
const expectPart = (part: Exchange, what: string, expect: Expect): void => {
  expect.response(part)
  if (isUnsupported(expect.profile, part)) throw new EmptyCell(`there is no ${what} of a payment of IRIS (1, 7.1)`)
  expectPremise(part, `a ${what}`, expect)
}

const captureInPart: CheckScenario<CheckContext, CaptureStep> = {
  name: 'a capture of a part of a payment of IRIS',
  tier: 3,
  needs: NEEDS,
  play: async (context, keep) => {
    const { profile } = context
    const initiated = await keep('initiate', initiate(context, { method: 'IRIS', autoCapture: false }))
    const id = await approveIrisPayment(context, initiated)
    const payment = operationsOn(context, id)
    await keep('finalize', payment.finalize())
    await keep('authorized', readStatusUntil(profile, context, id, AFTER_FINALIZE))
    await keep('capture part', payment.capture(PART))
    await keep('captured', readSumUntil(context, id, 'captured', PART))
  },
  checks: [
    {
      id: 'IRS-16',
      exempt: profile => untakenReason(profile, 'capture', 'paymentDetails.amount'),
      clause: '1, 7.1',
      title: 'a partial capture of a payment of IRIS is accepted, or refused with 501',
      control: 'IRS-10',
      judge: (evidence, expect) => {
        expectByHand(evidence, expect)
        expectServedOrUnsupported(evidence.of('capture part'), expect)
      },
    },
    {
      id: 'IRS-17',
      exempt: profile => untakenReason(profile, 'capture', 'paymentDetails.amount'),
      clause: '1, 4',
      title: 'a partial capture of a payment of IRIS captures the part',
      ...assumed('D-47'),
      control: 'IRS-10',
      needs: ['sum.captured'],
      judge: (evidence, expect) => {
        expectByHand(evidence, expect)
        expectPart(evidence.of('capture part'), 'partial capture', expect)
        expectSum(evidence.of('captured'), 'captured', PART, expect)
      },
    },
  ],
}

type RefundStep = 'refund part' | 'refunded'

const REFUND_CHECKS: readonly Check<RefundStep>[] = [
  {
    id: 'IRS-18',
    exempt: profile => untakenReason(profile, 'refund', 'paymentDetails.amount'),
    clause: '1, 7.1',
    title: 'a partial refund of a payment of IRIS is accepted, or refused with 501',
    control: 'IRS-11',
    judge: (evidence, expect) => expectServedOrUnsupported(evidence.of('refund part'), expect),
  },
  {
    id: 'IRS-19',
    exempt: profile => untakenReason(profile, 'refund', 'paymentDetails.amount'),
    clause: '1, 4',
    title: 'a partial refund of a payment of IRIS refunds the part',
    ...assumed('D-47'),
    control: 'IRS-18',
    needs: ['sum.refunded'],
    judge: (evidence, expect) => {
      expectPart(evidence.of('refund part'), 'partial refund', expect)
      expectSum(evidence.of('refunded'), 'refunded', PART, expect)
    },
  },
]

const refundInPart: CheckScenario<CheckContext, RefundStep> = {
  name: 'a refund of a part of a payment of IRIS',
  tier: 3,
  needs: NEEDS,
  play: async (context, keep) => {
    const { profile } = context
    const initiated = await initiate(context, { method: 'IRIS', autoCapture: true })
    const id = await approveIrisPayment(context, initiated)
    const payment = operationsOn(context, id)
    await ensureServed(profile, payment.finalize())
    await readStatusUntil(profile, context, id, [...TAKEN, 'declined'])
    await waitForSettlement(profile, context, id)
    await keep('refund part', payment.refund(PART))
    await keep('refunded', readSumUntil(context, id, 'refunded', PART))
  },
  checks: REFUND_CHECKS,
}

/** Scenarios with checks of captures and refunds of a part of a payment of IRIS: whether there are parts depends on the scheme (1, 7.1). */
export const irisParts = [captureInPart, refundInPart]

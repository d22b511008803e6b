import { type Exchange, isServed } from '../client/http-exchange.ts'
import { choiceOf } from '../dialect/decision-choices.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { EmptyCell } from '../harness/judge/judge-grid-cells.ts'
import type { Evidence, KeepStep } from '../harness/judge/scenario-evidence.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import { untakenReason } from '../harness/profile/create-request-dialect.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { isDecline } from '../harness/profile/response-fields-and-line-advice.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectSum, readSumUntil } from './evidence/expect-captured-or-refunded-sum.ts'
import { expectNothingLeftToRefund } from './evidence/expect-nothing-left-to-refund.ts'
import { expectPremise, expectPremiseState, expectRefunds } from './evidence/expect-premise.ts'
import { expectSettled } from './evidence/expect-settled.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { createAuthorizedPayment, ensureServed, waitForSettlement } from './given/create-payments.ts'
import { readStatusUntil, readUntil } from './given/read-until.ts'

const CAPTURED = ['captured', 'settled']
const [PART, REST] = [400, 600]

/** Captures a part of a new payment. */
const capturePart = async (context: CheckContext, keep: KeepStep<'part'>) => {
  const transactionId = await createAuthorizedPayment(context.profile, context)
  const payment = operationsOn(context, transactionId)
  await ensureServed(context.profile, keep('part', payment.capture(PART)))
  return { transactionId, payment }
}

type InParts = 'part' | 'rest' | 'captured' | 'settled' | 'refund'

/** Expects both parts to be captured; throws EmptyCell where no rest can be: several captures are a capability of their own (1). */
const expectParts = (evidence: Evidence<InParts>, expect: Expect): void => {
  expectPremise(evidence.of('part'), 'part', expect)
  if (
    [501, 422, 409].includes(expect.response(evidence.of('rest')).status) &&
    !isDecline(expect.profile, evidence.of('rest'))
  )
    throw new EmptyCell('no rest is captured after a part here, which GRD-69 judges')
  expectPremise(evidence.of('rest'), 'rest', expect)
}

const inParts: CheckScenario<CheckContext, InParts> = {
  name: 'a payment that is captured in two parts',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const { profile } = context
    const { transactionId, payment } = await capturePart(context, keep)
    await ensureServed(profile, keep('rest', payment.capture(REST)))
    await keep('captured', readStatusUntil(profile, context, transactionId, [...CAPTURED, 'declined']))
    await waitForSettlement(profile, context, transactionId)
    await keep('settled', payment.status())
    await keep('refund', payment.refund())
  },
  checks: [
    {
      id: 'LIF-34',
      exempt: profile => untakenReason(profile, 'capture', 'paymentDetails.amount'),
      clause: '1, R4',
      title: 'a payment that is captured in two parts settles',
      control: 'LIF-17',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expectParts(evidence, expect)
        expectPremiseState(evidence.of('captured'), expect, ...CAPTURED)
        expectSettled(evidence.of('settled'), expect)
      },
    },
    {
      id: 'LIF-38',
      exempt: profile => untakenReason(profile, 'capture', 'paymentDetails.amount'),
      clause: '1, R1',
      title: 'a payment that was captured in two parts can be refunded as a whole',
      control: 'LIF-17',
      judge: (evidence, expect) => {
        expectParts(evidence, expect)
        expectPremiseState(evidence.of('settled'), expect, 'settled')
        expectRefunds(evidence.of('refund'), expect)
        expect.served(evidence.of('refund'))
      },
    },
  ],
}

/** What is asked for once the captured part is refunded: both together are less than was authorized. */
const TOO_MUCH = 300

const unrefundablePart = (profile: Profile): string | undefined =>
  choiceOf(profile, 'D-120') === 'settled-payment'
    ? 'only a payment that has settled as a whole is refunded here (D-120)'
    : (untakenReason(profile, 'capture', 'paymentDetails.amount') ??
      untakenReason(profile, 'refund', 'paymentDetails.amount'))

const refundedPart: CheckScenario<CheckContext, 'part' | 'refund' | 'too much' | 'sum'> = {
  name: 'refunds of a payment that is captured in part',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const { profile } = context
    const { transactionId, payment } = await capturePart(context, keep)
    await waitForSettlement(profile, context)
    const refund = () => payment.refund(PART)
    const refunded = await keep(
      'refund',
      readUntil(profile, refund, it => isServed(it) || it.response?.status === 501, context),
    )
    if (!isServed(refunded)) return
    const tooMuch = await keep('too much', payment.refund(TOO_MUCH))
    if (isServed(tooMuch)) await keep('sum', readSumUntil(context, transactionId, 'refunded', PART + TOO_MUCH))
  },
  checks: [
    {
      id: 'LIF-37',
      exempt: unrefundablePart,
      clause: '1, R1, R5',
      title: 'no more can be refunded than was captured, where that is a part',
      ...assumed('D-41', 'D-120'),
      control: 'LIF-32',
      needs: ['sum.refunded'],
      judge: (evidence, expect) => {
        expectPremise(evidence.of('part'), 'a partial capture', expect)
        expectRefunds(evidence.of('refund'), expect)
        if (!isServed(evidence.of('refund'))) throw unrefunded(evidence.of('refund'), expect.profile)
        expectPremise(evidence.of('refund'), 'a refund of the part', expect)
        const tooMuch = evidence.of('too much')
        // A service that takes no amount, or declines the rest, has refunded the part alone (4 shows no body).
        if (isServed(tooMuch)) return expect.specified(() => expectSum(evidence.of('sum'), 'refunded', PART, expect))
        if (expect.profile.decisions?.['D-41'] === undefined) expect.refused(tooMuch, { core: true })
        else expectNothingLeftToRefund(tooMuch, expect)
      },
    },
  ],
}

const unrefunded = (refund: Exchange, { file }: Profile): Untestable => {
  const line = 'decisions.D-120'
  const cure = `if only a payment that has settled as a whole is, say ${line}: settled-payment in ${file}`
  return new Untestable(`a part that should have settled is not refunded: ${cure}`, refund, line)
}

/** Scenarios with checks that payments captured in parts settle, and that what was captured alone is refunded (3, R1, R4, R5). */
export const settlementOfParts = [inParts, refundedPart]

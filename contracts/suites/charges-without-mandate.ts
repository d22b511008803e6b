import { isServed } from '../client/http-exchange.ts'
import { choiceOf } from '../dialect/decision-choices.ts'
import { assumed } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { EmptyCell } from '../harness/judge/judge-grid-cells.ts'
import type { Evidence, KeepStep } from '../harness/judge/scenario-evidence.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/checks-with-own-calls.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import type { ShopperOutcome } from './drivers/shopper-driver-types.ts'
import { expectSum, readThatShows } from './evidence/expect-captured-or-refunded-sum.ts'
import { expectPremise, expectPremiseState } from './evidence/expect-premise.ts'
import { expectRefusedOrDeclined, findStep } from './evidence/expect-refused-or-declined.ts'
import { chosenRefusal, REFUSED_CHARGE } from './evidence/refusal-by-profile-decision.ts'
import { isUnsupported } from './evidence/unsupported-operation.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { createMandatePayment, waitForToken } from './given/create-mandate-payments.ts'
import { letShopper, preparePayment } from './given/create-payments.ts'
import { ENDED } from './given/read-failed-payment-outcome.ts'
import { readStatusUntil, readUntil } from './given/read-until.ts'
import { chargeBody, uniqueReference, withMember } from './given/request-bodies.ts'
import { keepForbiddenCharge, laterThan } from './grid/refused-charge-grid.ts'
import type { MandateNames } from './grid/signed-operation-columns.ts'
import { bankSeconds } from './shopper-decisions.ts'

const ID = 'fields.initiate.transactionId'
const PAID = ['authorized', 'captured', 'settled']

const charge = (context: CheckContext, keep: KeepStep<string>, payerId: string): Promise<void> => {
  const { merchant, account } = context
  const call = merchant.request('charge', { json: chargeBody(account, { payerId }) })
  return keepForbiddenCharge(context, keep, 'charge', call)
}

const expectUncharged = (evidence: Evidence<string>, expect: Expect): void =>
  expectRefusedOrDeclined(
    evidence.of('charge'),
    expect,
    { without: 'charge.transactionId', ...chosenRefusal(expect.profile, 'D-63', REFUSED_CHARGE) },
    { later: findStep(evidence, laterThan('charge')) },
  )

/** How a payment that would make a mandate stands where nobody may charge its payer yet, or any more. */
type Standing = Partial<IsolatedCheck> & {
  id: string
  payer: string
  will: ShopperOutcome
  /** Lifecycle categories that show it. */
  stages: readonly string[]
  /** Brings the payment to where it stands. */
  lead?(context: CheckContext, transactionId: string): Promise<unknown>
}

const LAPSE = 'PT46S'

const uncancelable = (profile: Profile): string | undefined =>
  choiceOf(profile, 'D-39') === 'waiting' ? undefined : 'nothing is canceled here before its authorization (D-39)'

const callOff = async (context: CheckContext, transactionId: string): Promise<void> => {
  if (isUnsupported(context.profile, await operationsOn(context, transactionId).cancel()))
    throw new EmptyCell('the scheme cancels nothing before its authorization (1, 7.1)')
}

// biome-ignore format: a table reads by its columns
const STANDINGS: readonly Standing[] = [
  { id: 'VAL-46', payer: 'who declined the mandate',              will: 'decline', stages: ENDED,             needs: ['blik.decline'] },
  { id: 'VAL-49', payer: 'who has not decided on the mandate',    will: 'lapse',   stages: ['waiting'],       needs: ['blik.lapse'] },
  { id: 'VAL-50', payer: 'whose consent is not finalized',        will: 'approve', stages: ['authenticated'], needs: ['blik.approve'], ...assumed('D-62') },
  { id: 'VAL-51', payer: 'whose mandate was called off',          will: 'lapse',   stages: ENDED,             lead: callOff, exempt: uncancelable, needs: ['blik.lapse'], ...assumed('D-39') },
  { id: 'VAL-52', payer: 'who stayed silent about the mandate',   will: 'lapse',   stages: ENDED,             lead: ({ clock }) => clock.pass(LAPSE), needs: ['blik.lapse', `time.${LAPSE}`] },
]

const unchargeable = ({ payer, will, stages, lead, needs = [], ...check }: Standing): IsolatedCheck => ({
  clause: '1',
  title: `a charge of a payer ${payer} is refused, or declined`,
  control: 'VAL-38',
  ...check,
  needs: [...needs, ID, ...WITH_STATES.needs],
  play: async (context, keep) => {
    const { profile } = context
    const payerId = uniqueReference()
    const id = await createMandatePayment(profile, context, 'RECURRING', { payerId, will })
    await lead?.(context, id)
    await keep('status', readStatusUntil(profile, context, id, stages, { withinSeconds: bankSeconds(profile) }))
    await charge(context, keep, payerId)
  },
  judge: (evidence, expect) => {
    expectPremiseState(evidence.of('status'), expect, ...stages)
    expectUncharged(evidence, expect)
  },
})

/** Charges a payer until that is served: what finalize of a payment began may be carried out later, as its status shows (E5). */
export const chargeUntilServed = (context: CheckContext, transactionId: string, payerDetails: MandateNames) => {
  const { profile, account, merchant } = context
  const lookAndCharge = async () => {
    await operationsOn(context, transactionId).status()
    return merchant.request('charge', { json: chargeBody(account, payerDetails) })
  }
  return readUntil(profile, lookAndCharge, isServed, context)
}

const CHECKS: IsolatedCheck[] = [
  ...STANDINGS.map(unchargeable),
  {
    id: 'VAL-47',
    clause: '1',
    title: 'a charge of a payer who has paid once is refused, or declined',
    ...assumed('D-62'),
    control: 'VAL-38',
    needs: ['blik.approve', ID],
    play: async (context, keep) => {
      const { profile, merchant } = context
      const payerId = uniqueReference()
      const json = withMember(await preparePayment(context, { method: 'BLIK' }), 'payerDetails.payerId', payerId)
      const initiated = await merchant.request('initiate', { json })
      const id = await letShopper(profile, context, initiated, { method: 'BLIK' })
      await keep('finalize', operationsOn(context, id).finalize())
      await readStatusUntil(profile, context, id, [...PAID, ...ENDED])
      await charge(context, keep, payerId)
    },
    judge: (evidence, expect) => {
      expectPremise(evidence.of('finalize'), 'finalize', expect)
      expectUncharged(evidence, expect)
    },
  },
  {
    id: 'VAL-48',
    clause: '1',
    title: 'finalize of a TOKEN_ONLY payment captures nothing',
    ...assumed('D-62'),
    control: 'VAL-44',
    needs: ['blik.approve', 'sum.captured', ID],
    play: async (context, keep) => {
      const { merchant, profile } = context
      const transactionId = await createMandatePayment(profile, context, 'TOKEN_ONLY')
      await keep('finalize', operationsOn(context, transactionId).finalize())
      await waitForToken(context, transactionId)
      await keep('sum', merchant.request(readThatShows(profile, 'captured'), { path: { transactionId } }))
    },
    judge: (evidence, expect) => {
      const sum = evidence.of('sum')
      expectPremise(evidence.of('finalize'), 'finalize', expect)
      expectPremise(sum, 'the read of the sum', expect)
      expectSum(sum, 'captured', 0, expect)
    },
  },
  {
    id: 'VAL-53',
    clause: '1',
    title: 'the payer of a TOKEN_ONLY payment can be charged, by the token that its finalize told too',
    ...assumed('D-62'),
    control: 'VAL-38',
    needs: ['blik.approve', ID],
    play: async (context, keep) => {
      const { profile } = context
      const payerId = uniqueReference()
      const id = await createMandatePayment(profile, context, 'TOKEN_ONLY', { payerId })
      const finalized = await keep('finalize', operationsOn(context, id).finalize())
      const paymentToken = findField(profile, finalized, 'finalize.paymentToken')
      await keep('charge', chargeUntilServed(context, id, { payerId }))
      if (paymentToken !== undefined)
        await keep('by token', chargeUntilServed(context, id, { payerId, paymentToken: String(paymentToken) }))
    },
    judge: (evidence, expect) => {
      expectPremise(evidence.of('finalize'), 'finalize', expect)
      expect.served(evidence.of('charge'))
      if (findField(expect.profile, evidence.of('finalize'), 'finalize.paymentToken') !== undefined)
        expect.served(evidence.of('by token'))
    },
  },
]

/** Scenario with checks of payers without a mandate, who cannot be charged, and of mandates that take no money (1, D-62). */
export const chargesWithoutMandate = isolatedScenario({ name: 'payers without a mandate', tier: 3 }, CHECKS)

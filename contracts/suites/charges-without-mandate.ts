import { assumed } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { amountOf } from '../harness/judge/compare-scalars.ts'
import type { Evidence, KeepStep } from '../harness/judge/scenario-evidence.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/checks-with-own-calls.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import type { InitiateBody } from './drivers/shopper-driver-types.ts'
import { findSum, readThatShows } from './evidence/expect-captured-or-refunded-sum.ts'
import { expectPremise, expectPremiseState } from './evidence/expect-premise.ts'
import { expectRefusedOrDeclined, findStep } from './evidence/expect-refused-or-declined.ts'
import { chosenRefusal, REFUSED_CHARGE } from './evidence/refusal-by-profile-decision.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { letShopper } from './given/create-payments.ts'
import { ENDED } from './given/read-failed-payment-outcome.ts'
import { readStatusUntil } from './given/read-until.ts'
import { blikMandatePayment, blikPayment, chargeBody, uniqueReference } from './given/request-bodies.ts'
import { keepForbiddenCharge, laterThan } from './grid/refused-charge-grid.ts'
import { bankSeconds } from './shopper-decisions.ts'

const ID = 'fields.initiate.transactionId'
const PAID = ['authorized', 'captured', 'settled']

/** Initiates a payment of BLIK, and has its shopper act; returns its id. */
const begin = async (context: CheckContext, body: InitiateBody, will: 'approve' | 'decline'): Promise<string> => {
  const { merchant, shopper, profile } = context
  const initiated = await merchant.request('initiate', { json: await shopper.prepare(body, will) })
  return letShopper(profile, context, initiated, { method: 'BLIK', will })
}

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

const CHECKS: IsolatedCheck[] = [
  {
    id: 'VAL-46',
    clause: '1',
    title: 'a charge of a payer who declined the mandate is refused, or declined',
    control: 'VAL-38',
    needs: ['blik.decline', ID, ...WITH_STATES.needs],
    play: async (context, keep) => {
      const { profile, account } = context
      const payerId = uniqueReference()
      const id = await begin(context, blikMandatePayment(account, '', payerId, 'RECURRING'), 'decline')
      await keep('status', readStatusUntil(profile, context, id, ENDED, { withinSeconds: bankSeconds(profile) }))
      await charge(context, keep, payerId)
    },
    judge: (evidence, expect) => {
      expectPremiseState(evidence.of('status'), expect, ...ENDED)
      expectUncharged(evidence, expect)
    },
  },
  {
    id: 'VAL-47',
    clause: '1',
    title: 'a charge of a payer who has paid once is refused, or declined',
    ...assumed('D-62'),
    control: 'VAL-38',
    needs: ['blik.approve', ID],
    play: async (context, keep) => {
      const { profile, account } = context
      const payerId = uniqueReference()
      const { payerDetails, ...body } = blikPayment(account, '')
      const id = await begin(context, { ...body, payerDetails: { ...payerDetails, payerId } }, 'approve')
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
      const { merchant, profile, account } = context
      const body = blikMandatePayment(account, '', uniqueReference(), 'TOKEN_ONLY')
      const transactionId = await begin(context, body, 'approve')
      await keep('finalize', operationsOn(context, transactionId).finalize())
      await keep('sum', merchant.request(readThatShows(profile, 'captured'), { path: { transactionId } }))
    },
    judge: (evidence, expect) => {
      const sum = evidence.of('sum')
      expectPremise(evidence.of('finalize'), 'finalize', expect)
      expectPremise(sum, 'the read of the sum', expect)
      const captured = amountOf(expect.profile, findSum(expect.profile, sum, 'captured')) ?? 0
      expect.holds(captured === 0, 'nothing captured', `captured sum ${captured}`, sum)
    },
  },
]

/** Scenario with checks of payers without a mandate, who cannot be charged, and of one that takes no money (1, D-62). */
export const chargesWithoutMandate = isolatedScenario({ name: 'payers without a mandate', tier: 3 }, CHECKS)

import { assumed } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { EmptyCell } from '../harness/judge/judge-grid-cells.ts'
import type { Evidence, KeepStep } from '../harness/judge/scenario-evidence.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { ProviderId } from '../protocol/provider-codes.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/checks-with-own-calls.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectCategoryUnlessDeclined, expectPremise } from './evidence/expect-premise.ts'
import { expectOutcomeCode } from './evidence/outcome-reason-code.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { initiate, letShopper, NEW_CODE, preparePayment, readTransactionId } from './given/create-payments.ts'
import { readInitiateOutcome, readOutcome } from './given/read-failed-payment-outcome.ts'
import { readStatusUntil, showsCategory } from './given/read-until.ts'
import { uniqueReference } from './given/request-bodies.ts'

/** Lifecycle categories of a payment that its shopper has approved. */
export const APPROVED = ['authenticated', 'authorized', 'captured', 'settled']
const ID = 'fields.initiate.transactionId'
const WITH_REASON = [ID, ...WITH_STATES.needs, 'fields.status.reasonCode']

/** Longest time, in seconds, in which a bank tells the service what its shopper did: `shopper.withinSeconds`. */
export const bankSeconds = ({ shopper }: Profile): number => shopper?.withinSeconds ?? 10

/** Initiates a payment whose shopper declines it, and reads how it ended. */
const playDecline = async (context: CheckContext, keep: KeepStep<string>, method: ProviderId): Promise<void> => {
  const choice = { will: 'decline', method } as const
  const initiated = await initiate(context, choice)
  const id = await letShopper(context.profile, context, initiated, choice)
  const { status, reason } = await readOutcome(context.profile, context, id, bankSeconds(context.profile))
  await keep('status', Promise.resolve(status))
  await keep('reason', Promise.resolve(reason))
}

const expectDeclined = (evidence: Evidence<string>, expect: Expect): void => {
  const chosen = expect.profile.decisions?.['D-43']
  expect.inCategory(evidence.of('status'), ...(chosen === undefined ? ['declined', 'canceled'] : [chosen]))
  expectOutcomeCode([evidence.of('status'), evidence.of('reason')], '2001', expect)
}

const CHECKS: IsolatedCheck[] = [
  {
    id: 'BLK-01',
    clause: 'R6',
    title: 'a code confirmed in time authorizes',
    control: 'VAL-01',
    needs: ['blik.approve', ID, ...WITH_STATES.needs],
    play: async (context, keep) => {
      const choice = { method: 'BLIK' } as const
      const id = await letShopper(context.profile, context, await initiate(context, choice), choice)
      await readStatusUntil(context.profile, context, id, APPROVED)
      await keep('finalize', operationsOn(context, id).finalize())
      await keep('authorized', readStatusUntil(context.profile, context, id, APPROVED.slice(1)))
    },
    judge: (evidence, expect) => {
      expect.served(evidence.of('finalize'))
      expectCategoryUnlessDeclined(evidence.of('authorized'), expect, ...APPROVED.slice(1))
    },
  },
  {
    id: 'BLK-02',
    clause: '7.5',
    title: 'a shopper who declines in the app: 2001',
    control: 'VAL-01',
    needs: ['blik.decline', ...WITH_REASON],
    play: (context, keep) => playDecline(context, keep, 'BLIK'),
    judge: expectDeclined,
  },
  {
    id: 'BLK-06',
    clause: 'R6',
    title: 'a code used before is no good: 4000',
    ...assumed('D-42'),
    control: 'VAL-01',
    needs: ['blik.code', 'fields.initiate.reasonCode'],
    exempt: fixedCodes,
    play: async (context, keep) => {
      const { merchant } = context
      const json = await preparePayment(context, NEW_CODE)
      await keep('first', merchant.request('initiate', { json }))
      const again = { ...json, clientTransactionId: uniqueReference() }
      const initiated = await keep('used code', merchant.request('initiate', { json: again }))
      await keep('outcome', readInitiateOutcome(context.profile, context, initiated))
    },
    judge: (evidence, expect) => {
      expectPremise(evidence.of('first'), 'the first use of the code', expect)
      const used = evidence.of('used code')
      if (expect.profile.decisions?.['D-42'] === '400')
        expect.refused(used, { status: 400, without: 'initiate.transactionId' })
      expectOutcomeCode([used, evidence.of('outcome')], '4000', expect)
    },
  },
  {
    id: 'IRS-04',
    clause: '7.5',
    title: 'a shopper who cancels on the page of IRIS: 2001',
    control: 'VAL-02',
    needs: ['iris.decline', ...WITH_REASON],
    play: (context, keep) => playDecline(context, keep, 'IRIS'),
    judge: expectDeclined,
  },
  {
    id: 'IRS-05',
    clause: 'E5',
    title: 'the outcome is seen by polling',
    control: 'VAL-02',
    needs: ['iris.approve', ID, ...WITH_STATES.needs],
    play: async (context, keep) => {
      const choice = { method: 'IRIS' } as const
      const id = await letShopper(context.profile, context, await initiate(context, choice), choice)
      const withinSeconds = bankSeconds(context.profile)
      await keep('status', readStatusUntil(context.profile, context, id, APPROVED, { withinSeconds }))
    },
    judge: (evidence, expect) => expectCategoryUnlessDeclined(evidence.of('status'), expect, ...APPROVED),
  },
]

/** A finalize before the consent, and the one after it, on the same payment. */
const FINALIZED_TWICE: IsolatedCheck = {
  id: 'LIF-39',
  clause: '3 seq 1',
  title: 'a finalize before the consent leaves the later one as good as any',
  ...assumed('D-34'),
  control: 'LIF-01',
  needs: ['shopper.approve', ID, ...WITH_STATES.needs],
  play: async (context, keep) => {
    const { profile } = context
    const initiated = await initiate(context)
    const { finalize, status } = operationsOn(context, readTransactionId(profile, initiated))
    await keep('waiting', status())
    await keep('early', finalize())
    const id = await letShopper(profile, context, initiated)
    await readStatusUntil(profile, context, id, [...APPROVED, 'declined'], { withinSeconds: bankSeconds(profile) })
    await keep('finalize', finalize())
    await keep('status', readStatusUntil(profile, context, id, [...APPROVED.slice(1), 'declined']))
  },
  judge: (evidence, expect) => {
    expectPremise(evidence.of('waiting'), 'the status before', expect)
    if (showsCategory(expect.profile, evidence.of('waiting'), 'waiting') !== true)
      throw new EmptyCell('the shopper has approved by then, or no state tells')
    expect.served(evidence.of('finalize'))
    expectCategoryUnlessDeclined(evidence.of('status'), expect, ...APPROVED.slice(1))
  },
}

/**
 * Returns why checks of how long or how often a BLIK code lives do not apply: the deployment's codes are fixed; else
 * undefined.
 */
export function fixedCodes({ control, shopper, file }: Profile): string | undefined {
  return control === undefined && shopper?.codes && !shopper.ask
    ? `shopper.codes of ${file} are fixed and live on`
    : undefined
}

/** Scenario with checks of shopper decisions on BLIK and IRIS payments, and of used BLIK codes (R6, 7.5, E5). */
export const shopperDecisions = isolatedScenario({ name: 'what shoppers decide', tier: 3 }, [
  ...CHECKS,
  FINALIZED_TWICE,
])

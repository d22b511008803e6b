import { assumed } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { Blocked } from '../harness/judge/verdict-errors.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/checks-with-own-calls.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import {
  expectDefaultFlow,
  expectMocked,
  expectMockSet,
  showsMark,
  WITH_MOCK_MARKERS,
} from './evidence/expect-mocked-response.ts'
import { expectPremise } from './evidence/expect-premise.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { letShopper, ON_PAGE, preparePayment, readTransactionId } from './given/create-payments.ts'
import { configureMock, initiateForPayer, markerOverrides, mockBody, withOverrides } from './given/mocks.ts'
import { readStatusUntil, showsCategory } from './given/read-until.ts'
import { uniqueReference, withMember } from './given/request-bodies.ts'

const MARK = 'mark-of-initiate'
const FINALIZE_MARK = 'mark-of-finalize'
const FINALIZE_OVERRIDES = markerOverrides(FINALIZE_MARK)

/** Whether the profile says where mock/set takes overrides of finalize. */
const showsFinalize = ({ mocks }: Profile): boolean => mocks?.finalize !== undefined

/** Initiates two payments of one payer under a mock with this `oneTime`. */
const twice =
  (oneTime: boolean | undefined): IsolatedCheck['play'] =>
  async (context, keep) => {
    const payer = uniqueReference()
    const mock = mockBody(context.account, { payer, oneTime })
    await keep('set', configureMock(context, withOverrides(mock, { initiate: markerOverrides(MARK) })))
    await keep('first', initiateForPayer(context.profile, context, payer))
    await keep('second', initiateForPayer(context.profile, context, payer))
  }

const expectMockedTwice = (evidence: Evidence<string>, expect: Expect): void => {
  expectMockSet(evidence.of('set'), expect)
  expectMocked(evidence.of('first'), MARK, expect)
  expectMocked(evidence.of('second'), MARK, expect)
}

/** Initiates a payment of a payer, who approves it; returns its id. */
const createConsent = async (context: CheckContext, payer: string): Promise<string> => {
  const json = withMember(await preparePayment(context), 'payerDetails.payerId', payer)
  return letShopper(context.profile, context, await context.merchant.request('initiate', { json }))
}

const CHECKS: IsolatedCheck[] = [
  {
    id: 'MCK-07',
    clause: '2.7, 8',
    title: 'with oneTime, the second call of a step is not mocked',
    ...WITH_MOCK_MARKERS,
    play: twice(true),
    judge: (evidence, expect) => {
      expectMockSet(evidence.of('set'), expect)
      expectMocked(evidence.of('first'), MARK, expect)
      expectDefaultFlow(evidence.of('second'), MARK, expect)
    },
  },
  {
    id: 'MCK-08',
    clause: '2.7',
    title: 'with oneTime false, the second call of a step is mocked as well',
    ...WITH_MOCK_MARKERS,
    play: twice(false),
    judge: expectMockedTwice,
  },
  {
    id: 'MCK-09',
    clause: '2.7',
    title: 'oneTime left out means false',
    ...WITH_MOCK_MARKERS,
    play: twice(undefined),
    judge: expectMockedTwice,
  },
  {
    id: 'MCK-12',
    clause: '2.7, 8',
    title: 'oneTime counts for each step by itself: a finalize leaves the single use of initiate',
    ...WITH_MOCK_MARKERS,
    control: 'MCK-07',
    needs: [...WITH_MOCK_MARKERS.needs, 'shopper.approve', 'fields.initiate.transactionId'],
    play: async (context, keep) => {
      const { profile, merchant } = context
      const payer = uniqueReference()
      const body = withMember(await preparePayment(context), 'payerDetails.payerId', payer)
      const begun = await keep('begun', merchant.request('initiate', { json: body }))
      const transactionId = await letShopper(profile, context, begun)
      const steps = { initiate: markerOverrides(MARK), ...(showsFinalize(profile) && { finalize: FINALIZE_OVERRIDES }) }
      const mock = mockBody(context.account, { payer, oneTime: true })
      await keep('set', configureMock(context, withOverrides(mock, steps)))
      await keep('finalize', operationsOn(context, transactionId).finalize())
      await keep('first', initiateForPayer(profile, context, payer))
    },
    judge: (evidence, expect) => {
      expectMockSet(evidence.of('set'), expect)
      expectPremise(evidence.of('finalize'), 'the finalize of a payment of the same payer', expect)
      expectMocked(evidence.of('first'), MARK, expect)
    },
  },
  {
    id: 'MCK-27',
    clause: '2.7, 8',
    title: 'with oneTime, the second finalize of a payer is not mocked',
    ...WITH_MOCK_MARKERS,
    control: 'MCK-07',
    needs: [...WITH_MOCK_MARKERS.needs, 'shopper.approve', 'fields.initiate.transactionId', 'mocks.finalize'],
    play: async (context, keep) => {
      const payer = uniqueReference()
      const ids = [await createConsent(context, payer), await createConsent(context, payer)]
      const mock = mockBody(context.account, { payer, oneTime: true })
      await keep('set', configureMock(context, withOverrides(mock, { finalize: FINALIZE_OVERRIDES })))
      for (const [index, step] of ['first', 'second'].entries())
        await keep(step, operationsOn(context, ids[index] as string).finalize())
    },
    judge: (evidence, expect) => {
      expectMockSet(evidence.of('set'), expect)
      const first = evidence.of('first')
      expectPremise(first, 'the first finalize', expect)
      if (!showsMark(first, FINALIZE_MARK)) throw new Blocked('the mock was not used by the first finalize', first)
      expectDefaultFlow(evidence.of('second'), FINALIZE_MARK, expect)
    },
  },
  {
    id: 'MCK-22',
    clause: '2.7',
    title: 'a step that is not in the mock runs as usual',
    ...assumed('D-94'),
    ...WITH_MOCK_MARKERS,
    needs: ['iris.page', 'fields.initiate.transactionId', 'mocks.finalize', ...WITH_STATES.needs],
    play: async (context, keep) => {
      const { profile } = context
      const payer = uniqueReference()
      const { scenario: _, ...mock } = mockBody(context.account, { payer })
      await keep('set', configureMock(context, withOverrides(mock, { finalize: FINALIZE_OVERRIDES })))
      const initiated = await keep('initiate', initiateForPayer(profile, context, payer))
      const transactionId = readTransactionId(profile, initiated)
      const states = ['waiting', 'authenticated']
      const status = await keep('status', readStatusUntil(profile, context, transactionId, states))
      if (showsCategory(profile, status, 'waiting')) await letShopper(profile, context, initiated, ON_PAGE)
      await keep('finalize', operationsOn(context, transactionId).finalize())
    },
    judge: (evidence, expect) => {
      expectMockSet(evidence.of('set'), expect)
      expect.specified(() => expectDefaultFlow(evidence.of('initiate'), FINALIZE_MARK, expect))
      expect.inCategory(evidence.of('status'), 'waiting', 'authenticated')
      expectMocked(evidence.of('finalize'), FINALIZE_MARK, expect)
    },
  },
]

/** Scenario with checks of how often a mock applies, and to which steps (2.7). */
export const mockUsesPerStep = isolatedScenario({ name: 'steps of a mock', tier: 3 }, CHECKS)

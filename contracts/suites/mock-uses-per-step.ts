import { assumed } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/isolated-checks.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import { expectDefaultFlow, expectMocked, expectMockSet, WITH_MOCK_MARKERS } from './evidence/expect-mocked-response.ts'
import {
  configureMock,
  initiateForPayer,
  markerOverrides,
  mockBody,
  uniquePayer,
  withOverrides,
} from './given/mocks.ts'
import { operationsOn } from './given/payment-operations.ts'
import { letShopper, readTransactionId } from './given/payments.ts'
import { readStatusUntil } from './given/read-until.ts'

const MARK = 'mark-of-initiate'
const FINALIZE_MARK = 'mark-of-finalize'

/** Initiates two payments of one payer under a mock with this `oneTime`. */
const twice =
  (oneTime: boolean | undefined): IsolatedCheck['play'] =>
  async (context, keep) => {
    const payer = uniquePayer('payer')
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
    clause: '2.7',
    title: 'oneTime counts for each step by itself',
    ...assumed('D-95'),
    ...WITH_MOCK_MARKERS,
    needs: ['mocks.initiate', 'mocks.finalize', 'fields.initiate.transactionId'],
    play: async (context, keep) => {
      const payer = uniquePayer('payer')
      const steps = { initiate: markerOverrides(MARK), finalize: markerOverrides(FINALIZE_MARK) }
      const mock = withOverrides(mockBody(context.account, { payer, oneTime: true }), steps)
      await keep('set', configureMock(context, mock))
      const initiated = await keep('initiate', initiateForPayer(context.profile, context, payer))
      await keep('finalize', operationsOn(context, readTransactionId(context.profile, initiated)).finalize())
    },
    judge: (evidence, expect) => {
      expectMockSet(evidence.of('set'), expect)
      expectMocked(evidence.of('initiate'), MARK, expect)
      expectMocked(evidence.of('finalize'), FINALIZE_MARK, expect)
    },
  },
  {
    id: 'MCK-22',
    clause: '2.7',
    title: 'a step that is not in the mock runs as usual',
    ...assumed('D-94', 'D-95'),
    ...WITH_MOCK_MARKERS,
    needs: ['iris.page', 'fields.initiate.transactionId', 'mocks.finalize', ...WITH_STATES.needs],
    play: async (context, keep) => {
      const payer = uniquePayer('payer')
      const { scenario: _, ...mock } = mockBody(context.account, { payer })
      await keep('set', configureMock(context, withOverrides(mock, { finalize: markerOverrides(FINALIZE_MARK) })))
      const initiated = await keep('initiate', initiateForPayer(context.profile, context, payer))
      const transactionId = readTransactionId(context.profile, initiated)
      await keep('status', readStatusUntil(context.profile, context, transactionId, ['waiting', 'authenticated']))
      await letShopper(context.profile, context, initiated, { method: 'IRIS' })
      await keep('finalize', operationsOn(context, transactionId).finalize())
    },
    judge: (evidence, expect) => {
      expectMockSet(evidence.of('set'), expect)
      expect.served(evidence.of('initiate'))
      expect.inCategory(evidence.of('status'), 'waiting')
      expectMocked(evidence.of('finalize'), FINALIZE_MARK, expect)
    },
  },
]

/** Checks of how often a mock applies, and to which steps (2.7). */
export const mockUsesPerStep = isolatedScenario({ name: 'steps of a mock', tier: 3 }, CHECKS)

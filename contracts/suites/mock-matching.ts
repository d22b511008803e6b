import { randomUUID } from 'node:crypto'
import { assumed, OBSERVING } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { Blocked, Untestable } from '../harness/judge/verdict-errors.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/checks-with-own-calls.ts'
import type { CheckContext } from './context/check-context.ts'
import {
  expectDefaultFlow,
  expectMocked,
  expectMockSet,
  expectNoMarker,
  WITH_MOCK_MARKERS,
} from './evidence/expect-mocked-response.ts'
import { configureMock, initiateForPayer, markerOverrides, mockBody, withOverrides } from './given/mocks.ts'
import { uniqueReference } from './given/request-bodies.ts'

const MARK = 'mark-of-one-mock'
const OTHER_MARK = 'mark-of-another-mock'

const marking = ({ account }: CheckContext, wish: Parameters<typeof mockBody>[1], mark = MARK) =>
  withOverrides(mockBody(account, wish), { initiate: markerOverrides(mark) })

/** Expects the mocked response for the matching payment and the default response for the other. */
const expectOnlyOwnMocked = (evidence: Evidence<string>, expect: Expect): void => {
  expectMockSet(evidence.of('set'), expect)
  expectMocked(evidence.of('own'), MARK, expect)
  expectDefaultFlow(evidence.of('other'), MARK, expect)
}

const CHECKS: IsolatedCheck[] = [
  {
    id: 'MCK-03',
    clause: '2.7, E2',
    title: 'a mock for a payer is used by a payment of that payer',
    ...WITH_MOCK_MARKERS,
    control: 'MCK-01',
    play: async (context, keep) => {
      const payer = uniqueReference()
      await keep('set', configureMock(context, marking(context, { payer })))
      await keep('own', initiateForPayer(context.profile, context, payer))
    },
    judge: (evidence, expect) => {
      expectMockSet(evidence.of('set'), expect)
      expectMocked(evidence.of('own'), MARK, expect)
    },
  },
  {
    id: 'MCK-04',
    clause: '2.7, E2',
    title: 'a mock for a clientTransactionId is used by the payment that has it',
    ...WITH_MOCK_MARKERS,
    control: 'MCK-01',
    play: async (context, keep) => {
      const clientTransactionId = uniqueReference()
      const key = { type: 'CLIENT_TRANSACTION_ID', value: clientTransactionId }
      await keep('set', configureMock(context, marking(context, { key })))
      await keep('own', initiateForPayer(context.profile, context, uniqueReference(), { clientTransactionId }))
    },
    judge: (evidence, expect) => {
      expectMockSet(evidence.of('set'), expect)
      expectMocked(evidence.of('own'), MARK, expect)
    },
  },
  {
    id: 'MCK-05',
    clause: 'E2',
    title: 'a payment with another value runs as if there were no mock',
    ...WITH_MOCK_MARKERS,
    play: async (context, keep) => {
      const payer = uniqueReference().slice(1)
      await keep('set', configureMock(context, marking(context, { payer })))
      await keep('own', initiateForPayer(context.profile, context, payer))
      await keep('other', initiateForPayer(context.profile, context, `${payer}2`))
    },
    judge: expectOnlyOwnMocked,
  },
  {
    id: 'MCK-28',
    clause: 'E2',
    title: 'a mock for a payer is not used by a payment with that text as its reference, nor the reverse',
    ...WITH_MOCK_MARKERS,
    play: async (context, keep) => {
      const [payer, clientTransactionId] = [uniqueReference(), uniqueReference()]
      const pay = (who: string, reference = uniqueReference()) =>
        initiateForPayer(context.profile, context, who, { clientTransactionId: reference })
      const key = { type: 'CLIENT_TRANSACTION_ID', value: clientTransactionId }
      await keep('set', configureMock(context, marking(context, { payer })))
      await keep('own', pay(payer))
      await keep('other', pay(uniqueReference(), payer))
      await keep('second set', configureMock(context, marking(context, { key })))
      await keep('second own', pay(uniqueReference(), clientTransactionId))
      await keep('second other', pay(clientTransactionId))
    },
    judge: (evidence, expect) => {
      expectOnlyOwnMocked(evidence, expect)
      expectOnlyOwnMocked({ ...evidence, of: step => evidence.of(`second ${step}`) }, expect)
    },
  },
  {
    id: 'MCK-06',
    clause: '2.7',
    title: 'a payment of another account runs as if there were no mock',
    ...WITH_MOCK_MARKERS,
    play: async (context, keep) => {
      const payer = uniqueReference()
      const account = context.merchant.credentials.processingAccountIds.find(id => id !== context.account)
      if (account === undefined)
        throw new Untestable(
          `one account is not enough: name a second in organization of ${context.profile.file}`,
          undefined,
          'organization',
        )
      await keep('set', configureMock(context, marking(context, { payer })))
      await keep('own', initiateForPayer(context.profile, context, payer))
      await keep('other', initiateForPayer(context.profile, context, payer, { account }))
    },
    judge: (evidence, expect) => {
      const other = evidence.of('other')
      if (expect.response(other).status >= 300) throw new Blocked('the second account cannot pay like the first', other)
      expectOnlyOwnMocked(evidence, expect)
    },
  },
  {
    id: 'MCK-25',
    clause: '2.7',
    title: 'a second mock for the same key takes the place of the first',
    ...assumed('D-79'),
    ...WITH_MOCK_MARKERS,
    play: async (context, keep) => {
      const payer = uniqueReference()
      await keep('set', configureMock(context, marking(context, { payer })))
      await keep('second', configureMock(context, marking(context, { payer, oneTime: true }, OTHER_MARK)))
      await keep('own', initiateForPayer(context.profile, context, payer))
      await keep('other', initiateForPayer(context.profile, context, payer))
    },
    judge: (evidence, expect) => {
      for (const step of ['set', 'second']) expectMockSet(evidence.of(step), expect)
      expectMocked(evidence.of('own'), OTHER_MARK, expect)
      expectDefaultFlow(evidence.of('other'), MARK, expect)
    },
  },
  {
    id: 'MCK-26',
    clause: '2.7',
    title: "one merchant's mock never touches another's payment",
    ...assumed('D-80'),
    ...WITH_MOCK_MARKERS,
    needs: [...WITH_MOCK_MARKERS.needs, 'secondOrganization'],
    play: async (context, keep) => {
      const [payer, claimed] = [uniqueReference(), uniqueReference()]
      const second = await context.secondOrganization()
      await keep('set', configureMock(context, marking(context, { payer })))
      await keep('own', initiateForPayer(context.profile, context, payer))
      await keep('other', initiateForPayer(context.profile, second, payer))
      await keep('claim', configureMock(second, marking(context, { payer: claimed })))
      await keep('claimed', initiateForPayer(context.profile, context, claimed))
    },
    judge: (evidence, expect) => {
      expectMockSet(evidence.of('set'), expect)
      expectMocked(evidence.of('own'), MARK, expect)
      expect.specified(() => {
        for (const step of ['other', 'claimed']) expectNoMarker(evidence.of(step), MARK, expect)
      })
      expectDefaultFlow(evidence.of('claimed'), MARK, expect)
    },
  },
  {
    id: 'IDM-41',
    clause: '4',
    title: 'another mock under the key of the first',
    ...OBSERVING,
    control: 'MCK-01',
    play: async (context, keep) => {
      const key = randomUUID()
      await configureMock(context, mockBody(context.account, { payer: uniqueReference() }), key)
      await keep('again', configureMock(context, mockBody(context.account, { payer: uniqueReference() }), key))
    },
    judge: (evidence, expect) => expect.describeJudged(evidence.of('again')),
  },
]

/** Scenario with checks of which payments match a mock: payer, reference, account, organization (2.7, E2). */
export const mockMatching = isolatedScenario({ name: 'payments that a mock is for, and others', tier: 3 }, CHECKS)

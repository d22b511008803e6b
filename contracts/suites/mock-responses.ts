import { isServed, responseJson } from '../client/http-exchange.ts'
import { assumed } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/checks-with-own-calls.ts'
import { expectMockSet, expectNoMarker, WITH_MOCK_MARKERS } from './evidence/expect-mocked-response.ts'
import { configureMock, initiateForPayer, markerOverrides, mockBody, withOverrides } from './given/mocks.ts'
import { uniqueReference } from './given/request-bodies.ts'

const MARK = 'mark-of-an-answer'

const SHOWN: Readonly<Record<'providerTransactionId' | 'redirectUrl' | 'registeredAt' | 'expiresAt', string>> = {
  providerTransactionId: MARK,
  redirectUrl: `https://bank.example/${MARK}`,
  registeredAt: '2026-01-02T03:04:05Z',
  expiresAt: '2031-01-02T03:04:05Z',
}

/** Initiates a payment that matches a mock with every override, and one that matches no mock. */
const overridden: IsolatedCheck['play'] = async (context, keep) => {
  const payer = uniqueReference()
  const mock = withOverrides(mockBody(context.account, { payer }), { initiate: SHOWN })
  await keep('set', configureMock(context, mock))
  await keep('paid', initiateForPayer(context.profile, context, payer))
  await keep('usual', initiateForPayer(context.profile, context, uniqueReference()))
}

/** Expects the mock overrides in the initiate response, where the profile says that they are. */
const expectShown =
  (
    names: readonly (keyof typeof SHOWN)[],
    read: (value: unknown) => unknown = value => value,
  ): IsolatedCheck['judge'] =>
  (evidence, expect) => {
    expectMockSet(evidence.of('set'), expect)
    const paid = evidence.of('paid')
    expect.served(paid)
    for (const name of names)
      expect.equalText(name, read(readShownField(name, evidence, expect)), read(SHOWN[name]), paid)
  }

/** Reads a field of the mocked response; where it is absent, throws Untestable unless the unmocked response has it. */
const readShownField = (name: string, evidence: Evidence<string>, expect: Expect): unknown => {
  const found = findField(expect.profile, evidence.of('paid'), `initiate.${name}`)
  if (found === undefined) expect.field(evidence.of('usual'), `initiate.${name}`)
  return found
}

/** Epoch times from this one on are in milliseconds, earlier ones in seconds. */
const FIRST_IN_MILLISECONDS = 100_000_000_000

/** Reads a time, in ISO 8601 or as an epoch time; throws Untestable for a text that names no zone. */
const instant = (time: unknown): number => {
  const number = Number(time)
  if (Number.isFinite(number)) return number < FIRST_IN_MILLISECONDS ? number * 1000 : number
  if (/(Z|[+-]\d\d:?\d\d)$/i.test(String(time))) return Date.parse(String(time))
  throw new Untestable(`the time "${time}" names no zone`)
}

const fieldsOf = (...names: string[]) => names.map(name => `fields.initiate.${name}`)

/** Initiates a payment that matches a mock without overrides, and one that matches no mock. */
const plain =
  (type: 'MOCK' | 'PASSTHROUGH'): IsolatedCheck['play'] =>
  async (context, keep) => {
    const payer = uniqueReference()
    await keep('set', configureMock(context, mockBody(context.account, { payer, type })))
    await keep('paid', initiateForPayer(context.profile, context, payer))
    await keep('usual', initiateForPayer(context.profile, context, uniqueReference()))
  }

/** Returns the redirect URL of the mocked response; expects every call to be served. */
const redirectOf = (evidence: Evidence<string>, expect: Expect): unknown => {
  for (const step of ['set', 'paid', 'usual']) expect.served(evidence.of(step))
  return readShownField('redirectUrl', evidence, expect)
}

/** What a mock is told to return at initiate (3), with a code of no error; the response may show it in any place. */
const TOLD = { status: 'ACCEPTED', statusInfo: { reasonCode: '-1', message: 'as the mock says' } } as const

/** Whether a JSON value holds each of these texts, or the number of one, as a value anywhere. */
const holdsValues = (json: unknown, texts: readonly string[]): boolean => {
  const found = new Set<string>()
  JSON.stringify(json, (_, value: unknown) => {
    if (typeof value === 'string' || typeof value === 'number') found.add(String(value))
    return value
  })
  return texts.every(text => found.has(text))
}

const CHECKS: IsolatedCheck[] = [
  {
    id: 'MCK-13',
    clause: '2.7, E3',
    title: 'MOCK: the providerTransactionId of the mock shows',
    ...WITH_MOCK_MARKERS,
    needs: [...WITH_MOCK_MARKERS.needs, ...fieldsOf('providerTransactionId')],
    play: overridden,
    judge: expectShown(['providerTransactionId']),
  },
  {
    id: 'MCK-14',
    clause: '2.7, E3',
    title: 'MOCK: the redirectUrl of the mock shows',
    ...WITH_MOCK_MARKERS,
    needs: [...WITH_MOCK_MARKERS.needs, ...fieldsOf('redirectUrl')],
    play: overridden,
    judge: expectShown(['redirectUrl']),
  },
  {
    id: 'MCK-15',
    clause: '2.7, E3',
    title: 'MOCK: registeredAt and expiresAt of the mock show',
    ...WITH_MOCK_MARKERS,
    needs: [...WITH_MOCK_MARKERS.needs, ...fieldsOf('registeredAt', 'expiresAt')],
    play: overridden,
    judge: expectShown(['registeredAt', 'expiresAt'], instant),
  },
  {
    id: 'MCK-16',
    clause: 'E3',
    title: 'MOCK: no shopper is redirected to a provider',
    ...assumed('D-95'),
    control: 'MCK-03',
    needs: fieldsOf('redirectUrl'),
    play: plain('MOCK'),
    judge: (evidence, expect) => {
      const redirect = redirectOf(evidence, expect)
      expect.holds(redirect === undefined || redirect === '', 'no redirect', redirect, evidence.of('paid'))
    },
  },
  {
    id: 'MCK-18',
    clause: 'E3',
    title: "PASSTHROUGH: the way to the provider's page is kept",
    tier: 4,
    control: 'MCK-01',
    needs: fieldsOf('redirectUrl'),
    play: plain('PASSTHROUGH'),
    judge: (evidence, expect) => {
      const redirect = redirectOf(evidence, expect)
      expect.holds(URL.canParse(String(redirect)), 'a redirect', redirect ?? 'none', evidence.of('paid'))
    },
  },
  {
    id: 'MCK-17',
    clause: 'E3',
    title: 'PASSTHROUGH: overrides are refused with 400, or not applied',
    tier: 4,
    control: 'MCK-18',
    needs: WITH_MOCK_MARKERS.needs,
    play: async (context, keep) => {
      const payer = uniqueReference()
      const mock = mockBody(context.account, { payer, type: 'PASSTHROUGH' })
      const { response } = await keep(
        'set',
        configureMock(context, withOverrides(mock, { initiate: markerOverrides(MARK) })),
      )
      if (response && response.status < 300) await keep('paid', initiateForPayer(context.profile, context, payer))
    },
    judge: (evidence, expect) => {
      const taken = expect.response(evidence.of('set')).status < 300
      if (taken) expectNoMarker(evidence.of('paid'), MARK, expect)
      else expect.refused(evidence.of('set'))
    },
  },
  {
    id: 'MCK-23',
    clause: '2.7, 3',
    title: 'a mocked initiate with OK returns ACCEPTED with a code',
    ...assumed('D-95'),
    control: 'MCK-03',
    needs: fieldsOf('status', 'reasonCode'),
    play: async (context, keep) => {
      const payer = uniqueReference()
      const mock = mockBody(context.account, { payer })
      const told = await configureMock(context, { ...mock, steps: { initiate: TOLD } })
      await keep('set', isServed(told) ? Promise.resolve(told) : configureMock(context, mock))
      await keep('paid', initiateForPayer(context.profile, context, payer))
    },
    judge: (evidence, expect) => {
      for (const step of ['set', 'paid']) expect.served(evidence.of(step))
      const paid = evidence.of('paid')
      const { status, statusInfo } = TOLD
      if (holdsValues(responseJson(paid), [status, statusInfo.reasonCode])) return
      expect.equalText('status', expect.field(paid, 'initiate.status'), status, paid)
      expect.field(paid, 'initiate.reasonCode')
    },
  },
]

/** Scenario with checks of the responses to calls that match a mock of type MOCK or PASSTHROUGH (E3). */
export const mockResponses = isolatedScenario({ name: 'responses of mocks', tier: 3 }, CHECKS)

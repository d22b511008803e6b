import type { CheckScenario } from '../harness/judge/check.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectDefaultFlow, expectMocked, expectMockSet } from './evidence/expect-mocked-response.ts'
import { payerOfMock } from './given/content-of-recorded-call.ts'
import { fetchToken } from './given/harmless-calls.ts'
import { initiateForPayer, markerOverrides, mockBody, withOverrides } from './given/mocks.ts'
import { uniqueReference } from './given/request-bodies.ts'

const MARK = 'mark-of-a-lifetime'

/** Scenario with checks that a mock still applies at 23 h 59 min and not after 24 h (8). */
export const mockExpiry: CheckScenario<CheckContext, 'set' | 'at 23 h 59 min' | 'after 24 h'> = {
  name: 'how long a mock lasts',
  tier: 3,
  needs: ['time.PT24H', 'mocks.initiate'],
  play: async ({ profile, organizationForTime }, keep) => {
    const organization = await organizationForTime()
    const mock = withOverrides(mockBody(organization.account, { payer: uniqueReference() }), {
      initiate: markerOverrides(MARK),
    })
    const mocking = organization.merchant.request('mockSet', { json: mock }, await fetchToken(organization))
    const payer = payerOfMock(profile, await keep('set', mocking))
    await organization.clock.pass('PT23H59M', { within: 'PT50S' })
    await keep('at 23 h 59 min', initiateForPayer(profile, organization, payer, {}, await fetchToken(organization)))
    await organization.clock.pass('PT2M')
    await keep('after 24 h', initiateForPayer(profile, organization, payer, {}, await fetchToken(organization)))
  },
  checks: [
    {
      id: 'MCK-10',
      clause: '8',
      title: 'a mock 23 h 59 min old is still there',
      control: 'MCK-03',
      judge: (evidence, expect) => {
        expectMockSet(evidence.of('set'), expect)
        expectMocked(evidence.of('at 23 h 59 min'), MARK, expect)
      },
    },
    {
      id: 'MCK-11',
      clause: '8',
      title: 'a mock ends after 24 h',
      control: 'MCK-10',
      judge: (evidence, expect) => expectDefaultFlow(evidence.of('after 24 h'), MARK, expect),
    },
  ],
}

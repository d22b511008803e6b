import type { Exchange } from '../client/http-exchange.ts'
import { assumed, type Check, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { hasCapability } from '../harness/profile/capabilities-that-checks-need.ts'
import { isAbsent } from '../harness/profile/response-fields-and-line-advice.ts'
import { REPORTS_SCOPE } from '../operations.ts'
import type { CheckContext } from './context/check-context.ts'
import { reportsNotGranted, scopesIn } from './evidence/granted-scopes.ts'
import { requestToken } from './given/harmless-calls.ts'

const FIELDS = ['access_token', 'expires_in', 'refresh_expires_in', 'token_type', 'scope']

/** Returns the scopes that a token response grants; none where it has no `scope`. */
const granted = (exchange: Exchange, expect: Expect): string[] => {
  expect.response(exchange)
  return scopesIn(exchange)
}

type Step = 'asked' | 'unasked' | 'reports' | 'invented'

/** Creates a check of a token response member whose value is fixed by 2.8. */
const fixed = (id: string, clause: string, name: string, value: number | string): Check<Step> => ({
  id,
  clause,
  title: `${name} is ${JSON.stringify(value)}`,
  judge: (evidence, expect) => expect.equal(name, expect.json(evidence.of('asked'))[name], value, evidence.of('asked')),
})

/** Scenario with checks of the token response: its fields and the scopes granted (2.8, 5.3). */
export const tokenResponse: CheckScenario<CheckContext, Step> = {
  name: 'the response of a token call',
  tier: 1,
  play: async (context, keep) => {
    const form = context.merchant.tokenForm
    await keep('asked', requestToken(context, {}, form('payments:process')))
    await keep('unasked', requestToken(context, {}, form()))
    await keep('reports', requestToken(context, {}, form(REPORTS_SCOPE)))
    await keep('invented', requestToken(context, {}, form('payments:read payments:invented')))
  },
  checks: [
    {
      id: 'TOK-01',
      clause: '2.8, 4, 5.3',
      title: 'a form with client_credentials returns the five token fields',
      judge: (evidence, expect) => {
        expect.served(evidence.of('asked'))
        const missing = FIELDS.filter(name => !(name in expect.json(evidence.of('asked'))))
        expect.equal('missing fields', missing, [], evidence.of('asked'))
      },
    },
    fixed('TOK-02', '2.8, 8', 'expires_in', 7200),
    fixed('TOK-03', '2.8', 'refresh_expires_in', 0),
    fixed('TOK-04', '2.8', 'token_type', 'Bearer'),
    {
      id: 'TOK-05',
      clause: '5.3',
      title: 'no refresh token is handed out',
      control: 'TOK-01',
      judge: (evidence, expect) => {
        const { refresh_token } = expect.json(evidence.of('asked'))
        expect.holds(isAbsent(refresh_token) || refresh_token === '', 'no refresh_token', 'one', evidence.of('asked'))
      },
    },
    {
      id: 'TOK-06',
      clause: '2.8, 5.3',
      title: 'no more is granted than what was asked and the default',
      ...assumed('D-55'),
      control: 'TOK-01',
      judge: (evidence, expect) => {
        const surplus = granted(evidence.of('asked'), expect).filter(
          scope => !['payments:read', 'payments:process'].includes(scope),
        )
        const unasked = surplus.filter(scope => scope === REPORTS_SCOPE)
        expect.specified(() => expect.equal('scopes that are to be asked for', unasked, [], evidence.of('asked')))
        expect.equal('surplus scopes', surplus, [], evidence.of('asked'))
      },
    },
    {
      id: 'TOK-07',
      clause: '5.3',
      title: 'with no scope asked, payments:read alone is granted',
      ...assumed('D-55'),
      control: 'TOK-01',
      judge: (evidence, expect) => {
        const unasked = evidence.of('unasked')
        const scopes = granted(unasked, expect)
        const surplus = ['payments:process', REPORTS_SCOPE].filter(scope => scopes.includes(scope))
        expect.specified(() => expect.equal('scopes that are to be asked for', surplus, [], unasked))
        expect.equal('scopes', scopes, ['payments:read'], unasked)
      },
    },
    {
      id: 'TOK-08',
      clause: '5.3',
      title: 'payments:process appears only when asked for',
      control: 'TOK-01',
      judge: (evidence, expect) =>
        onlyWhenAsked('payments:process', evidence.of('asked'), evidence.of('reports'), expect),
    },
    {
      id: 'TOK-09',
      clause: '5.3',
      title: 'data:reports appears only when asked for',
      control: 'TOK-01',
      judge: (evidence, expect) => {
        const [asked, unasked] = [evidence.of('reports'), evidence.of('asked')]
        expectNotGranted(REPORTS_SCOPE, unasked, expect)
        if (!hasCapability(expect.profile, 'reports')) return
        if (!granted(asked, expect).includes(REPORTS_SCOPE)) throw reportsNotGranted(expect.profile, asked)
      },
    },
    {
      id: 'TOK-13',
      clause: '5.3',
      title: 'an invented scope is never granted',
      ...assumed('D-55'),
      control: 'TOK-01',
      judge: (evidence, expect) =>
        expect.specified(() =>
          expect.holds(
            !granted(evidence.of('invented'), expect).includes('payments:invented'),
            'payments:invented not to be granted',
            granted(evidence.of('invented'), expect),
            evidence.of('invented'),
          ),
        ),
    },
  ],
}

const onlyWhenAsked = (scope: string, asked: Exchange, unasked: Exchange, expect: Expect): void => {
  expect.holds(granted(asked, expect).includes(scope), `${scope} where it was asked for`, granted(asked, expect), asked)
  expectNotGranted(scope, unasked, expect)
}

const expectNotGranted = (scope: string, unasked: Exchange, expect: Expect): void => {
  const scopes = granted(unasked, expect)
  expect.holds(!scopes.includes(scope), `no ${scope} where it was not asked for`, scopes, unasked)
}

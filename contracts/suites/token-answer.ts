import { type Exchange, jsonOf } from '../client/exchange.ts'
import type { Check, Journey } from '../harness/check.ts'
import type { Expect } from '../harness/expect.ts'
import { isNothing } from '../harness/slots.ts'
import { askToken } from './vehicles.ts'
import type { World } from './world.ts'

const FIELDS = ['access_token', 'expires_in', 'refresh_expires_in', 'token_type', 'scope']

/** The scopes that a token answer grants; an answer without them grants none. */
const granted = (exchange: Exchange, expect: Expect): string[] => {
  expect.answered(exchange)
  const { scope } = (jsonOf(exchange) ?? {}) as { scope?: unknown }
  return String(scope ?? '')
    .split(' ')
    .filter(Boolean)
}

type Step = 'asked' | 'unasked' | 'reports' | 'invented'

/** A member of the token answer whose value no deployment may choose. */
const fixed = (id: string, clause: string, name: string, value: number | string): Check<Step> => ({
  id,
  clause,
  title: `${name} is ${JSON.stringify(value)}`,
  judge: (evidence, expect) => expect.equal(name, expect.json(evidence.of('asked'))[name], value, evidence.of('asked')),
})

/** The token and what it grants (2.8, 5.3). */
export const tokenAnswer: Journey<World, Step> = {
  name: 'what a token call answers',
  tier: 1,
  play: async (world, keep) => {
    const form = world.merchant.tokenForm
    await keep('asked', askToken(world, {}, form('payments:process')))
    await keep('unasked', askToken(world, {}, form()))
    await keep('reports', askToken(world, {}, form('data:reports')))
    await keep('invented', askToken(world, {}, form('payments:read payments:invented')))
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
      judge: (evidence, expect) =>
        expect.holds(
          isNothing(expect.json(evidence.of('asked')).refresh_token),
          'no refresh_token',
          'one',
          evidence.of('asked'),
        ),
    },
    {
      id: 'TOK-06',
      clause: '2.8, 5.3',
      title: 'no more is granted than what was asked and the default',
      control: 'TOK-01',
      judge: (evidence, expect) => {
        const surplus = granted(evidence.of('asked'), expect).filter(
          scope => !['payments:read', 'payments:process'].includes(scope),
        )
        expect.equal('surplus scopes', surplus, [], evidence.of('asked'))
      },
    },
    {
      id: 'TOK-07',
      clause: '5.3',
      title: 'with no scope asked, payments:read alone is granted',
      control: 'TOK-01',
      judge: (evidence, expect) =>
        expect.equal('scopes', granted(evidence.of('unasked'), expect), ['payments:read'], evidence.of('unasked')),
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
      judge: (evidence, expect) => onlyWhenAsked('data:reports', evidence.of('reports'), evidence.of('asked'), expect),
    },
    {
      id: 'TOK-13',
      clause: '5.3',
      title: 'an invented scope is never granted',
      basis: 'assumed',
      decisions: ['D-55'],
      control: 'TOK-01',
      judge: (evidence, expect) =>
        expect.holds(
          !granted(evidence.of('invented'), expect).includes('payments:invented'),
          'payments:invented not to be granted',
          granted(evidence.of('invented'), expect),
          evidence.of('invented'),
        ),
    },
  ],
}

const onlyWhenAsked = (scope: string, asked: Exchange, unasked: Exchange, expect: Expect): void => {
  expect.holds(granted(asked, expect).includes(scope), `${scope} where it was asked for`, granted(asked, expect), asked)
  expect.holds(
    !granted(unasked, expect).includes(scope),
    `no ${scope} where it was not asked for`,
    granted(unasked, expect),
    unasked,
  )
}

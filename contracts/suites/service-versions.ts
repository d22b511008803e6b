import { type Exchange, isSuccess, responseJson } from '../client/http-exchange.ts'
import { choiceOf } from '../dialect/decision-choices.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { commonJson } from '../harness/judge/compare-shared-json-members.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectPremise } from './evidence/expect-premise.ts'
import { readStatus, requestToken, searchFor } from './given/harmless-calls.ts'
import { uniqueReference } from './given/request-bodies.ts'
import { withHeader } from './request-mutations/tamper-with-requests.ts'

const MALFORMED = ['1', 'one', 'v1.0', '1.0.0', '1.x'] as const

type Step =
  | 'absent'
  | 'bare'
  | 'stable'
  | 'bare again'
  | 'lower'
  | 'major'
  | Call
  | `${Call} stable`
  | (typeof MALFORMED)[number]

/** Calls with a body that change nothing. */
const CALLS = ['token', 'search'] as const
type Call = (typeof CALLS)[number]

const NEEDS = ['serviceVersion']

const minorsOf = (version = ''): [major: number, minor: number] => {
  const [major, minor] = version.split('.')
  return [Number(major), Number(minor)]
}

/** Scenario with checks of the Service-Version header: absent, stable, lower, unknown, malformed (9). */
export const serviceVersions: CheckScenario<CheckContext, Step> = {
  name: 'Service-Version',
  tier: 1,
  play: async (context, keep) => {
    const stable = context.profile.serviceVersion
    const [major, minor] = minorsOf(stable)
    const read = (version: string) => readStatus(context, { beforeSigning: withHeader('service-version', version) })
    await keep('absent', readStatus(context))
    await keep('major', read('999.0'))
    for (const value of MALFORMED) await keep(value, read(value))
    if (stable === undefined) return
    await keep('bare', readStatus(context))
    await keep('stable', read(stable))
    await keep('bare again', readStatus(context))
    const named = { beforeSigning: withHeader('service-version', stable) }
    const search = (alter = {}) => searchFor(context, uniqueReference(), alter)
    await keep('token', requestToken(context))
    await keep('token stable', requestToken(context, named))
    await keep('search', search())
    await keep('search stable', search(named))
    if (minor > 0) await keep('lower', read(`${major}.${minor - 1}`))
  },
  checks: [
    {
      id: 'VER-01',
      clause: '9',
      title: 'served when Service-Version is left out',
      judge: (evidence, expect) => expect.served(evidence.of('absent')),
    },
    {
      id: 'VER-02',
      clause: '9',
      title: 'the stable version is accepted',
      needs: NEEDS,
      judge: (evidence, expect) => {
        const [stable, { serviceVersion, file }] = [evidence.of('stable'), expect.profile]
        const wanted = `the call to be served with version ${serviceVersion}, which serviceVersion of ${file} names`
        expect.holds(isSuccess(expect.response(stable).status), wanted, expect.describeJudged(stable), stable)
        expect.served(stable)
      },
    },
    {
      id: 'VER-08',
      clause: '9',
      title: 'the stable version is accepted on calls with a body, the token call too',
      needs: NEEDS,
      control: 'VER-02',
      judge: (evidence, expect) => {
        for (const call of CALLS) {
          expectPremise(evidence.of(call), `${call} without the version`, expect)
          expect.served(evidence.of(`${call} stable`))
        }
      },
    },
    {
      id: 'VER-03',
      clause: '9',
      title: 'a value that is not MAJOR.MINOR is refused',
      ...assumed('D-68'),
      control: 'VER-01',
      judge: (evidence, expect) => {
        for (const value of MALFORMED) expectNotSelected(evidence.of(value), expect)
      },
    },
    {
      id: 'VER-04',
      clause: '9',
      title: 'an unknown major is refused',
      ...assumed('D-68'),
      control: 'VER-01',
      judge: (evidence, expect) => expectNotSelected(evidence.of('major'), expect),
    },
    {
      id: 'VER-05',
      clause: '9',
      title: 'the stable version and no header give the same shape',
      needs: NEEDS,
      control: 'VER-02',
      judge: (evidence, expect) => {
        const named = evidence.of('stable')
        const bare = [evidence.of('bare'), evidence.of('bare again')] as const
        for (const each of [named, ...bare]) expect.response(each)
        expect.agreesWith('shape', shapeOf(named), commonJson(shapeOf(bare[0]), shapeOf(bare[1])), named)
      },
    },
    {
      id: 'VER-07',
      clause: '9',
      title: 'a lower minor of the same major is served',
      ...assumed('D-69'),
      needs: NEEDS,
      control: 'VER-02',
      exempt: ({ serviceVersion }) =>
        serviceVersion !== undefined && minorsOf(serviceVersion)[1] === 0
          ? `there is no minor below ${serviceVersion}`
          : undefined,
      judge: (evidence, expect) => expect.served(evidence.of('lower')),
    },
  ],
}

/** Expects a version that is not there to be refused, or to be ignored where the profile says so (D-68). */
const expectNotSelected = (exchange: Exchange, expect: Expect): void =>
  choiceOf(expect.profile, 'D-68') === 'ignored' ? expect.served(exchange) : expect.refused(exchange)

/** Returns the members and JSON types of a response, without the values; a null is an absent member, a list its items. */
const shapeOf = (exchange: Exchange): unknown => shape(responseJson(exchange)) ?? {}

const shape = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? {} : { items: value.map(shape).reduce(commonJson) }
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'object') return typeof value
  const members = Object.entries(value).map(([name, member]) => [name, shape(member)] as const)
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

import { type Exchange, responseJson } from '../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { CheckContext } from './context/check-context.ts'
import { readStatus } from './given/harmless-calls.ts'
import { withHeader } from './request-mutations/tamper-with-requests.ts'

const MALFORMED = ['1', 'one', 'v1.0', '1.0.0', '1.x'] as const

type Step = 'absent' | 'stable' | 'lower' | 'major' | (typeof MALFORMED)[number]

const NEEDS = ['serviceVersion']

const minorsOf = (version = ''): [major: number, minor: number] => {
  const [major, minor] = version.split('.')
  return [Number(major), Number(minor)]
}

/** Checks of the Service-Version header: absent, stable, lower, unknown, malformed (9). */
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
    await keep('stable', read(stable))
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
      judge: (evidence, expect) => expect.served(evidence.of('stable')),
    },
    {
      id: 'VER-03',
      clause: '9',
      title: 'a value that is not MAJOR.MINOR is refused',
      ...assumed('D-68'),
      control: 'VER-01',
      judge: (evidence, expect) => {
        for (const value of MALFORMED) expect.refused(evidence.of(value))
      },
    },
    {
      id: 'VER-04',
      clause: '9',
      title: 'an unknown major is refused',
      ...assumed('D-68'),
      control: 'VER-01',
      judge: (evidence, expect) => expect.refused(evidence.of('major')),
    },
    {
      id: 'VER-05',
      clause: '9',
      title: 'the stable version and no header give the same shape',
      needs: NEEDS,
      control: 'VER-02',
      judge: (evidence, expect) => {
        const [named, absent] = [evidence.of('stable'), evidence.of('absent')]
        for (const each of [named, absent]) expect.response(each)
        expect.agreesWith('shape', shapeOf(named), shapeOf(absent), named)
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

/** Returns the members and JSON types of a response, without the values. */
const shapeOf = (exchange: Exchange): unknown => shape(responseJson(exchange))

const shape = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shape)
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, shape(member)]))
}

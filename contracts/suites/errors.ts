import { ENDPOINTS } from '../client/endpoints.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Check, Journey } from '../harness/check.ts'
import { isDecline } from '../harness/slots.ts'
import { FAMILIES, OF_ANY_STATUS, REFUSALS, UNSTATED } from '../protocol/reason-codes.ts'
import { withHeader, withOneCharacterChanged } from './alter.ts'
import { isNotThere, unknownId } from './given.ts'
import { codesOf, every, familyOf, familyOfAny, WITH_CODES } from './transcript.ts'
import { askToken } from './vehicles.ts'
import type { World } from './world.ts'

const STATUSES: readonly number[] = Object.values(REFUSALS).map(({ http }) => http)

/** What is wrong with a key itself may be told by the family of keys (7.2, D-18). */
const isAboutKey = ({ request: { endpoint, headers } }: Exchange): boolean => {
  const { length } = headers['idempotency-key'] ?? ''
  return endpoint !== undefined && ENDPOINTS[endpoint].keyed && (length === 0 || length > 255)
}

/** A body of another type than its endpoint takes (4, D-16). */
const isOfAnotherType = ({ request: { endpoint, headers, body } }: Exchange): boolean => {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  const usual = endpoint === 'token' ? 'application/x-www-form-urlencoded' : 'application/json'
  return (body?.length ?? 0) > 0 && type !== usual
}

/** Whether a status is one of 7.1, or one of HTTP for a fault that 7.1 has none for. */
const isStated = (exchange: Exchange, status = exchange.answer?.status ?? 0): boolean =>
  STATUSES.includes(status) ||
  (status === UNSTATED.method && exchange.request.endpoint === 'mockSet') || // which production lacks (1)
  (status === UNSTATED.type && isOfAnotherType(exchange)) ||
  (status === UNSTATED.key && isAboutKey(exchange))

type Step = 'unknown path' | 'wrong method' | 'not there' | 'two faults' | 'no token' | 'malformed'

/** What no endpoint is asked may be answered by whatever stands before the service, as may a body that is too large. */
const isRefusal = (status: number, { request }: Exchange): boolean =>
  status >= 400 && status !== 413 && status !== 429 && request.endpoint !== undefined

const seen: Journey<World, Step> = {
  name: 'what the refusals of the run have in common',
  tier: 1,
  play: async (world, keep) => {
    const { merchant } = world
    const token = await merchant.tokenFor()
    const path = { transactionId: unknownId(world.profile) }
    await keep('unknown path', merchant.send({ method: 'GET', path: '/payments/no/such/endpoint', token }))
    await keep('wrong method', merchant.send({ method: 'GET', path: merchant.pathOf('refund'), token }))
    await keep('not there', merchant.request('status', { path }))
    const spoiled = { afterSigning: withHeader('signature', old => withOneCharacterChanged(old)) }
    await keep('two faults', merchant.request('status', { path }, spoiled))
    await keep('no token', merchant.request('status', { path }, { token: null }))
    await keep('malformed', askToken(world, undefined, { grant_type: 'none' }))
  },
  checks: [
    {
      id: 'ERR-01',
      clause: '7',
      title: 'every refusal of the run carries a reasonCode',
      control: 'MTLS-01',
      ...WITH_CODES,
      judge: (evidence, expect) => {
        const codeOf = codesOf(evidence, expect)
        every(evidence, 'refusal', isRefusal, exchange =>
          expect.holds(codeOf(exchange) !== undefined, 'a reasonCode', expect.told(exchange), exchange),
        )
      },
    },
    {
      id: 'ERR-02',
      clause: '7.2',
      title: 'every reasonCode of the run has four digits and a family of 7.2',
      control: 'MTLS-01',
      ...WITH_CODES,
      judge: (evidence, expect) => {
        const codeOf = codesOf(evidence, expect)
        const carriesCode = (status: number, exchange: Exchange) => status >= 400 && codeOf(exchange) !== undefined
        every(evidence, 'reasonCode', carriesCode, exchange => {
          const code = codeOf(exchange) ?? ''
          const known = /^\d{4}$/.test(code) && (code[0] ?? '') in FAMILIES
          expect.holds(known, 'four digits, the first of a family', code, exchange)
        })
      },
    },
    {
      id: 'ERR-03',
      clause: '7',
      title: 'no success but a decline carries the code of an error',
      basis: 'assumed',
      decisions: ['D-03', 'D-06', 'D-07'],
      control: 'MTLS-01',
      needs: [...WITH_CODES.needs, 'errors.declined'],
      judge: (evidence, expect) => {
        const codeOf = codesOf(evidence, expect)
        const isSuccess = (status: number, exchange: Exchange) => status < 300 && !isDecline(expect.profile, exchange)
        every(evidence, 'success', isSuccess, exchange =>
          expect.holds(!/^\d{4}$/.test(codeOf(exchange) ?? ''), 'no code of an error', expect.told(exchange), exchange),
        )
      },
    },
    {
      id: 'ERR-06',
      clause: '7.2, 7.3',
      title: 'every 401 of the run is 4xxx, every 403 4xxx or 6xxx',
      control: 'MTLS-01',
      ...WITH_CODES,
      judge: (evidence, expect) => {
        familyOf([401], ['4'])(evidence, expect)
        familyOfAny([403], ['4', '6'])(evidence, expect)
      },
    },
    {
      id: 'ERR-07',
      clause: '7.2, 7.4.1',
      title: 'every 400 of the run is 4xxx or a code of 7.3 without a status, or 3xxx where it is about the key',
      control: 'MTLS-01',
      ...WITH_CODES,
      judge: (evidence, expect) => {
        familyOf([400], ['4', ...OF_ANY_STATUS], exchange => !isAboutKey(exchange))(evidence, expect)
        familyOfAny([400], ['3', '4', ...OF_ANY_STATUS], isAboutKey)(evidence, expect)
      },
    },
    {
      id: 'ERR-12',
      clause: '4',
      title: 'every refusal of the run is JSON',
      control: 'MTLS-01',
      judge: (evidence, expect) => every(evidence, 'refusal', isRefusal, exchange => void expect.json(exchange)),
    },
    {
      id: 'ERR-13',
      clause: '7.1',
      title: 'every refusal of the run has a status of the table, or one of HTTP where that has none',
      control: 'MTLS-01',
      judge: (evidence, expect) =>
        every(evidence, 'refusal', isRefusal, exchange =>
          expect.holds(
            isStated(exchange),
            'a status of 7.1, or one of HTTP for a fault that 7.1 has none for',
            expect.told(exchange),
            exchange,
          ),
        ),
    },
    {
      id: 'ERR-15',
      clause: '7.1',
      title: 'an unknown path: 404',
      basis: 'assumed',
      decisions: ['D-14'],
      control: 'MTLS-01',
      judge: (evidence, expect) => expect.refused(evidence.of('unknown path'), { status: 404 }),
    },
    {
      id: 'ERR-16',
      clause: '4',
      title: 'a wrong method on a known path: 404 or 405',
      basis: 'assumed',
      decisions: ['D-14'],
      control: 'MTLS-01',
      judge: (evidence, expect) => expect.refused(evidence.of('wrong method'), { status: 404, or: UNSTATED.method }),
    },
    {
      id: 'ERR-18',
      clause: '5, 7.1',
      title: 'of several faults that of authentication is told',
      control: 'MTLS-01',
      judge: (evidence, expect) => {
        isNotThere(evidence.of('not there'), expect)
        expect.refused(evidence.of('two faults'), { status: 401 })
        expect.refused(evidence.of('no token'), { status: 401 })
      },
    },
    {
      id: 'ERR-21',
      clause: '7.1',
      title: 'nothing that was sent before any fault was asked for drew a 500',
      control: 'MTLS-01',
      judge: (evidence, expect) =>
        every(
          evidence,
          'answer',
          status => status !== 429,
          exchange => expect.holds(exchange.answer?.status !== 500, 'no 500', expect.told(exchange), exchange),
        ),
    },
  ] satisfies Check<Step>[],
}

/** Judged over the whole transcript; it is played before any fault is asked for. */
export const errors = [seen]

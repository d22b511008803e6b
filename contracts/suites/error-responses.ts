import type { Exchange } from '../client/http-exchange.ts'
import { choiceOf } from '../dialect/decision-choices.ts'
import { assumed, type Check, type CheckScenario } from '../harness/judge/check.ts'
import { PUT_OFF } from '../harness/judge/check-assertions.ts'
import { isDecline } from '../harness/profile/response-fields-and-line-advice.ts'
import { CODES_OF_ANY_STATUS, REASON_CODE_FAMILIES, UNSTATED_STATUSES } from '../protocol/reason-codes.ts'
import type { CheckContext } from './context/check-context.ts'
import { carriesCode, isAboutKey, isEnveloped, isRefusal, isStated } from './evidence/classify-refusals.ts'
import { findStep } from './evidence/expect-refused-or-declined.ts'
import { expectNotFound } from './evidence/expect-unknown-payment.ts'
import {
  createReasonCodeReader,
  judgeCodeFamily,
  judgeCodeFamilyIfSeen,
  judgeEvery,
  WITH_REASON_CODES,
} from './evidence/judge-whole-transcript.ts'
import { unknownId } from './given/create-payments.ts'
import { requestToken } from './given/harmless-calls.ts'
import { withHeader, withOneCharacterChanged } from './request-mutations/tamper-with-requests.ts'

type Step =
  | 'unknown path'
  | 'wrong method'
  | 'not there'
  | 'two faults'
  | 'no token'
  | 'malformed'
  | `repeated ${number}`

/** Most calls that drew a 500 to send once more: a passing failure is none (7.1). */
const MOST_REPEATED = 3

/** Scenario with checks of error responses over the whole transcript (7); runs before any fault is injected. */
export const errorResponses: CheckScenario<CheckContext, Step> = {
  name: 'what the refusals of the run have in common',
  tier: 1,
  play: async (context, keep) => {
    const { merchant } = context
    const token = await merchant.tokenFor()
    const path = { transactionId: unknownId(context.profile) }
    await keep('unknown path', merchant.send({ method: 'GET', path: '/payments/no/such/endpoint', token }))
    await keep('wrong method', merchant.send({ method: 'GET', path: merchant.pathOf('refund'), token }))
    await keep('not there', merchant.request('status', { path }))
    const spoiled = { afterSigning: withHeader('signature', old => withOneCharacterChanged(old)) }
    await keep('two faults', merchant.request('status', { path }, spoiled))
    await keep('no token', merchant.request('status', { path }, { token: null }))
    await keep('malformed', requestToken(context, undefined, { grant_type: 'none' }))
    const failed = context.transcript.filter(({ response }) => response?.status === 500).slice(0, MOST_REPEATED)
    for (const [index, exchange] of failed.entries()) {
      const [repeat] = context.organizations.flatMap(({ again }) => again.get(exchange) ?? [])
      await keep(`repeated ${index}`, repeat?.() ?? merchant.transport.exchange(exchange.request))
    }
  },
  checks: [
    {
      id: 'ERR-01',
      clause: '7',
      title: 'every refusal of the run carries a reasonCode',
      control: 'MTLS-01',
      ...WITH_REASON_CODES,
      judge: (evidence, expect) => {
        const codeOf = createReasonCodeReader(evidence, expect)
        judgeEvery(evidence, expect, 'refusal', isEnveloped(expect.profile), exchange =>
          expect.holds(codeOf(exchange) !== undefined, 'a reasonCode', expect.describeAny(exchange), exchange),
        )
      },
    },
    {
      id: 'ERR-02',
      clause: '7.2',
      title: 'every reasonCode of the run has four digits and a family of 7.2',
      control: 'MTLS-01',
      ...WITH_REASON_CODES,
      judge: (evidence, expect) => {
        const codeOf = createReasonCodeReader(evidence, expect)
        const isMeant = (status: number, it: Exchange) =>
          isEnveloped(expect.profile)(status, it) && codeOf(it) !== undefined
        judgeEvery(evidence, expect, 'reasonCode', isMeant, exchange => {
          const code = codeOf(exchange) ?? ''
          const known = /^\d{4}$/.test(code) && (code[0] ?? '') in REASON_CODE_FAMILIES
          expect.holds(known, 'four digits, the first of a family', code, exchange)
        })
      },
    },
    {
      id: 'ERR-03',
      clause: '7',
      title: 'no success but a decline carries the code of an error',
      ...assumed('D-03', 'D-06', 'D-07'),
      control: 'MTLS-01',
      needs: [...WITH_REASON_CODES.needs, 'errors.declined'],
      judge: (evidence, expect) => {
        const codeOf = createReasonCodeReader(evidence, expect)
        const isSuccess = (status: number, exchange: Exchange) => status < 300 && !isDecline(expect.profile, exchange)
        const isCancelByShopper = (code: string) => code === '2001' && choiceOf(expect.profile, 'D-43') === 'canceled'
        judgeEvery(evidence, expect, 'success', isSuccess, exchange =>
          expect.holds(
            !/^\d{4}$/.test(codeOf(exchange) ?? '') || isCancelByShopper(codeOf(exchange) ?? ''),
            'no code of an error',
            expect.describeAny(exchange),
            exchange,
          ),
        )
      },
    },
    {
      id: 'ERR-06',
      clause: '7.2, 7.3',
      title: 'every 401 of the run is 4xxx, every 403 4xxx or 6xxx',
      control: 'MTLS-01',
      ...WITH_REASON_CODES,
      judge: (evidence, expect) => {
        const isMeant = carriesCode(expect.profile)
        judgeCodeFamily([401], ['4'], isMeant)(evidence, expect)
        judgeCodeFamilyIfSeen([403], ['4', '6'], isMeant)(evidence, expect)
      },
    },
    {
      id: 'ERR-07',
      clause: '7.2, 7.4.1',
      title: 'every 400 of the run is 4xxx or a code of 7.3 without a status, or 3xxx where it is about the key',
      control: 'MTLS-01',
      ...WITH_REASON_CODES,
      judge: (evidence, expect) => {
        const isMeant = carriesCode(expect.profile)
        const families = (exchange: Exchange) => [...(isAboutKey(exchange) ? ['3'] : []), '4', ...CODES_OF_ANY_STATUS]
        judgeCodeFamily([400], families, isMeant)(evidence, expect)
      },
    },
    {
      id: 'ERR-12',
      clause: '4',
      title: 'every refusal of the run is JSON',
      control: 'MTLS-01',
      judge: (evidence, expect) =>
        judgeEvery(evidence, expect, 'refusal', isRefusal, exchange => void expect.json(exchange, PUT_OFF)),
    },
    {
      id: 'ERR-13',
      clause: '7.1',
      title: 'every refusal of the run has a status of the table, or a standard HTTP status where the table has none',
      control: 'MTLS-01',
      judge: (evidence, expect) =>
        judgeEvery(evidence, expect, 'refusal', isRefusal, exchange =>
          expect.holds(
            isStated(exchange),
            'a status of 7.1, or a standard HTTP status for an error without one in 7.1',
            expect.describeAny(exchange),
            exchange,
          ),
        ),
    },
    {
      id: 'ERR-15',
      clause: '7.1',
      title: 'an unknown path: 404',
      ...assumed('D-14'),
      control: 'MTLS-01',
      judge: (evidence, expect) => expect.refused(evidence.of('unknown path'), { status: 404 }),
    },
    {
      id: 'ERR-16',
      clause: '4',
      title: 'a wrong method on a known path: 404 or 405',
      ...assumed('D-14'),
      control: 'MTLS-01',
      judge: (evidence, expect) =>
        expect.refused(evidence.of('wrong method'), { status: 404, or: UNSTATED_STATUSES.method, decidedBy: 'D-14' }),
    },
    {
      id: 'ERR-18',
      clause: '5, 7.1',
      title: 'of several errors the authentication error is reported',
      control: 'MTLS-01',
      judge: (evidence, expect) => {
        expectNotFound(evidence.of('not there'), expect)
        expect.refused(evidence.of('two faults'), { status: 401 })
        expect.refused(evidence.of('no token'), { status: 401 })
      },
    },
    {
      id: 'ERR-21',
      clause: '7.1',
      title: 'nothing that was sent before any fault was asked for drew a 500',
      control: 'MTLS-01',
      judge: (evidence, expect) => {
        const failed = evidence.transcript.filter(({ response }) => response?.status === 500)
        const repeated = failed.slice(0, MOST_REPEATED).map((_, index) => findStep(evidence, `repeated ${index}`))
        const again = repeated.find(exchange => exchange?.response?.status === 500)
        expect.holds(again === undefined, 'no 500', '500 again', again)
        judgeEvery(
          evidence,
          expect,
          'answer',
          status => status !== 429,
          () => undefined,
        )
      },
    },
  ] satisfies Check<Step>[],
}

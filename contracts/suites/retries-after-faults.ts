import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/http-exchange.ts'
import type { CallOverrides } from '../client/send-signed-call.ts'
import { assumed, type Check, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { hasCapability, offersMethod } from '../harness/profile/missing-capability-reason.ts'
import { PAYMENT_NEEDS } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectReplay } from './evidence/expect-replay.ts'
import { judgeCodeFamily, judgeCodeFamilyIfSeen, WITH_REASON_CODES } from './evidence/judge-whole-transcript.ts'
import { capturedPart, createAuthorizedPayment } from './given/payments.ts'
import { captureBody, irisPayment, withMember } from './given/request-bodies.ts'

const ONCE = ['internal', 'error', 'silent', 'locked'] as const
type Fault = (typeof ONCE)[number]
type Step = Fault | `${Fault} again` | `${Fault} third` | `${Fault} events` | 'conflict' | 'lifecycle' | 'unsupported'

const ARMED = {
  internal: { kind: 'internal' },
  error: { kind: 'error' },
  silent: { kind: 'timeout', done: 'yes' },
  locked: { kind: 'locked' },
} as const

/** Checks of captures that meet an injected fault, each retried under its key (7.4); needs a control address (S05). */
export const retriesAfterFaults: CheckScenario<CheckContext, Step> = {
  name: 'faults, and what a retry finds',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const { merchant, driver, account, profile } = context
    const part = capturedPart(profile)
    for (const fault of hasCapability(profile, 'manualCapture') ? ONCE : []) {
      const transactionId = await createAuthorizedPayment(profile, context)
      const json = captureBody(account, transactionId, part)
      const send = (idempotencyKey: string, body: object = json, alter: CallOverrides = {}) =>
        merchant.request('capture', { json: body, idempotencyKey }, alter)
      const key = randomUUID()
      await driver.arm({ operation: 'capture', ...ARMED[fault] })
      await keep(fault, send(key, json, fault === 'locked' ? { retry: [429] } : {}))
      await keep(`${fault} again`, send(key))
      await keep(`${fault} third`, send(key))
      if (fault === 'locked') await keep('conflict', send(key, { ...json, clientTransactionId: 'another' }))
      await keep(`${fault} events`, merchant.request('events', { path: { transactionId } }))
      if (fault === 'locked') {
        if (part < 1000) await send(randomUUID(), captureBody(account, transactionId, 1000 - part))
        await keep('lifecycle', send(randomUUID()))
      }
    }
    const recurring = withMember(irisPayment(account), 'transactionType', 'RECURRING')
    if (offersMethod(profile, 'IRIS')) await keep('unsupported', merchant.request('initiate', { json: recurring }))
  },
  checks: [
    {
      id: 'IDM-37',
      clause: '7.1, 7.4.2',
      title: 'after 500 and after 502 the same key completes exactly once',
      control: 'LIF-01',
      needs: ['fields.events.captured'],
      judge: (evidence, expect) => {
        expect.holds(
          statusOf(evidence.of('internal')) === 500,
          'HTTP 500',
          expect.describeJudged(evidence.of('internal')),
          evidence.of('internal'),
        )
        expect.holds(
          statusOf(evidence.of('error')) === 502,
          'HTTP 502',
          expect.describeJudged(evidence.of('error')),
          evidence.of('error'),
        )
        for (const fault of ['internal', 'error'] as const) expectCapturedOnce(evidence, expect, fault)
      },
    },
    {
      id: 'IDM-38',
      clause: '7.4.4',
      title: 'after 504 the same key returns the stored response, and the operation happened once',
      control: 'LIF-01',
      needs: ['fields.events.captured'],
      judge: (evidence, expect) => {
        expect.holds(
          statusOf(evidence.of('silent')) === 504,
          'HTTP 504',
          expect.describeJudged(evidence.of('silent')),
          evidence.of('silent'),
        )
        expectCapturedOnce(evidence, expect, 'silent')
      },
    },
    {
      id: 'ERR-20',
      clause: '7.1',
      title: 'after 423 a retry is served',
      control: 'LIF-01',
      judge: (evidence, expect) => {
        expect.refused(evidence.of('locked'), { status: 423 })
        expect.served(evidence.of('locked again'))
      },
    },
    {
      id: 'ERR-19',
      clause: '1, 7.1',
      title: 'an operation that the scheme lacks: 501',
      ...assumed('D-37'),
      control: 'VAL-02',
      judge: (evidence, expect) =>
        expect.refused(evidence.of('unsupported'), { status: 501, without: 'initiate.transactionId' }),
    },
    {
      id: 'ERR-04',
      clause: 'I4, 7.1',
      title: 'every 409 of the run is 3xxx, or 5xxx if it concerns a state',
      control: 'IDM-15',
      ...WITH_REASON_CODES,
      judge: (evidence, expect) => {
        const isAboutKey = isConflict(evidence)
        judgeCodeFamily([409], ['3'], isAboutKey)(evidence, expect)
        judgeCodeFamilyIfSeen([409], ['3', '5'], exchange => !isAboutKey(exchange))(evidence, expect)
      },
    },
    codeFamilyCheck(
      'ERR-05',
      'R5',
      'every 422 of a lifecycle rule in the run is 5xxx',
      [422],
      ['5'],
      { control: 'LIF-07' },
      isAct,
    ),
    codeFamilyCheck('ERR-09', '7.1, 7.3', 'every 501 of the run is 8003', [501], ['8003'], {
      ...assumed('D-09'),
      control: 'ERR-19',
    }),
    codeFamilyCheck('ERR-10', '7.2', 'every 502 and 504 of the run is 8xxx', [502, 504], ['8'], assumed('D-10')),
    codeFamilyCheck('ERR-11', '7.2', 'every 500 of the run is 9xxx', [500], ['9'], assumed('D-10')),
  ],
}

/** Whether a 409 is about the key: it came earlier with another payload; else it may be about the state (7.1). */
const isConflict =
  ({ transcript }: Pick<Evidence<Step>, 'transcript'>) =>
  (exchange: Exchange): boolean => {
    const [key, text] = [keyOf(exchange), textOf(exchange)]
    const earlier = transcript.slice(0, transcript.indexOf(exchange))
    return key !== undefined && earlier.some(it => keyOf(it) === key && textOf(it) !== text)
  }

const keyOf = ({ request }: Exchange) => request.headers['idempotency-key']
const textOf = ({ request }: Exchange) => Buffer.from(request.body ?? []).toString('utf8')

/** Whether a call is a payment operation that can break a lifecycle rule; elsewhere a 422 may be a decline (S44). */
function isAct({ request: { endpoint } }: Exchange): boolean {
  return endpoint === 'capture' || endpoint === 'cancel' || endpoint === 'refund'
}

/** Creates a check that all responses with a status carry a code of a family; the scenario has made at least one of each. */
function codeFamilyCheck(
  id: string,
  clause: string,
  title: string,
  statuses: readonly number[],
  families: readonly string[],
  more: Partial<Check<Step>> = {},
  isMeant?: (exchange: Exchange) => boolean,
): Check<Step> {
  const judge = judgeCodeFamily(statuses, families, isMeant)
  return { id, clause, title, ...WITH_REASON_CODES, ...more, judge }
}

const expectCapturedOnce = (evidence: Evidence<Step>, expect: Expect, fault: Fault): void => {
  expect.served(evidence.of(`${fault} again`))
  expectReplay(evidence.of(`${fault} third`), evidence.of(`${fault} again`), expect)
  const events = evidence.of(`${fault} events`)
  expect.equalAmount('captured sum', expect.field(events, 'events.captured'), capturedPart(expect.profile), events)
}

const statusOf = ({ response }: Exchange): number | undefined => response?.status

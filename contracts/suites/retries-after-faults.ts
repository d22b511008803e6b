import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/http-exchange.ts'
import { assumed } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Evidence, KeepStep } from '../harness/judge/scenario-evidence.ts'
import { Blocked } from '../harness/judge/verdict-errors.ts'
import { findRefusalCode } from '../harness/profile/response-fields.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/isolated-checks.ts'
import { PAYMENT_NEEDS } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectReplay } from './evidence/expect-replay.ts'
import { expectSum, readThatShows, showsSum } from './evidence/expect-sum.ts'
import { judgeCodeFamily, WITH_REASON_CODES } from './evidence/judge-whole-transcript.ts'
import { createAuthorizedPayment } from './given/payments.ts'
import { readUntil } from './given/read-until.ts'
import { captureBody } from './given/request-bodies.ts'

const FAULTS = {
  internal: { kind: 'internal', status: 500 },
  error: { kind: 'error', status: 502 },
  silent: { kind: 'timeout', done: 'yes', status: 504 },
  locked: { kind: 'locked', status: 423 },
} as const
type Fault = keyof typeof FAULTS

/** Statuses on which a client repeats the call under its key, with backoff (7.1, 7.4). */
const TO_REPEAT: readonly number[] = [423, 500, 502, 504]
/** Longest time, in seconds, for which a service may stay busy with a call. */
const BUSY_SECONDS = 5
const WHOLE = 1000

const isOver = ({ response }: Exchange): boolean => !TO_REPEAT.includes(response?.status ?? 0)

/** Captures a new payment in full while a fault is injected. */
const meetFault = async (context: CheckContext, keep: KeepStep<string>, fault: Fault) => {
  const { merchant, control, account, profile } = context
  const { status: _, ...armed } = FAULTS[fault]
  const transactionId = await createAuthorizedPayment(profile, context)
  const call = { json: captureBody(account, transactionId), idempotencyKey: randomUUID() }
  await control.arm({ operation: 'capture', ...armed })
  await keep(fault, merchant.request('capture', call, { retry: [429] }))
  return { transactionId, call }
}

/** Captures a payment while a fault is injected, then again under the same key until the service has decided. */
const playFault = async (context: CheckContext, keep: KeepStep<string>, fault: Fault): Promise<void> => {
  const { merchant, profile, clock } = context
  const { transactionId, call } = await meetFault(context, keep, fault)
  const again = () => merchant.request('capture', call, { retry: [429] })
  await keep(`${fault} again`, readUntil(profile, again, isOver, { withinSeconds: BUSY_SECONDS, clock }))
  await keep(`${fault} third`, merchant.request('capture', call))
  const read = () => merchant.request(readThatShows(profile, 'captured'), { path: { transactionId } })
  await keep(`${fault} sum`, readUntil(profile, read, showsSum(profile, 'captured', WHOLE), { clock }))
}

/** Throws Blocked where a service hides an injected fault, as one does that tries again by itself. */
const expectShown = (exchange: Exchange, expect: Expect, fault: Fault): void => {
  const { status } = FAULTS[fault]
  if (expect.response(exchange).status === status) return
  throw new Blocked(`the injected fault did not show as ${status}: ${expect.describeJudged(exchange)}`, exchange)
}

const expectCapturedOnce = (evidence: Evidence<string>, expect: Expect, fault: Fault): void => {
  expectShown(evidence.of(fault), expect, fault)
  expect.served(evidence.of(`${fault} again`))
  expectReplay(evidence.of(`${fault} third`), evidence.of(`${fault} again`), expect)
  expectSum(evidence.of(`${fault} sum`), 'captured', WHOLE, expect)
}

const ofFault = (status: number) => (exchange: Exchange) => exchange.response?.status === status

/** Creates a check that all codes with these statuses are of a family; what stands between, such as a proxy, gives none. */
const codeFamilyCheck = (
  id: string,
  title: string,
  fault: Fault,
  statuses: readonly number[],
  family: string,
): IsolatedCheck => ({
  id,
  clause: '7.2',
  title,
  ...WITH_REASON_CODES,
  ...assumed('D-10'),
  play: (context, keep) => meetFault(context, keep, fault),
  judge: (evidence, expect) => {
    const hasCode = (exchange: Exchange) => findRefusalCode(expect.profile, exchange) !== undefined
    judgeCodeFamily(statuses, [family], hasCode)(evidence, expect)
  },
})

/** Checks of captures that meet an injected fault, each retried under its key (7.4); needs a control address (S05). */
export const retriesAfterFaults = isolatedScenario(
  { name: 'faults, and what a retry finds', tier: 3, needs: ['faults', ...PAYMENT_NEEDS] },
  [
    {
      id: 'IDM-37',
      clause: '7.1, 7.4.2',
      title: 'after 500 and after 502 the same key completes exactly once',
      control: 'LIF-01',
      needs: ['sum.captured'],
      play: async (context, keep) => {
        for (const fault of ['internal', 'error'] as const) await playFault(context, keep, fault)
      },
      judge: (evidence, expect) => {
        const shown = (['internal', 'error'] as const).filter(fault =>
          ofFault(FAULTS[fault].status)(evidence.of(fault)),
        )
        if (shown.length === 0) expectShown(evidence.of('internal'), expect, 'internal')
        for (const fault of shown) expectCapturedOnce(evidence, expect, fault)
      },
    },
    {
      id: 'IDM-38',
      clause: '7.4.4',
      title: 'after 504 the same key returns the stored response, and the operation happened once',
      control: 'LIF-01',
      needs: ['sum.captured'],
      play: (context, keep) => playFault(context, keep, 'silent'),
      judge: (evidence, expect) => expectCapturedOnce(evidence, expect, 'silent'),
    },
    {
      id: 'ERR-20',
      clause: '7.1',
      title: 'after 423 a retry is served',
      control: 'LIF-01',
      play: (context, keep) => playFault(context, keep, 'locked'),
      judge: (evidence, expect) => {
        expectShown(evidence.of('locked'), expect, 'locked')
        expect.served(evidence.of('locked again'))
      },
    },
    codeFamilyCheck('ERR-10', 'every 502 and 504 of the run is 8xxx', 'silent', [502, 504], '8'),
    codeFamilyCheck('ERR-11', 'every 500 of the run is 9xxx', 'internal', [500], '9'),
  ],
)

import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/http-exchange.ts'
import type { FaultName } from '../dialect/dialect-lines.ts'
import { assumed } from '../harness/judge/check.ts'
import { type Expect, PUT_OFF } from '../harness/judge/check-assertions.ts'
import { amountOf } from '../harness/judge/compare-scalars.ts'
import type { Evidence, KeepStep } from '../harness/judge/scenario-evidence.ts'
import { Inconclusive } from '../harness/judge/verdict-errors.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findRefusalCode } from '../harness/profile/response-fields-and-line-advice.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/checks-with-own-calls.ts'
import { PAYMENT_NEEDS } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { armCaptureFault, canFault, FAULT_STATUSES, faultNotShown } from './drivers/capture-fault.ts'
import { expectSum, findSum, readSumUntil } from './evidence/expect-captured-or-refunded-sum.ts'
import { expectReplay } from './evidence/expect-replay.ts'
import { judgeCodeFamily, WITH_REASON_CODES } from './evidence/judge-whole-transcript.ts'
import { authorize, preparePayment } from './given/create-payments.ts'
import { readUntil } from './given/read-until.ts'
import { captureBody } from './given/request-bodies.ts'

/** Statuses on which a client repeats the call under its key, with backoff (7.1, 7.4). */
const TO_REPEAT: readonly number[] = [423, 500, 502, 503, 504]
/** Longest time, in seconds, for which a service may stay busy with a call. */
const BUSY_SECONDS = 5
const WHOLE = 1000

/** Whether a retry still meets the first attempt under its key, which is no conflict of payloads (7.4.3). */
const meetsFirst = (profile: Profile, exchange: Exchange): boolean =>
  exchange.response?.status === 409 && findRefusalCode(profile, exchange)?.startsWith('3') === true

const isOver = (profile: Profile) => (exchange: Exchange) =>
  !TO_REPEAT.includes(exchange.response?.status ?? 0) && !meetsFirst(profile, exchange)

/** Captures a new payment in full while a fault is injected. */
const meetFault = async (context: CheckContext, keep: KeepStep<string>, fault: FaultName) => {
  const { merchant, account, profile } = context
  const body = await preparePayment(context, { autoCapture: false })
  const transactionId = await authorize(profile, context, await merchant.request('initiate', { json: body }))
  const call = { json: captureBody(account, transactionId), idempotencyKey: randomUUID() }
  await armCaptureFault(context, profile, fault, body.clientTransactionId)
  const retry = fault === 'locked' ? [429] : [423, 429] // a 423 that was not asked for is to be retried (7.1)
  await keep(fault, merchant.request('capture', call, { retry }))
  return { transactionId, call }
}

/** Captures a payment while a fault is injected, then again under the same key until the service has decided. */
const playFault = async (context: CheckContext, keep: KeepStep<string>, fault: FaultName): Promise<void> => {
  const { merchant, profile, clock } = context
  const { transactionId, call } = await meetFault(context, keep, fault)
  const again = () => merchant.request('capture', call, { retry: [429] })
  await keep(`${fault} again`, readUntil(profile, again, isOver(profile), { withinSeconds: BUSY_SECONDS, clock }))
  await keep(`${fault} third`, merchant.request('capture', call))
  await keep(`${fault} sum`, readSumUntil(context, transactionId, 'captured', WHOLE))
}

/** Throws Blocked or Untestable where an injected fault did not show. */
const expectShown = (exchange: Exchange, expect: Expect, fault: FaultName): void => {
  if (expect.response(exchange, [FAULT_STATUSES[fault]]).status === FAULT_STATUSES[fault]) return
  throw faultNotShown(expect.profile, fault, exchange, expect.describeJudged(exchange))
}

/** Throws Inconclusive where retries never learned the outcome, which is lawful unless more was captured (7.4.3, 7.4.4). */
const expectDecided = (again: Exchange, sum: Exchange, expect: Expect): void => {
  const { status } = expect.response(again, PUT_OFF)
  if (![423, 503, 504].includes(status) && !meetsFirst(expect.profile, again)) return
  const captured = amountOf(expect.profile, findSum(expect.profile, sum, 'captured')) ?? 0
  expect.holds(captured <= WHOLE, `captured sum ${WHOLE}`, captured, sum)
  const got = expect.describeAny(again)
  throw new Inconclusive(`${BUSY_SECONDS} s of retries under the key left the outcome open: ${got}`, again)
}

const expectCapturedOnce = (evidence: Evidence<string>, expect: Expect, fault: FaultName): void => {
  expectShown(evidence.of(fault), expect, fault)
  expectDecided(evidence.of(`${fault} again`), evidence.of(`${fault} sum`), expect)
  expect.served(evidence.of(`${fault} again`), [FAULT_STATUSES[fault]])
  expectReplay(evidence.of(`${fault} third`), evidence.of(`${fault} again`), expect)
  expectSum(evidence.of(`${fault} sum`), 'captured', WHOLE, expect)
}

const FAILED = ['internal', 'error'] as const
const isShown = (exchange: Exchange, fault: FaultName): boolean => exchange.response?.status === FAULT_STATUSES[fault]

/** Creates a check that all codes with these statuses are of a family; what stands between, such as a proxy, gives none. */
const codeFamilyCheck = (
  id: string,
  title: string,
  { ability, faultFor }: { ability: string; faultFor(profile: Profile): FaultName },
  statuses: readonly number[],
  family: string,
): IsolatedCheck => ({
  id,
  clause: '7.2',
  title,
  ...assumed('D-10'),
  needs: [...WITH_REASON_CODES.needs, `faults.${ability}`],
  play: (context, keep) => meetFault(context, keep, faultFor(context.profile)),
  judge: (evidence, expect) => {
    const hasCode = (exchange: Exchange) => findRefusalCode(expect.profile, exchange) !== undefined
    judgeCodeFamily(statuses, [family], hasCode)(evidence, expect)
  },
})

const INTERNAL = { ability: 'internal', faultFor: () => 'internal' as const }
const UPSTREAM = {
  ability: 'upstream',
  faultFor: (profile: Profile) => (canFault(profile, 'timeout') ? 'timeout' : 'error'),
} as const

/** Scenario with checks of captures that meet a fault on demand, each retried under its key (7.4; S05). */
export const retriesAfterFaults = isolatedScenario(
  { name: 'faults, and what a retry finds', tier: 3, needs: PAYMENT_NEEDS },
  [
    {
      id: 'IDM-37',
      clause: '7.1, 7.4.2',
      title: 'after 500 and after 502 the same key completes exactly once',
      control: 'LIF-01',
      needs: ['faults.failed', 'sum.captured'],
      play: async (context, keep) => {
        for (const fault of FAILED.filter(name => canFault(context.profile, name)))
          await playFault(context, keep, fault)
      },
      judge: (evidence, expect) => {
        const armed = FAILED.filter(name => canFault(expect.profile, name))
        const shown = armed.filter(fault => isShown(evidence.of(fault), fault))
        if (shown.length === 0) for (const fault of armed) expectShown(evidence.of(fault), expect, fault)
        for (const fault of shown) expectCapturedOnce(evidence, expect, fault)
      },
    },
    {
      id: 'IDM-38',
      clause: '7.4.4',
      title: 'after 504 the same key returns the stored response, and the operation happened once',
      control: 'LIF-01',
      needs: ['faults.timeout', 'sum.captured'],
      play: (context, keep) => playFault(context, keep, 'timeout'),
      judge: (evidence, expect) => expectCapturedOnce(evidence, expect, 'timeout'),
    },
    {
      id: 'ERR-20',
      clause: '7.1',
      title: 'after 423 a retry is served',
      control: 'LIF-01',
      needs: ['faults.locked'],
      play: (context, keep) => playFault(context, keep, 'locked'),
      judge: (evidence, expect) => {
        expectShown(evidence.of('locked'), expect, 'locked')
        expect.served(evidence.of('locked again'), [FAULT_STATUSES.locked])
      },
    },
    codeFamilyCheck('ERR-10', 'every 502 and 504 of the run is 8xxx', UPSTREAM, [502, 504], '8'),
    codeFamilyCheck('ERR-11', 'every 500 of the run is 9xxx', INTERNAL, [500], '9'),
  ],
)

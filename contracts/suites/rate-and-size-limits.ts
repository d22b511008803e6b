import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/http-exchange.ts'
import { retryAfterMs } from '../client/retry-policy.ts'
import { realTime } from '../client/wall-clock.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { Blocked, Inconclusive } from '../harness/judge/verdict-errors.ts'
import { findRefusalCode } from '../harness/profile/response-fields-and-line-advice.ts'
import { PAYMENT_NEEDS } from './check-builders/lifecycle-checks.ts'
import { singleCallScenario } from './check-builders/single-call-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import type { TestOrganization } from './context/test-organization.ts'
import { armCaptureFault, faultNotShown } from './drivers/capture-fault.ts'
import { expectSum, findSum, readSumUntil, readThatShows } from './evidence/expect-captured-or-refunded-sum.ts'
import { expectReplay } from './evidence/expect-replay.ts'
import { judgeCodeFamily, WITH_REASON_CODES } from './evidence/judge-whole-transcript.ts'
import { authorize, preparePayment, unknownId } from './given/create-payments.ts'
import { requestToken } from './given/harmless-calls.ts'
import { captureBody } from './given/request-bodies.ts'

/** Fewest concurrent calls, and the longest Retry-After that is waited for, in milliseconds. */
const AT_ONCE = 20
const LONGEST_WAIT = 60_000
/** Most concurrent calls: what slow responses ask for beyond that would say more of this machine than of the service. */
const MOST_AT_ONCE = 500

const read = ({ merchant }: TestOrganization, transactionId: string): Promise<Exchange> =>
  merchant.request('status', { path: { transactionId } }, { retry: [] })

const isLimited = ({ response }: Exchange): boolean => response?.status === 429

/** A call that got 429, and until when no call is to be made: the latest end of all that did, epoch milliseconds. */
type Limited = { refused: Exchange; until: number | undefined }

/** Reads an unknown payment until a call gets 429; throws Inconclusive where none does. */
const readUntilLimited = async (
  organization: TestOrganization,
  unknown: string,
  callsPerSecond: number,
): Promise<Limited> => {
  const first = await read(organization, unknown)
  const perResponse = Math.ceil((2 * callsPerSecond * first.durationMs) / 1000)
  const atOnce = Math.min(MOST_AT_ONCE, Math.max(AT_ONCE, perResponse))
  const most = 3 * callsPerSecond + atOnce
  for (let made = 0; made < most; made += atOnce) {
    const exchanges = await Promise.all(Array.from({ length: atOnce }, () => read(organization, unknown)))
    const [refused, ...others] = exchanges.filter(isLimited)
    if (refused) return { refused, until: latestEnd([refused, ...others]) }
  }
  throw new Inconclusive(`no 429 in ${most} calls: is limits.callsPerSecond of the profile right?`)
}

/** Returns the time at which the last Retry-After of some responses is over, taken from now on. */
const latestEnd = (refusals: readonly Exchange[]): number | undefined => {
  const waits = refusals.map(({ response }) => retryAfterMs(response?.headers['retry-after'] ?? ''))
  const known = waits.filter(wait => wait !== undefined)
  return known.length === 0 ? undefined : realTime() + Math.max(...known)
}

const waitUntil = async ({ clock }: TestOrganization, { refused, until }: Limited): Promise<void> => {
  const wait = until === undefined ? undefined : until - realTime()
  if (wait === undefined || wait > LONGEST_WAIT) throw new Blocked('there is no time to wait for', refused)
  await clock.pause(Math.max(0, wait))
}

/** Exceeds the rate limit (7.1, 8) with the second organization, so that other checks are not throttled. */
const rate: CheckScenario<CheckContext, 'refused' | 'afterwards'> = {
  name: 'more calls than the service takes',
  tier: 5,
  needs: ['secondOrganization', 'limits.callsPerSecond'],
  play: async (context, keep) => {
    const organization = await context.secondOrganization()
    const unknown = unknownId(context.profile)
    const limited = await readUntilLimited(organization, unknown, context.profile.limits?.callsPerSecond ?? 0)
    await keep('refused', Promise.resolve(limited.refused))
    await waitUntil(organization, limited)
    const afterwards = await read(organization, unknown)
    if (!isLimited(afterwards)) return keep('afterwards', Promise.resolve(afterwards))
    await waitUntil(organization, { refused: afterwards, until: latestEnd([afterwards]) })
    return keep('afterwards', read(organization, unknown))
  },
  checks: [
    {
      id: 'LIM-01',
      clause: '7.1, 8',
      title: 'a 429 carries Retry-After',
      judge: (evidence, expect) => {
        const { response } = evidence.of('refused')
        expect.rateLimited(evidence.of('refused'))
        expect.holds(response?.headers['retry-after'] !== undefined, 'Retry-After', 'none', evidence.of('refused'))
      },
    },
    {
      id: 'LIM-02',
      clause: '7.1',
      title: 'Retry-After is a delay or a date, and waiting that long works',
      control: 'LIM-01',
      judge: (evidence, expect) => {
        expect.rateLimited(evidence.of('refused'))
        const header = evidence.of('refused').response?.headers['retry-after'] ?? ''
        expect.holds(retryAfterMs(header) !== undefined, 'seconds or a date', header, evidence.of('refused'))
        const afterwards = evidence.of('afterwards')
        const got = expect.describeAny(afterwards)
        expect.holds(afterwards.response?.status !== 429, 'a call that is not too many', got, afterwards)
      },
    },
  ],
}

/** Scenarios with checks of the body size limit and the rate limit (7.1, 8); disruptive, so they run last. */
export const rateAndSizeLimits = [
  singleCallScenario({ name: 'bodies larger than the service takes', tier: 5, needs: ['limits.bodyBytes'] }, [
    {
      id: 'ERR-14',
      clause: '7.1, 8',
      title: 'an oversized body: 413',
      control: 'TOK-01',
      judge: (evidence, expect) => {
        const exchange = evidence.of('ERR-14')
        const wanted = `a refusal with 413 above limits.bodyBytes of ${expect.profile.file}`
        expect.holds(expect.response(exchange).status === 413, wanted, expect.describeJudged(exchange), exchange)
      },
      send: context => {
        const padding = 'x'.repeat(context.profile.limits?.bodyBytes ?? 0)
        return requestToken(context, {}, { ...context.merchant.tokenForm('payments:read'), padding })
      },
    },
  ]),
  rate,
]

const POLLS = ['first', 'second', 'third', 'fourth', 'fifth'] as const

/** Longest time, in milliseconds, that earlier calls which got 429 are given before polling begins. */
const LONGEST_QUIET_MS = 5_000

/** Returns how long a 429 of the run so far asked to wait, in milliseconds: earlier calls no longer count then. */
const quietTime = (transcript: readonly Exchange[]): number => {
  const waits = transcript
    .filter(isLimited)
    .map(({ response, at = '' }) => retryAfterMs(response?.headers['retry-after'] ?? '', Date.parse(at)) ?? 0)
  return Math.min(LONGEST_QUIET_MS, Math.max(0, ...waits))
}

/** Scenario with checks that polling a status at the interval of the profile draws no 429 (6, S27). */
export const pollingInterval: CheckScenario<CheckContext, (typeof POLLS)[number]> = {
  name: 'polling at a polite pace',
  tier: 1,
  needs: ['limits.pollSeconds'],
  play: async ({ merchant, profile, transcript, clock }, keep) => {
    const path = { transactionId: unknownId(profile) }
    await clock.pause(quietTime(transcript))
    for (const poll of POLLS) {
      await keep(poll, merchant.request('status', { path }, { retry: [] }))
      await clock.pause((profile.limits?.pollSeconds ?? 0) * 1000)
    }
  },
  checks: [
    {
      id: 'LIM-04',
      clause: '6',
      title: 'polling at the pace of the profile draws no 429',
      ...assumed('D-66'),
      judge: (evidence, expect) => {
        for (const poll of POLLS.map(evidence.of))
          expect.holds(poll.response?.status !== 429, 'no 429', expect.describeAny(poll), poll)
      },
    },
  ],
}

type Step = 'limited' | 'sum' | 'again' | 'third' | 'sum at last'

const WHOLE = 1000
const WITH_SUM = { needs: ['sum.captured'] }

/** Scenario with checks of a capture that is refused with an injected 429, then retried under its key (7.1). */
export const rateLimitedRetry: CheckScenario<CheckContext, Step> = {
  name: 'a call too many, and what a retry finds',
  tier: 3,
  needs: ['faults.limited', ...PAYMENT_NEEDS],
  play: async (context, keep) => {
    const { merchant, account, profile } = context
    const body = await preparePayment(context, { autoCapture: false })
    const transactionId = await authorize(profile, context, await merchant.request('initiate', { json: body }))
    const json = captureBody(account, transactionId)
    const idempotencyKey = randomUUID()
    const read = () => merchant.request(readThatShows(profile, 'captured'), { path: { transactionId } })
    await armCaptureFault(context, profile, 'limited', body.clientTransactionId)
    await keep('limited', merchant.request('capture', { json, idempotencyKey }, { retry: [423] }))
    await keep('sum', read())
    await keep('again', merchant.request('capture', { json, idempotencyKey }))
    await keep('third', merchant.request('capture', { json, idempotencyKey }))
    await keep('sum at last', readSumUntil(context, transactionId, 'captured', WHOLE))
  },
  checks: [
    {
      id: 'LIM-03',
      clause: '7.1',
      title: 'a call refused with 429 was not carried out',
      ...assumed('D-88'),
      control: 'LIF-01',
      ...WITH_SUM,
      judge: (evidence, expect) => {
        expectLimited(evidence.of('limited'), expect)
        const [soon, later] = [evidence.of('sum'), evidence.of('sum at last')]
        const isLeftOut = findSum(expect.profile, soon, 'captured') === undefined
        if (isLeftOut && findSum(expect.profile, later, 'captured') !== undefined) expect.served(soon)
        else expectSum(soon, 'captured', 0, expect)
      },
    },
    {
      id: 'IDM-39',
      clause: '7.1',
      title: 'a 429 is not what the key remembers',
      ...assumed('D-22'),
      control: 'LIF-01',
      ...WITH_SUM,
      judge: (evidence, expect) => {
        expectLimited(evidence.of('limited'), expect)
        const again = evidence.of('again')
        expect.holds(again.response?.status !== 429, 'a retry that is not too many', expect.describeAny(again), again)
        expectReplay(evidence.of('third'), again, expect)
        expectSum(evidence.of('sum at last'), 'captured', WHOLE, expect)
      },
    },
    {
      id: 'ERR-08',
      clause: '7.2',
      title: 'every 429 of the run is 3xxx',
      ...assumed('D-10'),
      ...WITH_REASON_CODES,
      judge: (evidence, expect) => {
        const hasCode = (exchange: Exchange) => findRefusalCode(expect.profile, exchange) !== undefined
        judgeCodeFamily([429], ['3'], hasCode)(evidence, expect)
      },
    },
  ],
}

/** Throws Blocked or Untestable where the injected fault did not show as 429. */
function expectLimited(exchange: Exchange, expect: Expect): void {
  if (!isLimited(exchange)) throw faultNotShown(expect.profile, 'limited', exchange, expect.describeAny(exchange))
}

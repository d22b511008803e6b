import type { Exchange } from '../client/http-exchange.ts'
import { choiceOf } from '../dialect/decision-choices.ts'
import { valueAtPointer } from '../dialect/json-pointer.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import { amountOf } from '../harness/judge/compare-scalars.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { requestPointer } from '../harness/profile/create-request-dialect.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findRefusalCode, isDecline } from '../harness/profile/response-fields-and-line-advice.ts'
import { isProviderOperation } from '../operations.ts'
import { tryParseJson } from '../protocol/try-parse-json.ts'
import type { CheckContext } from './context/check-context.ts'
import { judgeCodeFamily, judgeCodeFamilyIfSeen, WITH_REASON_CODES } from './evidence/judge-whole-transcript.ts'
import { expectOutcomeCode } from './evidence/outcome-reason-code.ts'
import { irisPayment, withMember } from './given/request-bodies.ts'

const ACTS = ['capture', 'cancel', 'refund'] as const
const WHOLE = 1000

/** Scenario with checks of the codes of refusals in the whole run: 409, 422 and 501 (7.2, 7.3, I4, R5). */
export const codesOfRefusals: CheckScenario<CheckContext, 'unsupported'> = {
  name: 'codes of refusals',
  tier: 3,
  play: (context, keep) => {
    const json = withMember(irisPayment(context), 'transactionType', 'RECURRING')
    return keep('unsupported', context.merchant.request('initiate', { json }))
  },
  checks: [
    {
      id: 'ERR-19',
      clause: '1, 7.1',
      title: 'an operation that the scheme lacks: 501',
      ...assumed('D-37'),
      control: 'VAL-02',
      judge: (evidence, expect) => {
        const unsupported = evidence.of('unsupported')
        if (isDecline(expect.profile, unsupported)) expectOutcomeCode([unsupported], '8003', expect)
        else expect.refused(unsupported, { status: 501, decidedBy: 'D-09', without: 'initiate.transactionId' })
      },
    },
    {
      id: 'ERR-04',
      clause: 'I4, 7.1',
      title: 'every 409 of the run is 3xxx, or 5xxx if it concerns a state',
      control: 'IDM-15',
      ...WITH_REASON_CODES,
      judge: (evidence, expect) => {
        const isAboutKey = isConflict(evidence)
        const isAct = (exchange: Exchange) => isKeyed(exchange) && !isAboutKey(exchange)
        judgeCodeFamily([409], ['3'], exchange => isKeyed(exchange) && isAboutKey(exchange))(evidence, expect)
        judgeCodeFamilyIfSeen([409], ['3', '5'], isAct)(evidence, expect)
      },
    },
    {
      id: 'ERR-05',
      clause: 'R5',
      title: 'every 422 of a lifecycle rule in the run is 5xxx',
      control: 'LIF-07',
      ...WITH_REASON_CODES,
      judge: (evidence, expect) =>
        judgeCodeFamily(
          [422],
          ['5'],
          exchange => isAboutLifecycle(expect.profile, exchange) && !sharesKey(evidence)(exchange),
        )(evidence, expect),
    },
    {
      id: 'ERR-09',
      clause: '7.1, 7.3',
      title: 'every 501 of the run is 8003',
      ...WITH_REASON_CODES,
      ...assumed('D-09'),
      control: 'ERR-19',
      exempt: profile => (choiceOf(profile, 'D-09') === '422' ? 'what the scheme lacks is 422 here (D-09)' : undefined),
      judge: judgeCodeFamily([501], ['8003']),
    },
  ],
}

const isKeyed = ({ request }: Exchange): boolean => isProviderOperation(request.endpoint)

/** Whether a 409 is about the key: it came earlier with another payload; else it may be about the state (7.1). */
const isConflict =
  (evidence: Pick<Evidence<never>, 'transcript'>) =>
  (exchange: Exchange): boolean =>
    earlierWithKey(evidence, exchange).some(
      it => endpointOf(it) === endpointOf(exchange) && textOf(it) !== textOf(exchange),
    )

/** Whether a call has the key of another operation: what a service makes of that is its own affair (I1). */
const sharesKey =
  (evidence: Pick<Evidence<never>, 'transcript'>) =>
  (exchange: Exchange): boolean =>
    earlierWithKey(evidence, exchange).some(it => endpointOf(it) !== endpointOf(exchange))

const earlierWithKey = ({ transcript }: Pick<Evidence<never>, 'transcript'>, exchange: Exchange): Exchange[] => {
  const key = keyOf(exchange)
  const earlier = transcript.slice(0, transcript.indexOf(exchange))
  return key === undefined ? [] : earlier.filter(it => keyOf(it) === key)
}

const keyOf = ({ request }: Exchange) => request.headers['idempotency-key']
const endpointOf = ({ request }: Exchange) => request.endpoint
const textOf = ({ request }: Exchange) => Buffer.from(request.body ?? []).toString('utf8')

/** How a code of a refusal may begin that tells of no lifecycle rule: of a decline, or of how the payment has ended (7.2, 7.3). */
const OF_DECLINE = /^[18]/
const OF_DECLINE_OR_END = /^([18]|200[01]$)/

/** Whether a 422 can only be about the lifecycle: no missing key, no amount of its own, no decline (S36, S44). */
const isAboutLifecycle = (profile: Profile, exchange: Exchange): boolean => {
  const act = ACTS.find(name => name === exchange.request.endpoint)
  const others = act === 'refund' ? OF_DECLINE : OF_DECLINE_OR_END
  if (act === undefined || !keyOf(exchange) || others.test(findRefusalCode(profile, exchange) ?? '')) return false
  const pointer = requestPointer(profile, act, 'paymentDetails.amount')
  const amount = amountOf(profile, valueAtPointer(tryParseJson(textOf(exchange)), pointer))
  return amount === undefined || amount === WHOLE
}

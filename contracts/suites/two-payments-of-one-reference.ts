import { type Exchange, isServed } from '../client/http-exchange.ts'
import type { CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { sameAsText } from '../harness/judge/compare-scalars.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectCategoryUnlessDeclined, expectPremise, expectServedByHand } from './evidence/expect-premise.ts'
import { findStep } from './evidence/expect-refused-or-declined.ts'
import { isReferenceKnown } from './evidence/expect-second-payment.ts'
import { isUnsupported } from './evidence/unsupported-operation.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import {
  AFTER_FINALIZE,
  letShopper,
  preparePayment,
  readTransactionId,
  waitForSettlement,
} from './given/create-payments.ts'
import { searchFor } from './given/harmless-calls.ts'
import { readStatusUntil, readUntil, showsCategory } from './given/read-until.ts'
import { FOUND_NEEDS, idsIn } from './grid/search-rows.ts'
import { isByHand } from './grid/signed-operation-columns.ts'

const PAID = ['authorized', 'captured', 'settled', 'refunded'] as const

type Step =
  | 'first'
  | 'second'
  | 'found'
  | 'any found'
  | `${'first' | 'second'} ${'status' | 'events'}`
  | 'finalize'
  | 'capture'
  | 'refund'
  | 'first before refund'
  | 'second at last'

const idOf = (evidence: Evidence<Step>, expect: Expect, step: 'first' | 'second'): string =>
  String(expect.field(evidence.of(step), 'initiate.transactionId'))

/** Whether a payment is paid for certain: a word may stand for earlier stages as well. */
const isPaid = (profile: Profile, status: Exchange): boolean =>
  showsCategory(profile, status, ...PAID) === true &&
  showsCategory(profile, status, 'waiting', 'authenticated') !== true

/** Whether there are two payments; a scheme may know the reference of the first, so that no second is made (C3). */
const areTwo = (evidence: Evidence<Step>, expect: Expect): boolean => {
  expectPremise(evidence.of('first'), 'the first payment', expect)
  if (isReferenceKnown(expect.profile, evidence.of('second'))) return false
  expectPremise(evidence.of('second'), 'the second payment', expect)
  return true
}

/** Throws Untestable unless a search without a reference has shown several payments: the body of a search is not shown (4). */
const ensureLongerPages = (evidence: Evidence<Step>, { profile }: Expect): void => {
  const search = evidence.of('any found')
  const list = findField(profile, search, 'search.list')
  if (isServed(search) && Array.isArray(list) && list.length > 1) return
  throw new Untestable(
    `each search has shown one payment: if pages hold one, ask for more by requests.always.search in ${profile.file}`,
    evidence.of('found'),
    'requests.always.search',
  )
}

/** Expects the events of two payments that are in different states to tell different ones. */
const expectOtherEvents = (evidence: Evidence<Step>, expect: Expect, waiting: unknown): void => {
  const [first, second] = [evidence.of('first events'), evidence.of('second events')]
  for (const read of [first, second]) expect.response(read)
  const [one, other] = [first, second].map(read => findField(expect.profile, read, 'events.state'))
  if (one === undefined || other === undefined) return
  if (sameAsText(one, other) && sameAsText(one, waiting)) expect.maybeLater(`an event list of a payment ${one}`, first)
  expect.differ('events of another state', [one, other], second)
}

/** Expects the acts on the first payment to be served; a refund only where the payment is seen to have settled (R1). */
const expectActs = (evidence: Evidence<Step>, expect: Expect): void => {
  const { profile } = expect
  const [finalize, capture, refund] = [evidence.of('finalize'), findStep(evidence, 'capture'), evidence.of('refund')]
  if (isUnsupported(profile, finalize)) expectPremise(finalize, 'finalize', expect)
  expect.served(finalize)
  const status = evidence.of('first status')
  expectCategoryUnlessDeclined(status, expect, ...PAID)
  if (capture && !isUnsupported(profile, capture) && !isServed(capture)) expectServedByHand(capture, status, expect)
  const before = evidence.of('first before refund')
  for (const call of [before, refund]) expect.response(call)
  const isSettled = showsCategory(profile, before, 'settled') && !showsCategory(profile, before, 'captured')
  if (isSettled && !isUnsupported(profile, refund)) expect.served(refund)
}

/** Scenario with checks of two payments of one clientTransactionId, of which the older is paid (2.1, 2.6). */
export const twoPaymentsOfOneReference: CheckScenario<CheckContext, Step> = {
  name: 'two payments of one reference',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const { merchant, profile } = context
    const json = await preparePayment(context, { autoCapture: !isByHand(context) })
    const { clientTransactionId } = json
    const first = await keep('first', merchant.request('initiate', { json }))
    const other = { ...(await preparePayment(context, { will: 'wait' })), clientTransactionId }
    const second = await keep('second', merchant.request('initiate', { json: other }))
    if (isReferenceKnown(profile, second)) return
    const ids = [readTransactionId(profile, first), readTransactionId(profile, second)] as const
    const showsBoth = (search: Exchange) => ids.every(id => search.response?.body.toString('utf8').includes(id))
    await keep(
      'found',
      readUntil(profile, () => searchFor(context, clientTransactionId), showsBoth, context),
    )
    await keep('any found', merchant.request('search', { json: {} }))
    const [mine, waiting] = [operationsOn(context, ids[0]), operationsOn(context, ids[1])]
    await letShopper(profile, context, first)
    await keep('finalize', mine.finalize())
    const status = await keep('first status', readStatusUntil(profile, context, ids[0], AFTER_FINALIZE))
    const another = findField(profile, await keep('second status', waiting.status()), 'status.state')
    const isAlike = sameAsText(findField(profile, status, 'status.state'), another)
    const isNews = (events: Exchange) => isAlike || !sameAsText(findField(profile, events, 'events.state'), another)
    await keep('first events', readUntil(profile, mine.events, isNews, context))
    await keep('second events', waiting.events())
    if (isByHand(context)) await keep('capture', mine.capture())
    await waitForSettlement(profile, context, ids[0])
    await keep('first before refund', mine.status())
    await keep('refund', mine.refund())
    await keep('second at last', waiting.status())
  },
  checks: [
    {
      id: 'RDS-20',
      clause: '2.1, 8',
      title: 'a search finds both payments of one clientTransactionId',
      control: 'RDS-09',
      needs: FOUND_NEEDS,
      judge: (evidence, expect) => {
        if (!areTwo(evidence, expect)) return
        const found = idsIn(evidence.of('found'), expect)
        const lost = (['first', 'second'] as const)
          .map(step => idOf(evidence, expect, step))
          .find(id => !found.includes(id))
        if (lost !== undefined && found.length === 1) ensureLongerPages(evidence, expect)
        if (lost !== undefined) expect.maybeLater(`no payment ${lost} in a search`, evidence.of('found'))
        expect.holds(lost === undefined, 'both payments', found, evidence.of('found'))
      },
    },
    {
      id: 'RDS-21',
      clause: '2.6, 4',
      title: 'status and events tell of the one of two payments of a reference that is asked for',
      control: 'LIF-01',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        if (!areTwo(evidence, expect)) return
        expectPremise(evidence.of('finalize'), 'finalize', expect)
        const [status, other] = [evidence.of('first status'), evidence.of('second status')]
        for (const read of [status, other]) expect.served(read)
        expectCategoryUnlessDeclined(status, expect, ...PAID)
        const [state, another] = [status, other].map(read => expect.field(read, 'status.state'))
        expect.holds(!isPaid(expect.profile, other), 'a payment that waits', another, other)
        if (!sameAsText(state, another)) expectOtherEvents(evidence, expect, another)
      },
    },
    {
      id: 'RDS-22',
      clause: '2.6, 4',
      title: 'acts move the one of two payments of a reference that they name',
      control: 'LIF-01',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        if (!areTwo(evidence, expect)) return
        expectActs(evidence, expect)
        const last = evidence.of('second at last')
        expect.served(last)
        expect.holds(!isPaid(expect.profile, last), 'a payment that waits', expect.field(last, 'status.state'), last)
      },
    },
  ],
}

import { type Exchange, isServed } from '../client/http-exchange.ts'
import type { CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectPremise } from './evidence/expect-premise.ts'
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
const ACTS = ['finalize', 'capture', 'refund'] as const

type Step =
  | 'first'
  | 'second'
  | 'found'
  | 'any found'
  | `${'first' | 'second'} ${'status' | 'events'}`
  | (typeof ACTS)[number]
  | 'second at last'

const idOf = (evidence: Evidence<Step>, expect: Expect, step: 'first' | 'second'): string =>
  String(expect.field(evidence.of(step), 'initiate.transactionId'))

const isPaid = (profile: Profile, status: Exchange): boolean => showsCategory(profile, status, ...PAID) === true

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
    await keep('first status', readStatusUntil(profile, context, ids[0], AFTER_FINALIZE))
    await keep('second status', waiting.status())
    await keep('first events', mine.events())
    await keep('second events', waiting.events())
    if (isByHand(context)) await keep('capture', mine.capture())
    await waitForSettlement(profile, context, ids[0])
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
        expect.inCategory(status, ...PAID)
        expect.holds(!isPaid(expect.profile, other), 'a payment that waits', expect.field(other, 'status.state'), other)
        const [events, others] = (['first events', 'second events'] as const).map(step =>
          findField(expect.profile, evidence.of(step), 'events.state'),
        )
        if (events !== undefined && others !== undefined)
          expect.differ('events of another state', [events, others], evidence.of('second events'))
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
        for (const act of ACTS) {
          const call = findStep(evidence, act)
          if (call && !isUnsupported(expect.profile, call)) expect.served(call)
        }
        const last = evidence.of('second at last')
        expect.served(last)
        expect.holds(!isPaid(expect.profile, last), 'a payment that waits', expect.field(last, 'status.state'), last)
      },
    },
  ],
}

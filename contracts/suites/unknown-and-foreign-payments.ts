import { type Exchange, isServed } from '../client/http-exchange.ts'
import { choiceOf } from '../dialect/decision-choices.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { withoutCallId } from '../harness/profile/response-fields-and-line-advice.ts'
import { ACTS, type Act, operationAddress } from '../operations.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectPremise } from './evidence/expect-premise.ts'
import { ensureIdFormJudged, expectNotFound } from './evidence/expect-unknown-payment.ts'
import { isUnsupported } from './evidence/unsupported-operation.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { unknownId } from './given/create-payments.ts'
import { readUnknownPayment } from './given/harmless-calls.ts'
import { readUntil } from './given/read-until.ts'
import { lackedOperation } from './grid/cell-judgments.ts'

/**
 * Scenario with checks of finalize, capture, cancel and refund of an unknown payment, and of one of the second
 * organization (7.1).
 */
export const operationsOnUnknownPayments: CheckScenario<
  CheckContext,
  `${Act} ${'unknown' | 'foreign' | 'by their account'}` | 'events unknown'
> = {
  name: 'acts on a payment that is not there, or not theirs',
  tier: 3,
  play: async (context, keep, chosen) => {
    for (const act of ACTS) await keep(`${act} unknown`, operationsOn(context, unknownId(context.profile))[act]())
    if (chosen.has('RDS-17')) await keep('events unknown', operationsOn(context, unknownId(context.profile)).events())
    if (!chosen.has('LIF-28')) return
    const { account } = await context.secondOrganization()
    const transactionId = await context.given.foreignPayment()
    for (const act of ACTS) await keep(`${act} foreign`, operationsOn(context, transactionId)[act]())
    for (const act of ACTS)
      await keep(`${act} by their account`, operationsOn({ ...context, account }, transactionId)[act]())
  },
  checks: [
    {
      id: 'LIF-27',
      clause: '7.1',
      title: 'finalize, capture, cancel and refund of an unknown payment: 404',
      tier: 2,
      control: 'MTLS-01',
      judge: (evidence, expect) => {
        for (const act of offeredActs(expect.profile, act => evidence.of(`${act} unknown`)))
          expectNotFound(evidence.of(`${act} unknown`), expect)
      },
    },
    {
      id: 'RDS-17',
      clause: '7.3',
      title: 'those responses, and that of events, have 4001',
      ...assumed('D-09'),
      tier: 2,
      control: 'LIF-27',
      judge: (evidence, expect) => {
        for (const call of [...offeredActs(expect.profile, act => evidence.of(`${act} unknown`)), 'events'] as const)
          expectNotFound(evidence.of(`${call} unknown`), expect, choiceOf(expect.profile, 'D-10'))
      },
    },
    {
      id: 'LIF-28',
      clause: '7.1',
      title: "finalize, capture, cancel and refund of another merchant's payment: 404",
      control: 'RDS-01',
      needs: ['secondOrganization', 'fields.initiate.transactionId'],
      judge: (evidence, expect) => {
        for (const act of offeredActs(expect.profile, act => evidence.of(`${act} foreign`))) {
          expect.refused(evidence.of(`${act} foreign`), { status: 404 })
          // The account is foreign too, so either error may be reported. A 422 would reveal the state of the payment.
          expect.refused(evidence.of(`${act} by their account`), { status: [400, 403, 404] })
        }
      },
    },
  ],
}

/** Returns the operations to judge: one that is lacked or unsupported may be refused before any payment is looked up (1, 7.1). */
const offeredActs = (profile: Profile, callOf: (act: Act) => Exchange) =>
  ACTS.filter(act => lackedOperation(profile, act) === undefined && !isUnsupported(profile, callOf(act)))

/** Ids with characters that a path has, or a query of a database. */
const ODD_IDS = ["it's", '../status', '%27%00', 'ą'] as const

/** Scenario with checks of status and events of an unknown payment (7.1). */
export const readsOfUnknownPayment: CheckScenario<CheckContext, 'status' | 'events' | (typeof ODD_IDS)[number]> = {
  name: 'reads of unknown payments',
  tier: 1,
  play: async (context, keep) => {
    const path = { transactionId: unknownId(context.profile) }
    await keep('status', readUnknownPayment(context))
    await keep('events', context.merchant.request('events', { path }))
    for (const id of ODD_IDS) await keep(id, context.merchant.request('status', { path: { transactionId: id } }))
  },
  checks: [
    {
      id: 'RDS-02',
      clause: '7.1',
      title: 'the status of an unknown id: 404',
      control: 'MTLS-01',
      judge: (evidence, expect) => expectNotFound(evidence.of('status'), expect),
    },
    {
      id: 'RDS-18',
      clause: '7.1',
      title: 'an id of an odd shape is refused, and no failure of the service',
      control: 'MTLS-01',
      judge: (evidence, expect) => {
        for (const id of ODD_IDS) expect.refused(evidence.of(id))
      },
    },
    {
      id: 'RDS-03',
      clause: '7.3',
      title: 'that response has 4001',
      ...assumed('D-09'),
      control: 'MTLS-01',
      judge: (evidence, expect) => expectNotFound(evidence.of('status'), expect, choiceOf(expect.profile, 'D-10')),
    },
    {
      id: 'RDS-06',
      clause: '4, 6',
      title: 'the events of an unknown id: 404',
      control: 'MTLS-01',
      judge: (evidence, expect) => expectNotFound(evidence.of('events'), expect),
    },
  ],
}

/** Scenario with checks that the status of another organization's payment equals that of an unknown one (7.1, D-08). */
export const readsOfForeignPayment: CheckScenario<CheckContext, 'own' | 'foreign' | 'foreign events' | 'unknown'> = {
  name: "reading another merchant's payment",
  tier: 3,
  needs: ['secondOrganization', 'fields.initiate.transactionId'],
  play: async (context, keep) => {
    const transactionId = await context.given.foreignPayment()
    const { merchant } = await context.secondOrganization()
    const readOwn = () => merchant.request('status', { path: { transactionId } })
    await keep('own', readUntil(context.profile, readOwn, isServed, context))
    await keep('foreign', context.merchant.request('status', { path: { transactionId } }))
    await keep('foreign events', context.merchant.request('events', { path: { transactionId } }))
    await keep('unknown', readUnknownPayment(context))
  },
  checks: [
    {
      id: 'RDS-04',
      clause: '7.1',
      title: "status and events of another merchant's payment: 404",
      control: 'RDS-01',
      judge: (evidence, expect) => {
        expectPremise(evidence.of('own'), 'its own reading', expect)
        for (const read of ['foreign', 'foreign events'] as const) expect.refused(evidence.of(read), { status: 404 })
      },
    },
    {
      id: 'RDS-05',
      clause: '7.1',
      title: 'an unknown id and a foreign one cannot be distinguished',
      ...assumed('D-08'),
      control: 'RDS-01',
      judge: (evidence, expect) => {
        const [theirs, nobodys] = [evidence.of('foreign'), evidence.of('unknown')]
        ensureIdFormJudged(nobodys, expect)
        const [status, usual] = [theirs, nobodys].map(it => expect.response(it).status)
        if (status !== usual) expect.refused(theirs, { core: true })
        const [told, usually] = [theirs, nobodys].map(it => expect.describeJudged(it))
        expect.equal('status', told, usually, theirs)
        if (expect.profile.errors?.callId !== undefined)
          expect.agreesWith('body', bodyOf(theirs, expect), bodyOf(nobodys, expect), theirs)
      },
    },
  ],
}

const RANDOM = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)?/g

/** Returns the id that a status call asked for, at its place in the address of this deployment. */
const askedId = ({ request: { url } }: Exchange, { paths }: Profile): string => {
  const [before = '', after = ''] = operationAddress('status', paths).path.split('{transactionId}')
  const asked = url.slice(0, url.length - after.length)
  return decodeURIComponent(asked.slice(asked.lastIndexOf(before) + before.length))
}

/** Returns the body of a read, without what differs from call to call: the call id, the id asked for, UUIDs and times. */
const bodyOf = (read: Exchange, { profile }: Expect): unknown => {
  const text = JSON.stringify(withoutCallId(profile, read)) ?? 'null'
  return JSON.parse(text.replaceAll(askedId(read, profile), '#').replace(RANDOM, '#').replace(TIME, '#'))
}

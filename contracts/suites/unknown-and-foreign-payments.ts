import type { Exchange } from '../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import { hasCapability } from '../harness/profile/missing-capability-reason.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { withoutCallId } from '../harness/profile/response-fields.ts'
import { PAYMENT_NEEDS } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { ensureIdFormJudged, expectNotFound } from './evidence/expect-unknown-payment.ts'
import { readUnknownPayment } from './given/harmless-calls.ts'
import { operationsOn } from './given/payment-operations.ts'
import { unknownId } from './given/payments.ts'

const OPERATIONS = ['capture', 'cancel', 'refund'] as const

/** The operations on a payment that are offered: without capture by hand there is nothing to capture or cancel. */
const offered = (profile: Profile) =>
  OPERATIONS.filter(act => act === 'refund' || hasCapability(profile, 'manualCapture'))

/** Checks of capture, cancel and refund of an unknown payment, and of one of the second organization (7.1). */
export const operationsOnUnknownPayments: CheckScenario<
  CheckContext,
  `${(typeof OPERATIONS)[number]} ${'unknown' | 'foreign' | 'by their account'}`
> = {
  name: 'acts on a payment that is not there, or not theirs',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep, chosen) => {
    for (const act of offered(context.profile))
      await keep(`${act} unknown`, operationsOn(context, unknownId(context.profile))[act]())
    if (!chosen.has('LIF-28')) return
    const { account } = await context.secondOrganization()
    const transactionId = await context.given.foreignPayment()
    for (const act of offered(context.profile))
      await keep(`${act} foreign`, operationsOn(context, transactionId)[act]())
    for (const act of offered(context.profile))
      await keep(`${act} by their account`, operationsOn({ ...context, account }, transactionId)[act]())
  },
  checks: [
    {
      id: 'LIF-27',
      clause: '7.1',
      title: 'capture, cancel and refund of an unknown payment: 404',
      tier: 2,
      control: 'LIF-08',
      judge: (evidence, expect) => {
        for (const act of offered(expect.profile)) expectNotFound(evidence.of(`${act} unknown`), expect)
      },
    },
    {
      id: 'LIF-28',
      clause: '7.1',
      title: "capture, cancel and refund of another merchant's payment: 404",
      control: 'LIF-08',
      needs: ['secondOrganization'],
      judge: (evidence, expect) => {
        for (const act of offered(expect.profile)) {
          expect.refused(evidence.of(`${act} foreign`), { status: 404 })
          // The account is foreign too, so either error may be reported. A 422 would reveal the state of the payment.
          expect.refused(evidence.of(`${act} by their account`), { status: [400, 403, 404] })
        }
      },
    },
  ],
}

/** Checks of status and events of an unknown payment (7.1). */
export const readsOfUnknownPayment: CheckScenario<CheckContext, 'status' | 'events'> = {
  name: 'reads of unknown payments',
  tier: 1,
  play: async (context, keep) => {
    const path = { transactionId: unknownId(context.profile) }
    await keep('status', readUnknownPayment(context))
    await keep('events', context.merchant.request('events', { path }))
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
      id: 'RDS-03',
      clause: '7.3',
      title: 'that response has 4001',
      ...assumed('D-09'),
      control: 'MTLS-01',
      judge: (evidence, expect) => expectNotFound(evidence.of('status'), expect, '4001'),
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

/** Checks that the status of another organization's payment equals that of an unknown one (7.1, D-08). */
export const readsOfForeignPayment: CheckScenario<CheckContext, 'own' | 'foreign' | 'unknown'> = {
  name: "reading another merchant's payment",
  tier: 3,
  needs: ['control.url', 'secondOrganization'],
  play: async (context, keep) => {
    const transactionId = await context.given.foreignPayment()
    const { merchant } = await context.secondOrganization()
    await keep('own', merchant.request('status', { path: { transactionId } }))
    await keep('foreign', context.merchant.request('status', { path: { transactionId } }))
    await keep('unknown', readUnknownPayment(context))
  },
  checks: [
    {
      id: 'RDS-04',
      clause: '7.1',
      title: "the status of another merchant's payment: 404",
      control: 'RDS-01',
      judge: (evidence, expect) => {
        expect.served(evidence.of('own'))
        expect.refused(evidence.of('foreign'), { status: 404 })
      },
    },
    {
      id: 'RDS-05',
      clause: '7.1',
      title: 'an unknown id and a foreign one cannot be distinguished',
      ...assumed('D-08'),
      control: 'RDS-01',
      needs: ['errors.callId'],
      judge: (evidence, expect) => {
        const bare = (exchange: Exchange) => withoutCallId(expect.profile, exchange)
        const [theirs, nobodys] = [evidence.of('foreign'), evidence.of('unknown')]
        ensureIdFormJudged(nobodys, expect)
        const [status, usual] = [theirs, nobodys].map(it => expect.response(it).status)
        expect.equal('status', status, usual, theirs)
        expect.agreesWith('body', bare(theirs), bare(nobodys), theirs)
      },
    },
  ],
}

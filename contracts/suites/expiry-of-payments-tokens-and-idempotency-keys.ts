import { randomUUID } from 'node:crypto'
import { assumed, type Check, type CheckScenario } from '../harness/judge/check.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { fetchToken } from './given/harmless-calls.ts'
import { operationsOn } from './given/payment-operations.ts'
import { initiate, readTransactionId } from './given/payments.ts'
import { repeatCall } from './given/repeat-call.ts'
import { blikPayment, irisPayment } from './given/request-bodies.ts'

const NEEDS = ['control.url', 'secondOrganization.create', 'fields.initiate.transactionId']

type Step =
  | 'blik at 44 s'
  | 'blik after 45 s'
  | 'old code'
  | 'iris at 29 min'
  | 'iris after 30 min'
  | 'key first'
  | 'key at 23 h 59 min'
  | 'key after 24 h'
  | 'token just short'
  | 'token too old'

/** Checks that BLIK and IRIS payments, access tokens and idempotency keys expire on time, not before (8, R6, R7). */
export const expiryOfPaymentsTokensAndIdempotencyKeys: CheckScenario<CheckContext, Step> = {
  name: 'limits in time',
  tier: 3,
  needs: NEEDS,
  play: async (context, keep) => {
    const organization = await context.organizationForTime()
    const { merchant, clock, control, account } = organization
    const start = async () =>
      readTransactionId(context.profile, await initiate(organization, { method: 'BLIK', autoCapture: false }))

    const early = await start()
    await clock.pass('PT44S')
    await control.tryShopper(early, 'approve')
    await operationsOn(organization, early).finalize()
    await keep('blik at 44 s', operationsOn(organization, early).status())
    const late = await start()
    await clock.pass('PT46S')
    await keep('blik after 45 s', operationsOn(organization, late).status())
    const code = await control.oneTimeCode()
    await clock.pass('PT121S')
    await keep('old code', merchant.request('initiate', { json: blikPayment(account, code) }))

    const iris = readTransactionId(context.profile, await merchant.request('initiate', { json: irisPayment(account) }))
    await clock.pass('PT29M', { within: 'PT50S' })
    await keep('iris at 29 min', operationsOn(organization, iris).status())
    await clock.pass('PT61S')
    await keep('iris after 30 min', operationsOn(organization, iris).status())

    const bearer = await fetchToken(organization)
    await clock.pass('PT1H59M50S', { within: 'PT9S' })
    await keep('token just short', merchant.request('status', { path: { transactionId: early } }, bearer))
    await clock.pass('PT11S')
    await keep('token too old', merchant.request('status', { path: { transactionId: early } }, bearer))

    const keyed = { json: irisPayment(account), idempotencyKey: randomUUID() }
    const first = await keep('key first', merchant.request('initiate', keyed, await fetchToken(organization)))
    await clock.pass('PT23H59M', { within: 'PT50S' })
    await keep('key at 23 h 59 min', merchant.request('initiate', repeatCall(first), await fetchToken(organization)))
    await clock.pass('PT2M')
    await keep('key after 24 h', merchant.request('initiate', repeatCall(first), await fetchToken(organization)))
  },
  checks: [
    stage('BLK-05', 'R6', 'a confirmation at 44 s still counts', 'blik at 44 s', 'authorized'),
    reason('BLK-03', 'R6, 7.5', 'a shopper silent for more than 45 s: 2000', 'blik after 45 s', '2000'),
    {
      id: 'BLK-04',
      clause: 'R6, 7.5',
      title: 'a code older than 120 s: 4000',
      control: 'VAL-01',
      needs: ['fields.initiate.reasonCode'],
      judge: (evidence, expect) => {
        expect.code(evidence.of('old code'), 'initiate.reasonCode', '4000')
      },
    },
    stage('IRS-07', 'R7', 'an untouched request is alive at 29 minutes', 'iris at 29 min', 'waiting'),
    reason('IRS-03', 'R7, 7.5', 'an untouched request dies after 30 minutes: 2000', 'iris after 30 min', '2000'),
    {
      id: 'TOK-19',
      clause: '8',
      title: 'a token just short of 7200 s still works',
      control: 'TOK-01',
      judge: (evidence, expect) => expect.served(evidence.of('token just short')),
    },
    {
      id: 'TOK-18',
      clause: '7.3, 8',
      title: 'a token past 7200 s: 401 and 4061',
      control: 'TOK-19',
      judge: (evidence, expect) => expect.refused(evidence.of('token too old'), { status: 401, code: '4061' }),
    },
    {
      id: 'IDM-22',
      clause: '8',
      title: 'a key 23 h 59 min old still replays',
      control: 'IDM-08',
      judge: (evidence, expect) => {
        expect.served(evidence.of('key at 23 h 59 min'))
        const [first, again] = [evidence.of('key first'), evidence.of('key at 23 h 59 min')]
        const id = expect.field(first, 'initiate.transactionId')
        expect.equal('transactionId', expect.field(again, 'initiate.transactionId'), id, again)
      },
    },
    {
      id: 'IDM-23',
      clause: '8',
      title: 'a key more than 24 h old is new',
      ...assumed('D-21'),
      control: 'IDM-22',
      judge: (evidence, expect) => {
        const [first, later] = [evidence.of('key first'), evidence.of('key after 24 h')]
        expect.served(later)
        const [one, two] = [first, later].map(exchange => expect.field(exchange, 'initiate.transactionId'))
        expect.holds(one !== two, 'another transactionId', `${two} again`, later)
      },
    },
  ],
}

function stage(id: string, clause: string, title: string, step: Step, category: string): Check<Step> {
  return {
    id,
    clause,
    title,
    control: 'LIF-01',
    ...WITH_STATES,
    judge: (evidence, expect) => expect.inCategory(evidence.of(step), category),
  }
}

function reason(id: string, clause: string, title: string, step: Step, expected: string): Check<Step> {
  return {
    id,
    clause,
    title,
    control: 'LIF-01',
    needs: ['fields.status.reasonCode'],
    judge: (evidence, expect) => {
      expect.served(evidence.of(step))
      expect.equal(
        'reasonCode',
        String(expect.field(evidence.of(step), 'status.reasonCode')),
        expected,
        evidence.of(step),
      )
    },
  }
}

import { randomUUID } from 'node:crypto'
import { type Exchange, responseJson } from '../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { commonJson } from '../harness/judge/compare-shared-json-members.ts'
import { Inconclusive } from '../harness/judge/verdict-errors.ts'
import type { OperationName } from '../operations.ts'
import type { CheckContext } from './context/check-context.ts'
import { initiate, readTransactionId } from './given/payments.ts'

type Step = 'initiated' | 'status' | 'again' | 'events' | 'events again' | 'keyed' | 'keyed events'

/** Checks of status and events of a payment, read with and without Idempotency-Key (4, 6, E1). */
export const statusAndEvents: CheckScenario<CheckContext, Step> = {
  name: 'reading a payment',
  tier: 3,
  needs: ['control.url'],
  play: async (context, keep) => {
    const transactionId = readTransactionId(context.profile, await keep('initiated', initiate(context)))
    const read = (endpoint: OperationName, id: string, idempotencyKey?: string) =>
      context.merchant.request(endpoint, { path: { transactionId: id }, ...(idempotencyKey && keyed(idempotencyKey)) })
    await keep('status', read('status', transactionId))
    await keep('events', read('events', transactionId))
    await keep('again', read('status', transactionId))
    await keep('events again', read('events', transactionId))
    const key = randomUUID()
    const other = await context.given.payment()
    await read('status', other, key)
    await keep('keyed', read('status', transactionId, key))
    await read('events', other, key)
    await keep('keyed events', read('events', transactionId, key))
  },
  checks: [
    {
      id: 'RDS-01',
      clause: '4',
      title: 'the status of a known payment: 200',
      judge: (evidence, expect) => expect.served(evidence.of('again')),
    },
    {
      id: 'RDS-08',
      clause: '4',
      title: 'the status can be read at once after initiate',
      ...assumed('D-51'),
      judge: (evidence, expect) => expect.served(evidence.of('status')),
    },
    {
      id: 'RDS-13',
      clause: '4',
      title: 'reading adds no event',
      ...assumed('D-51'),
      control: 'RDS-01',
      needs: ['fields.events.list'],
      judge: (evidence, expect) => {
        const [before, after] = [evidence.of('events'), evidence.of('events again')]
        expect.agreesWith('events', expect.field(after, 'events.list'), expect.field(before, 'events.list'), after)
      },
    },
    {
      id: 'RDS-14',
      clause: '4, 6',
      title: 'events and status agree on the state',
      ...assumed('D-04'),
      control: 'RDS-01',
      needs: ['fields.status.state', 'fields.events.state'],
      judge: (evidence, expect) => {
        const state = expect.field(evidence.of('again'), 'status.state')
        expect.equalText(
          'state',
          expect.field(evidence.of('events again'), 'events.state'),
          state,
          evidence.of('events again'),
        )
      },
    },
    {
      id: 'IDM-26',
      clause: 'E1',
      title: 'status takes no notice of Idempotency-Key',
      control: 'RDS-01',
      judge: (evidence, expect) =>
        expectSamePayment(evidence.of('keyed'), [evidence.of('status'), evidence.of('again')], expect),
    },
    {
      id: 'IDM-27',
      clause: 'E1',
      title: 'events takes no notice of Idempotency-Key',
      control: 'RDS-01',
      judge: (evidence, expect) =>
        expectSamePayment(evidence.of('keyed events'), [evidence.of('events'), evidence.of('events again')], expect),
    },
  ],
}

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

/** Expects a read with a key to equal two plain reads, in the members that those have in common (E1). */
const expectSamePayment = (keyedRead: Exchange, plain: readonly [Exchange, Exchange], expect: Expect): void => {
  expect.served(keyedRead)
  const lost = plain.find(read => expect.response(read).status >= 300)
  if (lost) throw new Inconclusive('a read without a key was not served', lost)
  const [one, other] = plain
  const shared = commonJson(responseJson(one), responseJson(other))
  if (!shared || Object.keys(shared).length === 0)
    throw new Inconclusive('two reads without a key tell nothing alike', other)
  expect.agreesWith('body', responseJson(keyedRead), shared, keyedRead)
}

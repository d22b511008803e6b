import { randomUUID } from 'node:crypto'
import { type Exchange, isServed } from '../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { OperationName } from '../operations.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectKeyIgnored } from './evidence/expect-key-ignored.ts'
import { expectPremise } from './evidence/expect-premise.ts'
import { showsId } from './evidence/shows-id.ts'
import { initiate, readTransactionId } from './given/create-payments.ts'
import { readUntil } from './given/read-until.ts'

type Step =
  | 'initiated'
  | 'status'
  | 'again'
  | 'events'
  | 'events again'
  | 'events at last'
  | 'at once'
  | 'other at once'
  | 'keyed other'
  | 'keyed'
  | 'after keyed'
  | 'keyed events of other'
  | 'keyed events'
  | 'after keyed events'

/**
 * Scenario with checks of status and events of a payment that waits for its shopper, read with and without
 * Idempotency-Key (4, 6, E1).
 */
export const statusAndEvents: CheckScenario<CheckContext, Step> = {
  name: 'reading a payment',
  tier: 3,
  needs: ['fields.initiate.transactionId'],
  play: async (context, keep) => {
    const transactionId = readTransactionId(
      context.profile,
      await keep('initiated', initiate(context, { will: 'wait' })),
    )
    const read = (endpoint: OperationName, id: string, idempotencyKey?: string) =>
      context.merchant.request(endpoint, { path: { transactionId: id }, ...(idempotencyKey && keyed(idempotencyKey)) })
    await keep('status', read('status', transactionId))
    await keep(
      'events',
      readUntil(context.profile, () => read('events', transactionId), isServed, context),
    )
    await keep(
      'again',
      readUntil(context.profile, () => read('status', transactionId), isServed, context),
    )
    await keep('events again', read('events', transactionId))
    await keep('events at last', read('events', transactionId))
    const key = randomUUID()
    const other = await context.given.payment()
    const atOnce = await Promise.all([read('status', transactionId), read('status', other)])
    await keep('at once', Promise.resolve(atOnce[0]))
    await keep('other at once', Promise.resolve(atOnce[1]))
    await keep('keyed other', read('status', other, key))
    await keep('keyed', read('status', transactionId, key))
    await keep('after keyed', read('status', transactionId))
    await keep('keyed events of other', read('events', other, key))
    await keep('keyed events', read('events', transactionId, key))
    await keep('after keyed events', read('events', transactionId))
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
        const reads = (['events', 'events again', 'events at last'] as const).map(evidence.of)
        expectNoGrowth(reads, expect)
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
        const states = [evidence.of('status'), evidence.of('again')].map(read => stateOf(read, 'status.state', expect))
        const events = evidence.of('events')
        const state = stateOf(events, 'events.state', expect)
        expect.holds(states.includes(state), `the state ${states.join(' or ')}`, state, events)
      },
    },
    {
      id: 'RDS-19',
      clause: '2.6, 4',
      title: 'of two reads at the same instant neither tells of the payment of the other',
      control: 'RDS-01',
      judge: (evidence, expect) => {
        const id = String(expect.field(evidence.of('initiated'), 'initiate.transactionId'))
        const [alone, own, other] = [evidence.of('again'), evidence.of('at once'), evidence.of('other at once')]
        expectPremise(alone, 'the read alone', expect)
        for (const read of [own, other]) expect.served(read)
        expect.holds(showsId(own, id) === showsId(alone, id), `the payment ${id}`, 'another payment', own)
        expect.holds(!showsId(other, id), 'nothing of the other payment', id, other)
      },
    },
    {
      id: 'IDM-26',
      clause: 'E1',
      title: 'status takes no notice of Idempotency-Key',
      control: 'RDS-01',
      judge: (evidence, expect) => {
        const plain = [evidence.of('again'), evidence.of('after keyed')] as const
        expectKeyIgnored(evidence.of('keyed'), { earlier: evidence.of('keyed other'), plain }, expect)
      },
    },
    {
      id: 'IDM-27',
      clause: 'E1',
      title: 'events takes no notice of Idempotency-Key',
      control: 'RDS-01',
      judge: (evidence, expect) => {
        const plain = [evidence.of('events at last'), evidence.of('after keyed events')] as const
        expectKeyIgnored(evidence.of('keyed events'), { earlier: evidence.of('keyed events of other'), plain }, expect)
      },
    },
  ],
}

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

/** Returns the state of a payment as the category that the profile lists it under, else as the word itself. */
const stateOf = (read: Exchange, field: string, { field: fieldOf, profile }: Expect): string => {
  const word = String(fieldOf(read, field))
  return Object.entries(profile.states ?? {}).find(([, words]) => words.includes(word))?.[0] ?? word
}

/** Expects lists of events that do not grow with each read; what happens to the payment meanwhile may add one. */
const expectNoGrowth = (reads: readonly Exchange[], expect: Expect): void => {
  const lists = reads.map(read => expect.field(read, 'events.list'))
  const counts = lists.map(list => (Array.isArray(list) ? list.length : 0))
  const quiet = counts.findIndex((count, index) => count === counts[index + 1])
  expect.holds(quiet >= 0, 'a list of events that reading does not change', `${counts.join(', ')} events`, reads.at(-1))
}

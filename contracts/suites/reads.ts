import { randomUUID } from 'node:crypto'
import type { EndpointName } from '../client/endpoints.ts'
import { type Exchange, jsonOf } from '../client/exchange.ts'
import { alike } from '../harness/agree.ts'
import type { Journey } from '../harness/check.ts'
import type { Expect } from '../harness/expect.ts'
import { Inconclusive } from '../harness/signals.ts'
import { withoutCallId } from '../harness/slots.ts'
import { formIsRight, initiate, isNotThere, transactionIdOf, unknownId } from './given.ts'
import { readStatus, readUnknown } from './vehicles.ts'
import type { World } from './world.ts'

type Step = 'initiated' | 'status' | 'again' | 'events' | 'events again' | 'keyed' | 'keyed events'

/** The reads; `RDS` of the catalogue, and what the idempotency section says of reads (E1). */
const reading: Journey<World, Step> = {
  name: 'reading a payment',
  tier: 3,
  needs: ['control.url'],
  play: async (world, keep) => {
    const transactionId = transactionIdOf(world.profile, await keep('initiated', initiate(world)))
    const read = (endpoint: EndpointName, id: string, idempotencyKey?: string) =>
      world.merchant.request(endpoint, { path: { transactionId: id }, ...(idempotencyKey && keyed(idempotencyKey)) })
    await keep('status', read('status', transactionId))
    await keep('events', read('events', transactionId))
    await keep('again', read('status', transactionId))
    await keep('events again', read('events', transactionId))
    const key = randomUUID()
    const other = await world.given.payment()
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
      basis: 'assumed',
      decisions: ['D-51'],
      judge: (evidence, expect) => expect.served(evidence.of('status')),
    },
    {
      id: 'RDS-13',
      clause: '4',
      title: 'reading adds no event',
      basis: 'assumed',
      decisions: ['D-51'],
      control: 'RDS-01',
      needs: ['fields.events.list'],
      judge: (evidence, expect) => {
        const [before, after] = [evidence.of('events'), evidence.of('events again')]
        expect.agrees('events', expect.field(after, 'events.list'), expect.field(before, 'events.list'), after)
      },
    },
    {
      id: 'RDS-14',
      clause: '4, 6',
      title: 'events and status agree on the state',
      basis: 'assumed',
      decisions: ['D-04'],
      control: 'RDS-01',
      needs: ['fields.status.state', 'fields.events.state'],
      judge: (evidence, expect) => {
        const state = expect.field(evidence.of('again'), 'status.state')
        expect.equal(
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
        samePayment(evidence.of('keyed'), [evidence.of('status'), evidence.of('again')], expect),
    },
    {
      id: 'IDM-27',
      clause: 'E1',
      title: 'events takes no notice of Idempotency-Key',
      control: 'RDS-01',
      judge: (evidence, expect) =>
        samePayment(evidence.of('keyed events'), [evidence.of('events'), evidence.of('events again')], expect),
    },
  ],
}

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

/** What two reads of a payment tell alike is told by one with a key as well; what differs from read to read may differ. */
const samePayment = (keyedRead: Exchange, plain: readonly [Exchange, Exchange], expect: Expect): void => {
  expect.served(keyedRead)
  const lost = plain.find(read => expect.answered(read).status >= 300)
  if (lost) throw new Inconclusive('a read without a key was not served', lost)
  const [one, other] = plain
  const told = alike(jsonOf(one), jsonOf(other))
  if (!told || Object.keys(told).length === 0)
    throw new Inconclusive('two reads without a key tell nothing alike', other)
  expect.agrees('body', jsonOf(keyedRead), told, keyedRead)
}

/** Ids that nobody has ever seen: a read of nothing changes nothing. */
const nothing: Journey<World, 'status' | 'events'> = {
  name: 'reading what is not there',
  tier: 1,
  play: async (world, keep) => {
    const path = { transactionId: unknownId(world.profile) }
    await keep('status', readUnknown(world))
    await keep('events', world.merchant.request('events', { path }))
  },
  checks: [
    {
      id: 'RDS-02',
      clause: '7.1',
      title: 'the status of an unknown id: 404',
      control: 'MTLS-01',
      judge: (evidence, expect) => isNotThere(evidence.of('status'), expect),
    },
    {
      id: 'RDS-03',
      clause: '7.3',
      title: 'that answer carries 4001',
      basis: 'assumed',
      decisions: ['D-09'],
      control: 'MTLS-01',
      judge: (evidence, expect) => isNotThere(evidence.of('status'), expect, '4001'),
    },
    {
      id: 'RDS-06',
      clause: '4, 6',
      title: 'the events of an unknown id: 404',
      control: 'MTLS-01',
      judge: (evidence, expect) => isNotThere(evidence.of('events'), expect),
    },
  ],
}

const foreign: Journey<World, 'own' | 'foreign' | 'unknown'> = {
  name: "reading another merchant's payment",
  tier: 3,
  needs: ['control.url', 'secondOrganization'],
  play: async (world, keep) => {
    const transactionId = await world.given.foreignPayment()
    const { merchant } = await world.second()
    await keep('own', merchant.request('status', { path: { transactionId } }))
    await keep('foreign', world.merchant.request('status', { path: { transactionId } }))
    await keep('unknown', readUnknown(world))
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
      title: 'an unknown id and a foreign one cannot be told apart',
      basis: 'assumed',
      decisions: ['D-08'],
      control: 'RDS-01',
      needs: ['errors.callId'],
      judge: (evidence, expect) => {
        const bare = (exchange: Exchange) => withoutCallId(expect.profile, exchange)
        const [theirs, nobodys] = [evidence.of('foreign'), evidence.of('unknown')]
        formIsRight(nobodys, expect)
        const [status, usual] = [theirs, nobodys].map(it => expect.answered(it).status)
        expect.equal('status', status, usual, theirs)
        expect.agrees('body', bare(theirs), bare(nobodys), theirs)
      },
    },
  ],
}

const scope: Journey<World, 'read' | 'process'> = {
  name: 'scopes of a read',
  tier: 1,
  play: async (world, keep) => {
    await keep('read', readStatus(world, {}, 'payments:read'))
    await keep('process', readStatus(world, {}, 'payments:process'))
  },
  checks: [
    {
      id: 'SCP-08',
      clause: '5.3',
      title: 'payments:read is enough for status',
      judge: (evidence, expect) => expect.served(evidence.of('read')),
    },
    {
      id: 'SCP-07',
      clause: '5.3',
      title: 'status with a token that was asked for payments:process only',
      basis: 'assumed',
      observes: true,
      judge: (evidence, expect) => expect.told(evidence.of('process')),
    },
  ],
}

export const reads = [nothing, reading, foreign, scope]

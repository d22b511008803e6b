import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/exchange.ts'
import { nowSeconds } from '../client/real-time.ts'
import type { Journey } from '../harness/check.ts'
import type { Expect } from '../harness/expect.ts'
import { withoutCallId } from '../harness/slots.ts'
import { edit, irisPayment } from './bodies.ts'
import { NEEDS } from './stages.ts'
import type { World } from './world.ts'

/** A replay gives back what the first call gave: the same status and the same meaning (I3), be it under a new call id. */
export const isReplay = (replay: Exchange, first: Exchange, expect: Expect): void => {
  expect.served(first)
  expect.holds(
    replay.answer?.status === first.answer?.status,
    `HTTP ${first.answer?.status}`,
    expect.told(replay),
    replay,
  )
  const bare = (exchange: Exchange) => withoutCallId(expect.profile, exchange)
  expect.equal('body', bare(replay), bare(first), replay)
}

const idOf = (exchange: Exchange, expect: Expect) => expect.field(exchange, 'initiate.transactionId')

type Step = 'first' | 'replay' | 'signed anew' | 'conflict' | 'afterwards' | 'fresh' | 'spaced' | 'not a uuid'

const initiating: Journey<World, Step> = {
  name: 'one key, initiate sent again',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep) => {
    const json = irisPayment(world.account)
    const send = (idempotencyKey: string, body: unknown = json) =>
      world.merchant.request('initiate', { json: body, idempotencyKey })
    const key = randomUUID()
    await keep('first', send(key))
    await keep('replay', send(key))
    const created = nowSeconds() - 5
    await keep(
      'signed anew',
      world.merchant.request('initiate', { json, idempotencyKey: key }, { signing: { created } }),
    )
    await keep('conflict', send(key, edit(json, 'paymentDetails.amount', 2000)))
    await keep('afterwards', send(key))
    await keep('fresh', send(randomUUID()))
    await keep('spaced', world.merchant.request('initiate', { json, indent: 2, idempotencyKey: key }))
    await keep('not a uuid', send(`order/${randomUUID()}/attempt-1`))
  },
  checks: [
    {
      id: 'IDM-08',
      clause: 'I3',
      title: 'initiate replayed gives back the same transactionId',
      control: 'VAL-02',
      judge: (evidence, expect) => {
        expect.served(evidence.of('replay'))
        expect.equal(
          'transactionId',
          idOf(evidence.of('replay'), expect),
          idOf(evidence.of('first'), expect),
          evidence.of('replay'),
        )
      },
    },
    {
      id: 'IDM-09',
      clause: 'I3',
      title: 'status and meaning of the replay equal those of the original',
      control: 'VAL-02',
      judge: (evidence, expect) => isReplay(evidence.of('replay'), evidence.of('first'), expect),
    },
    {
      id: 'IDM-29',
      clause: 'I3, 7.4',
      title: 'a replay signed anew is the same payload',
      control: 'IDM-08',
      judge: (evidence, expect) => isReplay(evidence.of('signed anew'), evidence.of('first'), expect),
    },
    {
      id: 'IDM-15',
      clause: 'I4, 7.4.5',
      title: 'initiate, same key and another amount: 409',
      control: 'VAL-02',
      judge: (evidence, expect) => expect.refused(evidence.of('conflict'), { status: 409 }),
    },
    {
      id: 'IDM-16',
      clause: 'I4',
      title: 'that 409 carries a 3xxx code',
      control: 'IDM-15',
      judge: (evidence, expect) => expect.refused(evidence.of('conflict'), { status: 409, code: '3' }),
    },
    {
      id: 'IDM-19',
      clause: 'I4',
      title: 'a conflict leaves the first payment untouched',
      control: 'IDM-08',
      judge: (evidence, expect) => isReplay(evidence.of('afterwards'), evidence.of('first'), expect),
    },
    {
      id: 'IDM-20',
      clause: 'I4',
      title: 'the conflict tells nothing of the first payload',
      basis: 'assumed',
      decisions: ['D-08'],
      control: 'IDM-15',
      judge: (evidence, expect) => {
        const id = String(idOf(evidence.of('first'), expect))
        const text = expect.answered(evidence.of('conflict')).body.toString('utf8')
        expect.holds(!text.includes(id), 'nothing of the first payment', `its id ${id}`, evidence.of('conflict'))
      },
    },
    {
      id: 'IDM-21',
      clause: '2.1, I2',
      title: 'a fresh key with the same body makes a second payment',
      control: 'VAL-02',
      judge: (evidence, expect) => {
        expect.served(evidence.of('fresh'))
        const [one, two] = [idOf(evidence.of('first'), expect), idOf(evidence.of('fresh'), expect)]
        expect.holds(one !== two, 'another transactionId', `${two} again`, evidence.of('fresh'))
      },
    },
    {
      id: 'IDM-33',
      clause: 'I2',
      title: 'a unique key that is no UUID is accepted',
      judge: (evidence, expect) => expect.served(evidence.of('not a uuid')),
    },
    {
      id: 'IDM-30',
      clause: 'I3',
      title: 'the same JSON with other spacing',
      basis: 'assumed',
      observes: true,
      judge: (evidence, expect) => expect.told(evidence.of('spaced')),
    },
  ],
}

const TEN = Array.from({ length: 10 }, (_, index) => `call ${index}` as const)

const race: Journey<World, `call ${number}`> = {
  name: 'ten identical requests at once',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep) => {
    const parts = { json: irisPayment(world.account), idempotencyKey: randomUUID() }
    await Promise.all(TEN.map(step => keep(step, world.merchant.request('initiate', parts))))
  },
  checks: [
    {
      id: 'IDM-28',
      clause: 'I3',
      title: 'ten identical requests at the same instant make one payment',
      control: 'VAL-02',
      judge: (evidence, expect) => {
        const served = TEN.map(step => evidence.of(step)).filter(exchange => expect.answered(exchange).status < 300)
        const ids = new Set(served.map(exchange => idOf(exchange, expect)))
        expect.holds(ids.size === 1, 'one transactionId', `${ids.size} transactionIds`, served.at(-1))
        const others = TEN.map(step => evidence.of(step)).filter(
          ({ answer }) => ![200, 201, 202, 409, 423].includes(answer?.status ?? 0),
        )
        expect.holds(
          others.length === 0,
          'the same answer, 409 or 423 for the others',
          others[0] ? expect.told(others[0]) : '',
          others[0],
        )
      },
    },
  ],
}

export const idempotency = [initiating, race]

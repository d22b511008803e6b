import { randomUUID } from 'node:crypto'
import type { EndpointName } from '../client/endpoints.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Check, Journey } from '../harness/check.ts'
import { UNSTATED } from '../protocol/reason-codes.ts'
import { without } from './alter.ts'
import { cancelOf, captureOf, edit, finalizeOf, irisPayment, refundOf } from './bodies.ts'
import { authorized, consented, settle, settled } from './given.ts'
import { isReplay } from './idempotency.ts'
import { NEEDS, WITH_STATES } from './stages.ts'
import type { World } from './world.ts'

const ACTS = ['initiate', 'finalize', 'capture', 'cancel', 'refund'] as const
type Act = (typeof ACTS)[number]

const keyless: Journey<World, Act | 'consented' | 'authorized' | 'settled' | 'empty'> = {
  name: 'acts without Idempotency-Key',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep) => {
    const { merchant, account, profile } = world
    const act = (endpoint: EndpointName, json: unknown): Promise<Exchange> =>
      merchant.request(endpoint, { json }, { afterSigning: without('idempotency-key') })
    const status = (transactionId: string) => merchant.request('status', { path: { transactionId } })
    await keep('initiate', act('initiate', irisPayment(account)))
    await keep('empty', merchant.request('initiate', { json: irisPayment(account), idempotencyKey: '' }))
    const agreed = await consented(profile, world, false)
    await keep('finalize', act('finalize', finalizeOf(account, agreed)))
    await keep('consented', status(agreed))
    const held = await authorized(profile, world)
    await keep('capture', act('capture', captureOf(account, held)))
    await keep('cancel', act('cancel', cancelOf(account, held)))
    await keep('authorized', status(held))
    const paid = await settled(profile, world)
    await keep('refund', act('refund', refundOf(account, paid)))
    await keep('settled', status(paid))
  },
  checks: [
    ...nothingHappens('IDM-01', 'initiate', 'VAL-02'),
    ...nothingHappens('IDM-02', 'finalize', 'LIF-01', 'consented', 'authenticated'),
    ...nothingHappens('IDM-04', 'capture', 'LIF-01', 'authorized', 'authorized'),
    ...nothingHappens('IDM-05', 'cancel', 'LIF-09', 'authorized', 'authorized'),
    ...nothingHappens('IDM-06', 'refund', 'LIF-08', 'settled', 'settled'),
    {
      id: 'IDM-07',
      clause: '7.1, I1',
      title: 'the refusal of a missing key is 400 with a 4xxx code',
      basis: 'assumed',
      decisions: ['D-18'],
      control: 'VAL-02',
      judge: (evidence, expect) => expect.refused(evidence.of('initiate'), { status: 400, code: '4' }),
    },
    {
      id: 'IDM-34',
      clause: 'I1',
      title: 'an empty key is refused',
      basis: 'assumed',
      decisions: ['D-18'],
      control: 'VAL-02',
      judge: (evidence, expect) =>
        expect.refused(evidence.of('empty'), { or: UNSTATED.key, without: 'initiate.transactionId' }),
    },
  ],
}

function nothingHappens(
  id: string,
  act: Act,
  control: string,
  after?: 'consented' | 'authorized' | 'settled',
  category?: string,
): Check<Act | 'consented' | 'authorized' | 'settled' | 'empty'>[] {
  return [
    {
      id,
      clause: 'I1',
      title: `${act} without Idempotency-Key is refused and nothing happens`,
      control,
      ...(after && WITH_STATES),
      judge: (evidence, expect) => {
        expect.refused(evidence.of(act), { or: UNSTATED.key, ...(!after && { without: 'initiate.transactionId' }) })
        if (after && category) expect.category(evidence.of(after), category)
      },
    },
  ]
}

type Replayed = Exclude<Act, 'initiate'>
type Step = Replayed | `${Replayed} again` | `${'capture' | 'refund'} otherwise` | 'captured' | 'refunded' | 'canceled'

const replays: Journey<World, Step> = {
  name: 'acts sent again under their key',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep) => {
    const { merchant, account, profile } = world
    const twice = async (act: Replayed, json: object, other?: object) => {
      const send = (body: object, idempotencyKey: string) => merchant.request(act, { json: body, idempotencyKey })
      const key = randomUUID()
      await keep(act, send(json, key))
      await keep(`${act} again`, send(json, key))
      if (other && (act === 'capture' || act === 'refund')) await keep(`${act} otherwise`, send(other, key))
    }
    const path = { transactionId: await consented(profile, world, false) }
    await twice('finalize', finalizeOf(account, path.transactionId))
    const capture = captureOf(account, path.transactionId, 1000)
    await twice('capture', capture, edit(capture, 'paymentDetails.amount', 500))
    await keep('captured', merchant.request('events', { path }))
    await settle(profile, world)
    const refund = refundOf(account, path.transactionId, 1000)
    await twice('refund', refund, edit(refund, 'paymentDetails.amount', 500))
    await keep('refunded', merchant.request('events', { path }))
    const held = await authorized(profile, world)
    await twice('cancel', cancelOf(account, held))
    await keep('canceled', merchant.request('status', { path: { transactionId: held } }))
  },
  checks: [
    {
      id: 'IDM-14',
      clause: 'I3',
      title: 'finalize replayed finalizes once',
      control: 'LIF-01',
      judge: (evidence, expect) => isReplay(evidence.of('finalize again'), evidence.of('finalize'), expect),
    },
    {
      id: 'IDM-11',
      clause: 'I3',
      title: 'capture replayed captures once',
      control: 'LIF-01',
      needs: ['fields.events.captured'],
      judge: (evidence, expect) => {
        isReplay(evidence.of('capture again'), evidence.of('capture'), expect)
        expect.equal(
          'captured sum',
          expect.field(evidence.of('captured'), 'events.captured'),
          1000,
          evidence.of('captured'),
        )
      },
    },
    {
      id: 'IDM-18',
      clause: 'I4',
      title: 'capture, same key and another payload: 409',
      control: 'LIF-01',
      judge: (evidence, expect) => expect.refused(evidence.of('capture otherwise'), { status: 409 }),
    },
    {
      id: 'IDM-12',
      clause: 'I3',
      title: 'refund replayed refunds once',
      control: 'LIF-08',
      needs: ['fields.events.refunded'],
      judge: (evidence, expect) => {
        isReplay(evidence.of('refund again'), evidence.of('refund'), expect)
        expect.equal(
          'refunded sum',
          expect.field(evidence.of('refunded'), 'events.refunded'),
          1000,
          evidence.of('refunded'),
        )
      },
    },
    {
      id: 'IDM-17',
      clause: 'I4',
      title: 'refund, same key and another amount: 409',
      control: 'LIF-08',
      judge: (evidence, expect) => expect.refused(evidence.of('refund otherwise'), { status: 409 }),
    },
    {
      id: 'IDM-13',
      clause: 'I3',
      title: 'cancel replayed cancels once and does not fail',
      control: 'LIF-09',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        isReplay(evidence.of('cancel again'), evidence.of('cancel'), expect)
        expect.category(evidence.of('canceled'), 'canceled')
      },
    },
  ],
}

export const idempotencyOfActs = [keyless, replays]

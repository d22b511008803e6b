import { randomUUID } from 'node:crypto'
import type { Journey } from '../harness/check.ts'
import { captureOf } from './bodies.ts'
import { authorized } from './given.ts'
import { isReplay } from './idempotency.ts'
import { NEEDS } from './stages.ts'
import { familyOf, WITH_CODES } from './transcript.ts'
import type { World } from './world.ts'

type Step = 'limited' | 'events' | 'again' | 'third' | 'events at last'

const PART = 400
const WITH_SUM = { needs: ['fields.events.captured'] }

/** A capture that is one call too many, as a control address can ask for, and sent again under its key (7.1). */
export const limited: Journey<World, Step> = {
  name: 'a call too many, and what a retry finds',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep) => {
    const { merchant, operator, account, profile } = world
    const transactionId = await authorized(profile, world)
    const json = captureOf(account, transactionId, PART)
    const idempotencyKey = randomUUID()
    const events = () => merchant.request('events', { path: { transactionId } })
    await operator.arm({ operation: 'capture', kind: 'limited', after: 'PT1S' })
    await keep('limited', merchant.request('capture', { json, idempotencyKey }, { retry: [423] }))
    await keep('events', events())
    await keep('again', merchant.request('capture', { json, idempotencyKey }))
    await keep('third', merchant.request('capture', { json, idempotencyKey }))
    await keep('events at last', events())
  },
  checks: [
    {
      id: 'LIM-03',
      clause: '7.1',
      title: 'a call answered 429 was not carried out',
      basis: 'assumed',
      decisions: ['D-88'],
      control: 'LIF-01',
      ...WITH_SUM,
      judge: (evidence, expect) => {
        expect.limited(evidence.of('limited'))
        const events = evidence.of('events')
        expect.equal('captured sum', expect.field(events, 'events.captured'), 0, events)
      },
    },
    {
      id: 'IDM-39',
      clause: '7.1',
      title: 'a 429 is not what the key remembers',
      basis: 'assumed',
      decisions: ['D-22'],
      control: 'LIF-01',
      ...WITH_SUM,
      judge: (evidence, expect) => {
        expect.limited(evidence.of('limited'))
        const again = evidence.of('again')
        expect.holds(again.answer?.status !== 429, 'a retry that is not too many', expect.described(again), again)
        isReplay(evidence.of('third'), again, expect)
        const events = evidence.of('events at last')
        expect.equal('captured sum', expect.field(events, 'events.captured'), PART, events)
      },
    },
    {
      id: 'ERR-08',
      clause: '7.2',
      title: 'every 429 of the run is 3xxx',
      basis: 'assumed',
      decisions: ['D-10'],
      ...WITH_CODES,
      judge: familyOf([429], ['3']),
    },
  ],
}

import type { Journey } from '../harness/check.ts'
import { on } from './acts.ts'
import { blikPayment, irisPayment } from './bodies.ts'
import { consented, initiate, transactionIdOf } from './given.ts'
import { NEEDS, WITH_STATES } from './stages.ts'
import type { World } from './world.ts'

const WITH_REASON = { needs: ['fields.status.state', 'fields.status.reasonCode', 'states'] }

/** A shopper's no ends a payment; whether as declined (D-43) or as canceled the document leaves open (3). */
const ENDED = ['declined', 'canceled'] as const

type Step =
  | 'finalize'
  | 'authorized'
  | 'declined'
  | 'used code'
  | 'used code status'
  | 'iris declined'
  | 'iris approved'

/** What shoppers do, and where a merchant sees it (BLIK and IRIS of section 7.5). */
const decisions: Journey<World, Step> = {
  name: 'what shoppers decide',
  tier: 3,
  needs: NEEDS,
  play: async (world, keep) => {
    const { merchant, operator, account, profile } = world
    const approved = on(world, await consented(profile, world, false))
    await keep('finalize', approved.finalize())
    await keep('authorized', approved.status())
    const declined = transactionIdOf(profile, await initiate(world))
    await operator.shopper(declined, 'decline')
    await keep('declined', on(world, declined).status())
    const code = await operator.oneTimeCode()
    await merchant.request('initiate', { json: blikPayment(account, code) })
    await keep('used code', merchant.request('initiate', { json: blikPayment(account, code) }))
    for (const [step, action] of [
      ['iris declined', 'decline'],
      ['iris approved', 'approve'],
    ] as const) {
      const id = transactionIdOf(profile, await merchant.request('initiate', { json: irisPayment(account) }))
      await operator.shopper(id, action)
      await keep(step, on(world, id).status())
    }
  },
  checks: [
    {
      id: 'BLK-01',
      clause: 'R6',
      title: 'a code confirmed in time authorizes',
      control: 'LIF-01',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expect.served(evidence.of('finalize'))
        expect.category(evidence.of('authorized'), 'authorized')
      },
    },
    {
      id: 'BLK-02',
      clause: '7.5',
      title: 'a shopper who declines in the app: 2001',
      control: 'BLK-01',
      ...WITH_REASON,
      judge: (evidence, expect) => {
        expect.category(evidence.of('declined'), ...ENDED)
        const reason = expect.field(evidence.of('declined'), 'status.reasonCode')
        expect.equal('reasonCode', String(reason), '2001', evidence.of('declined'))
      },
    },
    {
      id: 'BLK-06',
      clause: 'R6',
      title: 'a code used before is no good: 4000',
      basis: 'assumed',
      decisions: ['D-42'],
      control: 'VAL-01',
      needs: ['fields.initiate.reasonCode'],
      judge: (evidence, expect) => {
        expect.code(evidence.of('used code'), 'initiate.reasonCode', '4000')
      },
    },
    {
      id: 'IRS-04',
      clause: '7.5',
      title: 'a shopper who cancels on the page of IRIS: 2001',
      control: 'VAL-02',
      ...WITH_REASON,
      judge: (evidence, expect) => {
        expect.category(evidence.of('iris declined'), ...ENDED)
        const reason = expect.field(evidence.of('iris declined'), 'status.reasonCode')
        expect.equal('reasonCode', String(reason), '2001', evidence.of('iris declined'))
      },
    },
    {
      id: 'IRS-05',
      clause: 'E5',
      title: 'the outcome is seen by polling',
      control: 'VAL-02',
      ...WITH_STATES,
      judge: (evidence, expect) =>
        expect.category(evidence.of('iris approved'), 'authenticated', 'authorized', 'captured', 'settled'),
    },
  ],
}

export const shoppers = [decisions]

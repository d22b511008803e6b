import { randomUUID } from 'node:crypto'
import type { Exchange } from '../client/exchange.ts'
import type { Alterations } from '../client/send.ts'
import type { Check } from '../harness/check.ts'
import { withHeader, withOneCharacterChanged } from './alter.ts'
import { cancelOf, captureOf, edit, irisPayment } from './bodies.ts'
import { authorized } from './given.ts'
import { type Scene, staging } from './scene.ts'
import { NEEDS } from './stages.ts'
import type { World } from './world.ts'

const assumed = (decision: string): Partial<Check> => ({ basis: 'assumed', decisions: [decision] })

const initiate = ({ merchant }: Pick<World, 'merchant'>, json: object, idempotencyKey: string, alter?: Alterations) =>
  merchant.request('initiate', { json, idempotencyKey }, alter)

/** Looks at what becomes of a call that the document does not speak of. */
const observed = (id: string, clause: string, title: string, play: (world: World) => Promise<Exchange>): Scene => ({
  id,
  clause,
  title,
  basis: 'assumed',
  observes: true,
  control: 'VAL-02',
  play: (world, keep) => keep('seen', play(world)),
  judge: (evidence, expect) => expect.told(evidence.of('seen')),
})

const SCENES: Scene[] = [
  observed('IDM-31', 'I2', 'one key for two different operations', async world => {
    const { merchant, account, profile } = world
    const [transactionId, idempotencyKey] = [await authorized(profile, world), randomUUID()]
    await merchant.request('capture', { json: captureOf(account, transactionId, 400), idempotencyKey })
    return merchant.request('cancel', { json: cancelOf(account, transactionId), idempotencyKey })
  }),
  {
    id: 'IDM-32',
    clause: 'I2',
    title: 'two merchants who use the same key do not meet',
    ...assumed('D-19'),
    control: 'VAL-02',
    needs: ['secondOrganization', ...NEEDS],
    play: async (world, keep) => {
      const [key, second] = [randomUUID(), await world.second()]
      await keep('ours', initiate(world, irisPayment(world.account), key))
      await keep('theirs', initiate(second, irisPayment(second.account), key))
    },
    judge: (evidence, expect) => {
      const [ours, theirs] = [evidence.of('ours'), evidence.of('theirs')]
      for (const each of [ours, theirs]) expect.served(each)
      const [one, two] = [ours, theirs].map(each => expect.field(each, 'initiate.transactionId'))
      expect.holds(one !== two, 'a payment of their own', `${two} again`, theirs)
    },
  },
  observed('IDM-35', 'I2', 'a key of 1,000 characters', world =>
    initiate(world, irisPayment(world.account), 'k'.repeat(1000)),
  ),
  observed('IDM-36', 'I3', 'a refused body, corrected, under the same key', async world => {
    const [json, key] = [irisPayment(world.account), randomUUID()]
    await initiate(world, edit(json, 'paymentDetails', undefined), key)
    return initiate(world, json, key)
  }),
  {
    id: 'IDM-40',
    clause: '5, I3',
    title: 'a 401 or a 403 does not use up the key',
    ...assumed('D-22'),
    control: 'VAL-02',
    play: async (world, keep) => {
      const [json, key] = [irisPayment(world.account), randomUUID()]
      const spoilt = { afterSigning: withHeader('signature', withOneCharacterChanged) }
      await keep('unsigned', initiate(world, json, key, spoilt))
      await keep('forbidden', initiate(world, json, key, { token: await world.merchant.tokenFor('payments:read') }))
      await keep('allowed', initiate(world, json, key))
    },
    judge: (evidence, expect) => {
      expect.refused(evidence.of('unsigned'), { status: 401 })
      expect.refused(evidence.of('forbidden'), { status: 403 })
      expect.served(evidence.of('allowed'))
    },
  },
]

/** Whom a key belongs to, and what uses it up (I2, I3). */
export const keyScope = staging({ name: 'keys of others, and keys of refused calls', tier: 3, needs: NEEDS }, SCENES)

import type { Journey } from '../harness/check.ts'
import { isMocked, isSet, isUsual, marked, mockOf, overriding, pay, unique } from './mock.ts'
import { freshToken } from './time.ts'
import type { World } from './world.ts'

const MARK = 'mark-of-a-lifetime'

/** Both sides of the 24 hours of a mock (8). */
export const mockLifetime: Journey<World, 'set' | 'at 23 h 59 min' | 'after 24 h'> = {
  name: 'how long a mock lasts',
  tier: 3,
  needs: ['control.url', 'secondOrganization.create', 'mocks.initiate'],
  play: async ({ traveller }, keep) => {
    const player = await traveller()
    const payer = unique('payer')
    const mock = overriding(mockOf(player.account, { payer }), { initiate: marked(MARK) })
    await keep('set', player.merchant.request('mockSet', { json: mock }, await freshToken(player)))
    await player.operator.advance('PT23H59M')
    await keep('at 23 h 59 min', pay(player, payer, {}, await freshToken(player)))
    await player.operator.advance('PT2M')
    await keep('after 24 h', pay(player, payer, {}, await freshToken(player)))
  },
  checks: [
    {
      id: 'MCK-10',
      clause: '8',
      title: 'a mock 23 h 59 min old is still there',
      control: 'MCK-03',
      judge: (evidence, expect) => {
        isSet(evidence.of('set'), expect)
        isMocked(evidence.of('at 23 h 59 min'), MARK, expect)
      },
    },
    {
      id: 'MCK-11',
      clause: '8',
      title: 'a mock is gone after 24 h',
      control: 'MCK-10',
      judge: (evidence, expect) => isUsual(evidence.of('after 24 h'), MARK, expect),
    },
  ],
}

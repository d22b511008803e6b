import type { Journey } from '../harness/check.ts'
import { captureOf } from './bodies.ts'
import { authorized } from './given.ts'
import { WITH_STATES } from './stages.ts'
import { freshToken } from './time.ts'
import type { World } from './world.ts'

type Step = 'a minute before' | 'a minute after' | 'capture'

const MINUTE = 60

/** Both sides of the time that an authorization waits for its capture (R3), by the clock of an organization of its own. */
export const hold: Journey<World, Step> = {
  name: 'an authorization that nobody captures',
  tier: 3,
  needs: ['control.url', 'secondOrganization.create', 'fields.initiate.transactionId', 'limits.holdSeconds'],
  play: async ({ profile, traveller }, keep) => {
    const player = await traveller()
    const { merchant, operator, account } = player
    const seconds = profile.limits?.holdSeconds ?? 0
    const path = { transactionId: await authorized(profile, player, await freshToken(player)) }
    await operator.advance(`PT${seconds - MINUTE}S`)
    await keep('a minute before', merchant.request('status', { path }, await freshToken(player)))
    await operator.advance(`PT${2 * MINUTE}S`)
    await keep('a minute after', merchant.request('status', { path }, await freshToken(player)))
    const json = captureOf(account, path.transactionId)
    await keep('capture', merchant.request('capture', { json }, await freshToken(player)))
  },
  checks: [
    {
      id: 'LIF-25',
      clause: 'R3',
      title: 'an authorization that is not captured in time ends as expired, and no sooner',
      basis: 'assumed',
      decisions: ['D-33'],
      control: 'LIF-01',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expect.category(evidence.of('a minute before'), 'authorized')
        expect.category(evidence.of('a minute after'), 'expired')
      },
    },
    {
      id: 'LIF-26',
      clause: 'R3',
      title: 'an expired authorization cannot be captured',
      basis: 'assumed',
      decisions: ['D-33'],
      control: 'LIF-25',
      judge: (evidence, expect) => expect.refused(evidence.of('capture'), { status: 422, code: '5' }),
    },
  ],
}

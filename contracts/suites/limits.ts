import { setTimeout as pause } from 'node:timers/promises'
import type { Exchange } from '../client/exchange.ts'
import { retryAfter } from '../client/patience.ts'
import type { Journey } from '../harness/check.ts'
import { Blocked, Inconclusive } from '../harness/signals.ts'
import { unknownId } from './given.ts'
import type { Player } from './player.ts'
import { probing } from './probe.ts'
import { askToken } from './vehicles.ts'
import type { World } from './world.ts'

/** Calls that are under way at once, and how long a service may make anybody wait. */
const AT_ONCE = 20
const LONGEST_WAIT = 60_000

const read = ({ merchant }: Player, transactionId: string): Promise<Exchange> =>
  merchant.request('status', { path: { transactionId } }, { retry: [] })

/** Reads of nothing until the first is too many. */
const untilRefused = async (player: Player, unknown: string, callsPerSecond: number): Promise<Exchange> => {
  const most = 3 * callsPerSecond + AT_ONCE
  for (let made = 0; made < most; made += AT_ONCE) {
    const exchanges = await Promise.all(Array.from({ length: AT_ONCE }, () => read(player, unknown)))
    const refused = exchanges.find(({ answer }) => answer?.status === 429)
    if (refused) return refused
  }
  throw new Inconclusive(`no 429 in ${most} calls: is limits.callsPerSecond of the profile right?`)
}

/** The limit of calls (7.1, 8), met by another organization than all the other checks play with. */
const rate: Journey<World, 'refused' | 'afterwards'> = {
  name: 'more calls than the service takes',
  tier: 5,
  needs: ['secondOrganization', 'limits.callsPerSecond'],
  play: async (world, keep) => {
    const player = await world.second()
    const unknown = unknownId(world.profile)
    const refused = await keep('refused', untilRefused(player, unknown, world.profile.limits?.callsPerSecond ?? 0))
    const wait = retryAfter(refused.answer?.headers['retry-after'] ?? '')
    if (wait === undefined || wait > LONGEST_WAIT) throw new Blocked('there is no time to wait for', refused)
    await pause(wait)
    await keep('afterwards', read(player, unknown))
  },
  checks: [
    {
      id: 'LIM-01',
      clause: '7.1, 8',
      title: 'a 429 carries Retry-After',
      judge: (evidence, expect) => {
        const { answer } = evidence.of('refused')
        expect.limited(evidence.of('refused'))
        expect.holds(answer?.headers['retry-after'] !== undefined, 'Retry-After', 'none', evidence.of('refused'))
      },
    },
    {
      id: 'LIM-02',
      clause: '7.1',
      title: 'Retry-After is a delay or a date, and waiting that long works',
      control: 'LIM-01',
      judge: (evidence, expect) => {
        expect.limited(evidence.of('refused'))
        const header = evidence.of('refused').answer?.headers['retry-after'] ?? ''
        expect.holds(retryAfter(header) !== undefined, 'seconds or a date', header, evidence.of('refused'))
        const afterwards = evidence.of('afterwards')
        const got = expect.described(afterwards)
        expect.holds(afterwards.answer?.status !== 429, 'a call that is not too many', got, afterwards)
      },
    },
  ],
}

/** What the service takes at most (7.1, 8); disturbing, and played last. */
export const limits = [
  probing({ name: 'bodies larger than the service takes', tier: 5, needs: ['limits.bodyBytes'] }, [
    {
      id: 'ERR-14',
      clause: '7.1, 8',
      title: 'an oversized body: 413',
      control: 'TOK-01',
      refused: { status: 413 },
      send: world => {
        const padding = 'x'.repeat(world.profile.limits?.bodyBytes ?? 0)
        return askToken(world, {}, { ...world.merchant.tokenForm('payments:read'), padding })
      },
    },
  ]),
  rate,
]

import type { Exchange } from '../client/exchange.ts'
import type { Check, Journey } from '../harness/check.ts'
import type { Expect, Refusal } from '../harness/expect.ts'
import { isDecline } from '../harness/slots.ts'
import type { World } from './world.ts'

/** A check of one call: what is sent, and whether it must be refused or served. */
export type Probe = Omit<Check, 'judge'> & {
  send(world: World): Promise<Exchange>
  /** How it is refused; a probe without this must be served. */
  refused?: Refusal
  /** Where a decline will do as well as a refusal. */
  declined?: Decline
  /** Where refused or served does not say it all. */
  judge?: Check['judge']
}

/** Where the code of a decline stands, and which one it is. */
type Decline = { slot: string; code: string }

/** Where the provider itself says no (7.5), a decline will do as well as a refusal (S44). */
export const saysNo = (exchange: Exchange, expect: Expect, refused: Refusal, declined?: Decline): void => {
  if (!isDecline(expect.profile, exchange)) expect.refused(exchange, refused)
  else if (declined) expect.code(exchange, declined.slot, declined.code)
}

/** A journey of calls that do not touch each other: each chosen probe sends its own, whatever became of the others. */
export const probing = (frame: Omit<Journey<World>, 'play' | 'checks'>, probes: readonly Probe[]): Journey<World> => ({
  ...frame,
  play: async (world, keep, chosen) => {
    for (const { id, send } of probes) if (chosen.has(id)) await keep(id, send(world)).catch(() => undefined)
  },
  checks: probes.map(checkOf),
})

const checkOf = ({ send: _, refused, declined, judge, ...check }: Probe): Check => ({
  ...check,
  judge: (evidence, expect) => {
    if (judge) return judge(evidence, expect)
    const exchange = evidence.of(check.id)
    if (refused && declined) saysNo(exchange, expect, refused, declined)
    else if (refused) expect.refused(exchange, refused)
    else expect.served(exchange)
  },
})

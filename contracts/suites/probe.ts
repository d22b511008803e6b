import type { Exchange } from '../client/exchange.ts'
import type { Check, Journey } from '../harness/check.ts'
import type { Refusal } from '../harness/expect.ts'
import type { World } from './world.ts'

/** A check of one call: what is sent, and whether it must be refused or served. */
export type Probe = Omit<Check, 'judge'> & {
  send(world: World): Promise<Exchange>
  /** How it is refused; a probe without this must be served. */
  refused?: Refusal
  /** Where refused or served does not say it all. */
  judge?: Check['judge']
}

/** A journey of calls that do not touch each other: each chosen probe sends its own, whatever became of the others. */
export const probing = (frame: Omit<Journey<World>, 'play' | 'checks'>, probes: readonly Probe[]): Journey<World> => ({
  ...frame,
  play: async (world, keep, chosen) => {
    for (const { id, send } of probes) if (chosen.has(id)) await keep(id, send(world)).catch(() => undefined)
  },
  checks: probes.map(checkOf),
})

const checkOf = ({ send: _, refused, judge, ...check }: Probe): Check => ({
  ...check,
  judge: (evidence, expect) => {
    if (judge) return judge(evidence, expect)
    const exchange = evidence.of(check.id)
    if (refused) expect.refused(exchange, refused)
    else expect.served(exchange)
  },
})

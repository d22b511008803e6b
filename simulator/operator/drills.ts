import { judgeConduct } from '../../contracts/conduct/judge.ts'
import type { Conduct } from '../../contracts/conduct/rule.ts'
import type { Traffic } from '../../contracts/conduct/traffic.ts'
import { pause } from '../clock.ts'
import { parseDuration } from '../duration.ts'
import { builtInDrills, type Drill, type DrillMove } from '../scenarios/drills.ts'
import type { createClockControl } from './clock-control.ts'
import type { createConduct } from './conduct.ts'
import type { createDeliveryPlans } from './delivery-plans.ts'
import type { createFaults } from './faults.ts'
import { OperatorError } from './operator-error.ts'

type Parts = {
  clock: ReturnType<typeof createClockControl>
  conduct: ReturnType<typeof createConduct>
  faults: ReturnType<typeof createFaults>
  deliveryPlans: ReturnType<typeof createDeliveryPlans>
  /** Epoch milliseconds of real time. */
  now: () => number
}

/** A drill that has begun: since when, in real time. */
export type Begun = { drill: Drill; since: number }

/** A shop works on after it has acknowledged a webhook: real milliseconds of its silence that say it is done. */
const QUIET_MS = 1_000
const PATIENCE_MS = 10_000

/** Puts a merchant's integration through something, and judges what it did about it. */
export const createDrills = ({ clock, conduct, faults, deliveryPlans, now }: Parts) => {
  let known: readonly Drill[] | undefined
  /** Read when somebody first asks: most sandboxes are never asked. */
  const all = (): readonly Drill[] => {
    known ??= builtInDrills()
    return known
  }

  const find = (name: string): Drill => {
    const found = all().find(drill => drill.name === name)
    if (found) return found
    throw new OperatorError('unknown', `There is no drill ${name.slice(0, 60)}: GET /control/drills lists them.`)
  }
  const disarm = (organizationId: string) =>
    Promise.all([faults.clear(organizationId), deliveryPlans.clear(organizationId)])
  const play = async (organizationId: string, moves: readonly DrillMove[]): Promise<void> => {
    for (const move of moves)
      if ('advance' in move) await clock.advance(organizationId, parseDuration(move.advance) ?? 0)
      else await clock.drain(organizationId)
  }

  /** The verdicts once they are good, or the shop has fallen silent: it may still be about to do what is asked of it. */
  const verdicts = async (organizationId: string, since: number, rules: readonly string[]) => {
    const patience = AbortSignal.timeout(PATIENCE_MS)
    const ended = now()
    for (;;) {
      const traffic = await conduct.traffic(organizationId, since)
      const judged = judgeConduct(traffic).filter(({ id }) => rules.includes(id))
      const silent = now() - Math.max(ended, lastDoing(traffic)) > QUIET_MS
      if (silent || patience.aborted || judged.every(({ verdict }) => verdict === 'pass')) return judged
      await pause(50, patience)
    }
  }

  return {
    list: all,
    find,
    /** Arms the stimulus; what was armed before is disarmed, so that nothing else happens. */
    begin: async (organizationId: string, name: string): Promise<Begun> => {
      const drill = find(name)
      await disarm(organizationId)
      for (const fault of drill.faults) await faults.arm(organizationId, fault)
      for (const plan of drill.plans) await deliveryPlans.arm(organizationId, plan)
      return { drill, since: now() }
    },
    /** What comes between two runs of the checkout. */
    between: (organizationId: string, name: string) => play(organizationId, find(name).between),
    /** Disarms what is left, lets come what is on its way, and judges the rules of the drill since it began. */
    end: async (organizationId: string, name: string, since: number): Promise<readonly Conduct[]> => {
      const { rules, afterwards } = find(name)
      await disarm(organizationId)
      await play(organizationId, afterwards)
      return verdicts(organizationId, since, rules)
    },
  }
}

const lastDoing = ({ calls, deliveries }: Traffic): number =>
  Math.max(0, ...[...calls, ...deliveries.flatMap(({ attempts }) => attempts)].map(({ endedAt }) => endedAt))

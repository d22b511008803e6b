import type { Conduct } from '../../contracts/conduct/rule.ts'
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

/** Puts a merchant's integration through something, and judges what it did about it. */
export const createDrills = ({ clock, conduct, faults, deliveryPlans, now }: Parts) => {
  const drills = builtInDrills()

  const find = (name: string): Drill => {
    const found = drills.find(drill => drill.name === name)
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

  return {
    list: drills,
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
      const all = await conduct.judge(organizationId, since)
      return all.filter(({ id }) => rules.includes(id))
    },
  }
}

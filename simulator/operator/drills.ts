import { CONDUCT_RULES, judgeConduct } from '../../contracts/conduct/judge.ts'
import type { Conduct, ConductRule } from '../../contracts/conduct/rule.ts'
import { MAY_TAKE, type Traffic } from '../../contracts/conduct/traffic.ts'
import { pause } from '../clock.ts'
import { parseDuration } from '../duration.ts'
import { builtInDrills, type Drill, type DrillMove } from '../scenarios/drills.ts'
import type { createClockControl } from './clock-control.ts'
import type { createConduct } from './conduct.ts'
import type { createDeliveryPlans } from './delivery-plans.ts'
import type { createFaults } from './faults.ts'
import type { createKeyRotation } from './key-rotation.ts'
import { OperatorError } from './operator-error.ts'

type Parts = {
  clock: ReturnType<typeof createClockControl>
  conduct: ReturnType<typeof createConduct>
  faults: ReturnType<typeof createFaults>
  deliveryPlans: ReturnType<typeof createDeliveryPlans>
  keyRotation: ReturnType<typeof createKeyRotation>
  /** Epoch milliseconds of real time. */
  now: () => number
}

/** A drill that has begun: since when, in real time. */
export type Begun = { drill: Drill; since: number }

/** A shop works on after it has acknowledged a webhook: real milliseconds of its silence that say it is done. */
const QUIET_MS = 1_000
/** Who never falls silent is judged all the same. */
const PATIENCE_MS = MAY_TAKE + 5 * QUIET_MS

/** Puts a merchant's integration through something, and judges what it did about it. */
export const createDrills = ({ clock, conduct, faults, deliveryPlans, keyRotation, now }: Parts) => {
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
    Promise.all([
      faults.clear(organizationId),
      deliveryPlans.clear(organizationId),
      keyRotation.restore(organizationId),
    ])
  const play = async (organizationId: string, moves: readonly DrillMove[]): Promise<void> => {
    for (const move of moves)
      if ('advance' in move) await clock.advance(organizationId, parseDuration(move.advance) ?? 0)
      else if ('rotate' in move) await keyRotation.begin(organizationId, parseDuration(move.rotate) ?? 0)
      else await clock.drain(organizationId)
  }

  /** The verdicts once they are good, or nothing more is to be expected of the shop that would change them. */
  const verdicts = async (organizationId: string, since: number, ids: readonly string[]) => {
    const rules = CONDUCT_RULES.filter(({ id }) => ids.includes(id))
    const ended = now()
    const patience = AbortSignal.timeout(PATIENCE_MS)
    for (;;) {
      const traffic = await conduct.traffic(organizationId, since)
      const judged = judgeConduct(traffic, rules)
      const isIdle = traffic.calls.length === 0 && traffic.deliveries.length === 0
      const isQuiet = now() - Math.max(ended, lastDoing(traffic)) > QUIET_MS
      const isDone = (isQuiet || judged.every(({ verdict }) => verdict === 'pass')) && !isOpen(traffic, rules)
      if (isIdle || isDone || patience.aborted) return judged
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

/** Whether a verdict would be another one if the shop did nothing any more. */
const isOpen = (traffic: Traffic, rules: readonly ConductRule[]): boolean => {
  const verdictsOf = (until: number) => judgeConduct({ ...traffic, until }, rules).map(({ verdict }) => verdict)
  return verdictsOf(traffic.until).join() !== verdictsOf(Number.POSITIVE_INFINITY).join()
}

const lastDoing = ({ calls, deliveries }: Traffic): number =>
  Math.max(0, ...[...calls, ...deliveries.flatMap(({ attempts }) => attempts)].map(({ endedAt }) => endedAt))

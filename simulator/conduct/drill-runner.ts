import type { ConductRule, JudgedConductRule } from '../../contracts/conduct/conduct-rule.ts'
import { CONDUCT_RULES, judgeConduct } from '../../contracts/conduct/judge-conduct.ts'
import { type MerchantTraffic, REACTION_TIME_MS } from '../../contracts/conduct/merchant-traffic.ts'
import type { createClockControl } from '../organizations/clock-control.ts'
import type { createSigningKeyRotation } from '../organizations/forced-merchant-signing-key-rotation.ts'
import type { createFaultRegistry } from '../scenarios/armed-fault-registry.ts'
import { pause } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { parseDuration } from '../support/duration.ts'
import type { createDeliveryPlanRegistry } from '../webhooks/delivery-plan-registry.ts'
import type { createConductJudge } from './conduct-judge.ts'
import { type Drill, type DrillMove, readBuiltInDrills } from './drill-files.ts'

type Parts = {
  clock: ReturnType<typeof createClockControl>
  conduct: ReturnType<typeof createConductJudge>
  faults: ReturnType<typeof createFaultRegistry>
  deliveryPlans: ReturnType<typeof createDeliveryPlanRegistry>
  keyRotation: ReturnType<typeof createSigningKeyRotation>
  /** Epoch milliseconds of real time. */
  now: () => number
}

/** A started drill; `since` is epoch milliseconds of real time. */
type StartedDrill = { drill: Drill; since: number }
/** A drill that was started by this replica and has not been ended, with the number of its current run. */
type DrillUnderWay = { name: string; since: number; run: number }

/** Real milliseconds without a call after which a shop counts as done: it may work on after acknowledging a webhook. */
const QUIET_MS = 1_000
/** Real milliseconds after which a shop is judged even if it goes on calling the API. */
const TIMEOUT_MS = REACTION_TIME_MS + 5 * QUIET_MS

/** Creates the runner of drills: gives a merchant's integration a stimulus, judges its reaction by conduct rules. */
export const createDrillRunner = ({ clock, conduct, faults, deliveryPlans, keyRotation, now }: Parts) => {
  let known: readonly Drill[] | undefined
  const underWay = new Map<string, DrillUnderWay>()
  /** All drills, read from their files at the first use. */
  const all = (): readonly Drill[] => {
    known ??= readBuiltInDrills()
    return known
  }

  const find = (name: string): Drill => {
    const found = all().find(drill => drill.name === name)
    if (found) return found
    throw new ControlError('unknown', `There is no drill ${name.slice(0, 60)}: GET /control/drills lists them.`)
  }
  const disarm = (organizationId: string) =>
    Promise.all([
      faults.clear(organizationId),
      deliveryPlans.clear(organizationId),
      keyRotation.restore(organizationId),
    ])
  const makeMoves = async (organizationId: string, moves: readonly DrillMove[]): Promise<void> => {
    for (const move of moves)
      if ('advance' in move) await clock.advance(organizationId, parseDuration(move.advance) ?? 0)
      else if ('rotate' in move) await keyRotation.begin(organizationId, parseDuration(move.rotate) ?? 0)
      else await clock.drain(organizationId)
  }

  /** The verdicts as soon as all pass, or the shop is quiet and nothing that it may still do changes them. */
  const verdicts = async (organizationId: string, since: number, ids: readonly string[]) => {
    const rules = CONDUCT_RULES.filter(({ id }) => ids.includes(id))
    const ended = now()
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    for (;;) {
      const traffic = await conduct.traffic(organizationId, since)
      const judged = judgeConduct(traffic, rules)
      const isIdle = traffic.calls.length === 0 && traffic.deliveries.length === 0
      const isQuiet = now() - Math.max(ended, lastActivityAt(traffic)) > QUIET_MS
      const isDone = (isQuiet || judged.every(({ verdict }) => verdict === 'pass')) && !isOpen(traffic, rules)
      if (isIdle || isDone || timeout.aborted) return judged
      await pause(50, timeout)
    }
  }

  return {
    list: all,
    find,
    /** The drill that is under way in an organization, as far as this replica knows. */
    underWay: (organizationId: string): DrillUnderWay | undefined => underWay.get(organizationId),
    /** Arms the faults and delivery plans of a drill; all others are disarmed first. */
    begin: async (organizationId: string, name: string): Promise<StartedDrill> => {
      const drill = find(name)
      await disarm(organizationId)
      for (const fault of drill.faults) await faults.arm(organizationId, fault)
      for (const plan of drill.plans) await deliveryPlans.arm(organizationId, plan)
      const since = now()
      underWay.set(organizationId, { name, since, run: 1 })
      return { drill, since }
    },
    /** Makes the moves between two runs of the checkout. */
    between: async (organizationId: string, name: string): Promise<void> => {
      await makeMoves(organizationId, find(name).between)
      const current = underWay.get(organizationId)
      if (current?.name === name) underWay.set(organizationId, { ...current, run: current.run + 1 })
    },
    /** Disarms, makes the closing moves, and judges the rules of the drill since it began. */
    end: async (organizationId: string, name: string, since: number): Promise<readonly JudgedConductRule[]> => {
      const { rules, afterwards } = find(name)
      await disarm(organizationId)
      if (underWay.get(organizationId)?.name === name) underWay.delete(organizationId)
      await makeMoves(organizationId, afterwards)
      return verdicts(organizationId, since, rules)
    },
  }
}

/** Whether a verdict would change if the shop did nothing more. */
const isOpen = (traffic: MerchantTraffic, rules: readonly ConductRule[]): boolean => {
  const verdictsOf = (until: number) => judgeConduct({ ...traffic, until }, rules).map(({ verdict }) => verdict)
  return verdictsOf(traffic.until).join() !== verdictsOf(Number.POSITIVE_INFINITY).join()
}

const lastActivityAt = ({ calls, deliveries }: MerchantTraffic): number =>
  Math.max(0, ...[...calls, ...deliveries.flatMap(({ attempts }) => attempts)].map(({ endedAt }) => endedAt))

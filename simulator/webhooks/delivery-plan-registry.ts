import { isJsonObject } from '../../contracts/protocol/canonical-json.ts'
import { DELIVERY_DEVIATIONS, type DeliveryDeviation, TIMED_DEVIATIONS } from '../payments/delivery-plan-rule.ts'
import { NOTIFICATION_TYPES } from '../payments/notification-types.ts'
import type { Store } from '../store/store.ts'
import type { DeliveryPlan, DeliveryPlanMatch } from '../store/webhook-store.ts'
import { ControlError, requireOneOf } from '../support/control-error.ts'
import { A_DURATION, DAY, parseDuration } from '../support/duration.ts'
import type { Ids } from '../support/ids.ts'
import { describeValue } from '../support/invalid-member-error.ts'
import { createOneAtATime } from '../support/one-at-a-time.ts'

/** Unvalidated input for a delivery plan; `after` is an ISO 8601 duration. */
type DeliveryPlanInput = Partial<Record<'match' | 'on' | 'do' | 'after' | 'times', unknown>>

const MATCHES = ['transactionId', 'clientTransactionId', 'payerId'] as const
const MAX_TIMES = 1000
const MAX_DELAY = 365 * DAY
/** Longest value of a match, in characters. */
const MAX_LENGTH = 255
/** Number of plans of an organization: each notification reads them all. */
const MAX_PLANS = 1000

/** Creates the registry of delivery plans, by which the next notifications differ, such as late or twice (6). */
export const createDeliveryPlanRegistry = ({ store, ids }: { store: Store; ids: Ids }) => {
  const oneAtATime = createOneAtATime()
  return {
    arm: async (organizationId: string, input: DeliveryPlanInput): Promise<DeliveryPlan> => {
      const plan = { planId: ids.uuid(), ...planOf(input) }
      return oneAtATime(organizationId, async () => {
        if ((await store.plans(organizationId)).length >= MAX_PLANS)
          throw new ControlError('conflict', `There are ${MAX_PLANS} delivery plans: disarm them before you arm more.`)
        await store.addPlan(organizationId, plan)
        return plan
      })
    },
    list: (organizationId: string): Promise<readonly DeliveryPlan[]> => store.plans(organizationId),
    clear: (organizationId: string): Promise<number> => store.clearPlans(organizationId),
  }
}

const planOf = ({ match = {}, on, do: effect, after, times = 1 }: DeliveryPlanInput): Omit<DeliveryPlan, 'planId'> => {
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1 || times > MAX_TIMES)
    throw new ControlError('invalid', `times is ${describeValue(times)}: give a whole number from 1 to ${MAX_TIMES}.`)
  const deviation = requireOneOf('do', effect, DELIVERY_DEVIATIONS)
  return {
    match: matchOf(match),
    do: deviation,
    left: times,
    ...(on === undefined ? {} : { on: requireOneOf('on', on, NOTIFICATION_TYPES) }),
    ...(after === undefined ? {} : { after: durationOf(after, deviation) }),
  }
}

const matchOf = (match: unknown): DeliveryPlanMatch => {
  const entries = isJsonObject(match) ? Object.entries(match) : [['', match]]
  const fit = entries.every(
    ([name, value]) =>
      MATCHES.some(known => known === name) && typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH,
  )
  if (fit) return Object.fromEntries(entries) as DeliveryPlanMatch
  throw new ControlError(
    'invalid',
    `match is ${describeValue(match)}: give texts of 1 to ${MAX_LENGTH} characters for any of ${MATCHES.join(', ')}.`,
  )
}

const durationOf = (text: unknown, deviation: DeliveryDeviation): number => {
  if (!TIMED_DEVIATIONS.includes(deviation))
    throw new ControlError(
      'invalid',
      `after is ${describeValue(text)}, and does not apply to ${deviation}: leave it out.`,
    )
  const milliseconds = typeof text === 'string' ? parseDuration(text) : undefined
  if (milliseconds !== undefined && milliseconds > 0 && milliseconds <= MAX_DELAY) return milliseconds
  throw new ControlError('invalid', `after is ${describeValue(text)}: give ${A_DURATION} such as PT30S, up to P365D.`)
}

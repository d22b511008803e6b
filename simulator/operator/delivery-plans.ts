import { DAY, parseDuration } from '../duration.ts'
import type { Ids } from '../ids.ts'
import { PLAN_DEEDS } from '../payments/delivery-plan.ts'
import type { Store } from '../store/port.ts'
import { type ArmedPlan, NOTIFICATION_TYPES, type PlanMatch } from '../webhooks/notification.ts'
import { OperatorError } from './operator-error.ts'

/** A plan as people ask for it; `after` is an ISO 8601 duration. */
export type PlanWish = Partial<Record<'match' | 'on' | 'do' | 'after' | 'times', unknown>>

const MATCHES = ['transactionId', 'clientTransactionId', 'payerId'] as const
const MOST_TIMES = 1000
const LONGEST = 365 * DAY

/** How the next notifications are to be delivered, where not as usual (6). */
export const createDeliveryPlans = ({ store, ids }: { store: Store; ids: Ids }) => ({
  arm: async (organizationId: string, wish: PlanWish): Promise<ArmedPlan> => {
    const plan = { planId: ids.uuid(), ...planOf(wish) }
    await store.addPlan(organizationId, plan)
    return plan
  },
  list: (organizationId: string): Promise<readonly ArmedPlan[]> => store.plans(organizationId),
  clear: (organizationId: string): Promise<number> => store.clearPlans(organizationId),
})

const planOf = ({ match, on, do: deed, after, times = 1 }: PlanWish): Omit<ArmedPlan, 'planId'> => {
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1 || times > MOST_TIMES)
    throw new OperatorError('invalid', `times is ${told(times)}: give a whole number from 1 to ${MOST_TIMES}.`)
  return {
    match: matchOf(match ?? {}),
    do: oneOf('do', deed, PLAN_DEEDS),
    left: times,
    ...(on === undefined ? {} : { on: oneOf('on', on, NOTIFICATION_TYPES) }),
    ...(after === undefined ? {} : { after: durationOf(after) }),
  }
}

const matchOf = (match: unknown): PlanMatch => {
  const entries = match !== null && typeof match === 'object' ? Object.entries(match) : [['', match]]
  const fit = entries.every(([name, value]) => MATCHES.some(known => known === name) && typeof value === 'string')
  if (fit) return Object.fromEntries(entries) as PlanMatch
  throw new OperatorError('invalid', `match is ${told(match)}: give texts for any of ${MATCHES.join(', ')}.`)
}

const oneOf = <const Word extends string>(member: string, word: unknown, words: readonly Word[]): Word => {
  const found = words.find(known => known === word)
  if (found !== undefined) return found
  throw new OperatorError('invalid', `${member} is ${told(word)}: give one of ${words.join(', ')}.`)
}

const durationOf = (text: unknown): number => {
  const milliseconds = typeof text === 'string' ? parseDuration(text) : undefined
  if (milliseconds !== undefined && milliseconds > 0 && milliseconds <= LONGEST) return milliseconds
  throw new OperatorError('invalid', `after is ${told(text)}: give an ISO 8601 duration such as PT30S, up to P365D.`)
}

const told = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60))

import type { Clock } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import type { ReplicaStore } from '../../store/port.ts'
import type { Call, Layer } from '../call.ts'
import type { HoldBack } from '../hold-back.ts'
import { spendingAlone, spendingTogether } from '../spending.ts'

type Parts = { clock: Clock; perSecond: number; replicas: ReplicaStore | undefined; holdBack: HoldBack }

/**
 * Calls that an organization may make each second, as many of them at once as it likes: beyond is 429/3000, before anything
 * of the call is looked at but its certificate (8, D-66, D-115).
 */
export const limitRate = ({ clock, perSecond, replicas, holdBack }: Parts): Layer => {
  const spend = replicas ? spendingTogether(replicas, perSecond) : spendingAlone(perSecond)
  if (perSecond === 0) return () => undefined
  const judge = ({ incoming }: Call, calls: number): void => {
    if (calls <= perSecond) return
    const retryAfter = Math.ceil((calls - perSecond) / perSecond)
    holdBack(incoming.socket, retryAfter)
    const sentence = `More than ${perSecond} calls in a second: wait as long as Retry-After says.`
    throw new Refusal('RATE_LIMITED', 'rate', sentence, { retryAfter })
  }
  return call => {
    const calls = spend(call.organization?.organizationId ?? '', clock.real())
    return typeof calls === 'number' ? judge(call, calls) : calls.then(counted => judge(call, counted))
  }
}

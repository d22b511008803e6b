import type { ReplicaCoordinationStore } from '../../store/replica-coordination-store.ts'
import type { Clock } from '../../support/clock.ts'
import { Refusal } from '../../support/refusal.ts'
import type { ApiCall, RequestLayer } from '../api-call.ts'
import type { PauseConnection } from '../pause-rate-limited-connection.ts'
import { createLocalRateLimiter, createSharedRateLimiter } from '../rate-limiter.ts'

type Parts = {
  clock: Clock
  perSecond: number
  replicas: ReplicaCoordinationStore | undefined
  pauseConnection: PauseConnection
}

/**
 * Creates the layer that limits the calls per second of each organization; a burst may use a whole second's calls.
 * Refuses the rest with 429/3000, before anything but the certificate is checked (8, D-66, D-115).
 */
export const limitRate = ({ clock, perSecond, replicas, pauseConnection }: Parts): RequestLayer => {
  const countCall = replicas ? createSharedRateLimiter(replicas, perSecond) : createLocalRateLimiter(perSecond)
  if (perSecond === 0) return () => undefined
  const refuseAbove = ({ incoming }: ApiCall, calls: number): void => {
    if (calls <= perSecond) return
    const retryAfter = Math.ceil((calls - perSecond) / perSecond)
    pauseConnection(incoming.socket, retryAfter)
    const sentence = `More than ${perSecond} calls in a second: wait as long as Retry-After says.`
    throw new Refusal('RATE_LIMITED', 'rate', sentence, { retryAfter })
  }
  return async call => refuseAbove(call, await countCall(call.organization.organizationId, clock.real()))
}

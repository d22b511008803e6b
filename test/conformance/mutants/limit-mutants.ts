import type { Profile } from '../../../contracts/harness/profile/profile.ts'
import type { IdentifiedCall } from '../../../simulator/http/api-call.ts'
import { limitRate } from '../../../simulator/http/layers/limit-rate.ts'
import { DEMO_ORGANIZATION } from '../../../simulator/organizations/organization-registry.ts'
import { createClock } from '../../../simulator/support/clock.ts'
import type { Mutant, Mutation } from './mutant.ts'
import { outermostLayer } from './simulator-mutations.ts'

/** A service that can be brought to its limits, and a profile that tells them. */
const LIMITS = { bodyBytes: 20_000, callsPerSecond: 20 }
const REACHED = { bodyLimit: LIMITS.bodyBytes, rateLimit: LIMITS.callsPerSecond }
const told = (profile: Profile): Profile => ({ ...profile, limits: LIMITS, notApplicable: {} })

/** Answers of 429 with another Retry-After, or none. */
const retryAfter =
  (value: string | undefined): Mutation =>
  (_dataDir, hits) =>
    outermostLayer(async (c, next) => {
      await next()
      const { responseHeaders: answerHeaders, refusal } = c.var.call
      if (refusal?.retryAfter === undefined) return
      hits.count += 1
      if (value === undefined) Object.assign(refusal, { retryAfter: undefined })
      else answerHeaders['retry-after'] = value
    })

/** One call in a second for the second organization: who comes back at once, as it was told to, is heard and refused again. */
const hasty: Mutation = async (dataDir, hits) => {
  const { layers } = await retryAfter('0')(dataDir, hits)
  const strict = limitRate({
    clock: createClock(),
    perSecond: 1,
    replicas: undefined,
    pauseConnection: () => undefined,
  })
  const other = (call: IdentifiedCall) =>
    call.organization.organizationId === DEMO_ORGANIZATION ? undefined : strict(call)
  return { layers: { ...layers, limitRate: other } }
}

const PART = { tier: '5', only: ['ERR-14', 'LIM-01', 'LIM-02'], profile: told }

// biome-ignore format: a table reads by its columns
export const LIMIT_MUTANTS: readonly Mutant[] = [
  { does: 'accepts bodies of any size',         caughtBy: ['ERR-14'], ...PART, config: { ...REACHED, bodyLimit: 1_000_000 } },
  { does: 'sends no Retry-After',   caughtBy: ['LIM-01'], ...PART, config: REACHED, mutation: retryAfter(undefined) },
  { does: 'sends a Retry-After that is too short',             caughtBy: ['LIM-02'], ...PART, config: REACHED, mutation: hasty },
]

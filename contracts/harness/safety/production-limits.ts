import { TIERS, type Tier } from '../judge/check.ts'
import type { Profile } from '../profile/profile.ts'
import { UnsafeError, UsageError } from '../run/command-errors.ts'

/**
 * Throws unless `typed` repeats the host of a production target; other environments need no confirmation (7). `option` is
 * where it is given.
 */
export const confirmHost = ({ target }: Profile, typed: string | undefined, option = '--confirm-host'): void => {
  if (target.environment !== 'production') return
  const { host } = new URL(target.baseUrl)
  if (typed === host) return
  throw new UnsafeError(
    typed === undefined
      ? `${target.baseUrl} is production: say ${option} ${host} if you mean it.`
      : `${option} says ${typed} and the address is ${target.baseUrl}: no call was made.`,
  )
}

const DEFAULT_TIER: Tier = 3
const PRODUCTION_CAP: Tier = 2

/** Returns the tier of a run: as asked, 3 by default, at most 2 (writes that must be refused) in production. */
export const effectiveTier = (profile: Profile, asked?: string): Tier => {
  const tier = asked === undefined ? DEFAULT_TIER : TIERS.find(known => String(known) === asked.replace(/^T/i, ''))
  if (tier === undefined) throw new UsageError(`There is no tier "${asked}": give one from 0 to 5.`)
  return profile.target.environment === 'production' && tier > PRODUCTION_CAP ? PRODUCTION_CAP : tier
}

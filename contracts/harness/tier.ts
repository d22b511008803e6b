import { TIERS, type Tier } from './check.ts'
import type { Profile } from './profile.ts'
import { UsageError } from './registry.ts'

const USUAL: Tier = 3
const PRODUCTION_CAP: Tier = 2

/** How far this run goes: as asked, and in production never beyond writes that must be refused. */
export const tierFor = (profile: Profile, asked?: string): Tier => {
  const tier = asked === undefined ? USUAL : TIERS.find(known => String(known) === asked.replace(/^T/i, ''))
  if (tier === undefined) throw new UsageError(`There is no tier "${asked}": give one from 0 to 5.`)
  return profile.target.environment === 'production' && tier > PRODUCTION_CAP ? PRODUCTION_CAP : tier
}

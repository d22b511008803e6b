import { CallError } from '../client/call-error.ts'
import type { Profile } from '../harness/profile.ts'
import { Blocked, Open } from '../harness/signals.ts'
import { lineOfProfile } from '../harness/slots.ts'
import type { World } from '../suites/world.ts'
import { scoutBeginning } from './beginning.ts'
import { scoutDecline, scoutMandate, scoutWebhook } from './declines.ts'
import { type Learned, merged, withFindings } from './finding.ts'
import { scoutOverrides } from './overrides.ts'
import { scoutStages } from './stages.ts'

/** In this order: what a later one builds on is learned by an earlier one. */
const PROBES = [scoutBeginning, scoutOverrides, scoutDecline, scoutStages, scoutMandate, scoutWebhook]

type InWorld = <Value>(profile: Profile, act: (world: World) => Promise<Value>) => Promise<Value>

/** What only payments can tell; needs a sandbox whose shoppers can be told what to do (S08 to S16, S22, S30). */
export const scoutPayments = async (given: Profile, inWorld: InWorld): Promise<Learned> => {
  let learned: Learned = merged([])
  let profile = given
  for (const probe of PROBES) {
    const { found, open } = await inWorld(profile, world => gently(probe(world)))
    const fresh = { found: found.filter(({ line }) => lineOfProfile(profile, line) === undefined), open }
    learned = merged([learned, fresh])
    profile = withFindings(profile, fresh)
  }
  return learned
}

/** A probe that finds no way is a line that stays open. */
export const gently = (probing: Promise<Learned>): Promise<Learned> =>
  probing.catch(error => {
    if (error instanceof CallError || error instanceof Blocked || error instanceof Open)
      return { found: [], open: [error.message] }
    throw error
  })

import { join } from 'node:path'
import type { Result } from '../../contracts/harness/check.ts'
import { type Profile, readProfile } from '../../contracts/harness/profile.ts'
import { choose, registryOf } from '../../contracts/harness/registry.ts'
import { run } from '../../contracts/harness/run.ts'
import { tierFor } from '../../contracts/harness/tier.ts'
import { JOURNEYS } from '../../contracts/suites/all.ts'
import { createWorld } from '../../contracts/suites/world.ts'
import type { TestSimulator } from '../support/simulator.ts'

export const SIMULATOR_PROFILE = join(import.meta.dirname, '../../contracts/profiles/simulator.yaml')

/** The shipped profile, pointed at this simulator. */
export const profileOf = ({ apiUrl, pagesUrl, kitFolder }: TestSimulator): Profile =>
  readProfile(SIMULATOR_PROFILE, { baseUrl: apiUrl, kit: kitFolder, control: pagesUrl })

/** Runs the suites as the command does and hands back the results. */
export const certify = async (
  profile: Profile,
  only: readonly string[] = [],
  asked?: string,
  journeys = JOURNEYS,
): Promise<Result[]> => {
  const tier = tierFor(profile, asked)
  const world = createWorld(profile, tier)
  try {
    const chosen = choose(registryOf(journeys), only)
    return await run({ journeys, profile, world, tier, chosen, transcript: world.transcript })
  } finally {
    world.close()
  }
}

/** Ids of the checks with one of these verdicts. */
export const idsOf = (results: readonly Result[], ...verdicts: Result['verdict'][]): string[] =>
  results
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ id }) => id)
    .sort()

/** What stands behind each result that is not one of these verdicts, so that a failing test explains itself. */
export const othersThan = (results: readonly Result[], ...verdicts: Result['verdict'][]): string[] =>
  results
    .filter(({ verdict }) => !verdicts.includes(verdict))
    .map(
      ({ id, verdict, reason, expected, got }) => `${id} ${verdict}: ${reason ?? `expected ${expected}, got ${got}`}`,
    )

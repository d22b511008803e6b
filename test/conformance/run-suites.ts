import { join } from 'node:path'
import type { CheckResult } from '../../contracts/harness/judge/check.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { createCheckRegistry, selectChecks } from '../../contracts/harness/run/check-registry.ts'
import { runScenarios } from '../../contracts/harness/run/run-scenarios.ts'
import { effectiveTier } from '../../contracts/harness/safety/production-limits.ts'
import { createCheckContext } from '../../contracts/suites/context/check-context.ts'
import type { ContextWrappers } from '../../contracts/suites/context/test-organization.ts'
import type { Clock } from '../../contracts/suites/drivers/clock.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import type { TestSimulator } from '../support/caller-stopped-simulator.ts'

export const SIMULATOR_PROFILE = join(import.meta.dirname, '../../contracts/profiles/simulator.yaml')

/** Returns the shipped simulator profile, pointed at a running test simulator. */
export const simulatorProfileAt = ({ apiUrl, pagesUrl, kitFolder }: TestSimulator): Profile =>
  readProfile(SIMULATOR_PROFILE, { baseUrl: apiUrl, kit: kitFolder, control: pagesUrl })

/** Runs the suites of checks against a profile in a test as `assay certify` does, and returns the results. */
export const runSuites = async (
  profile: Profile,
  only: readonly string[] = [],
  asked?: string,
  journeys = CHECK_SCENARIOS,
  wrappers: ContextWrappers = {},
): Promise<CheckResult[]> => {
  const tier = effectiveTier(profile, asked)
  const world = createCheckContext(profile, tier, wrappers)
  try {
    const chosen = selectChecks(createCheckRegistry(journeys), only)
    return await runScenarios({
      scenarios: journeys,
      profile,
      context: world,
      tier,
      chosen,
      transcript: world.transcript,
    })
  } finally {
    world.close()
  }
}

/** Returns the ids of the checks with one of these verdicts. */
export const idsWithVerdict = (results: readonly CheckResult[], ...verdicts: CheckResult['verdict'][]): string[] =>
  results
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ id }) => id)
    .sort()

/**
 * Lists check results with other verdicts than these, one line each with the reason, for assertions that explain
 * themselves.
 */
export const describeResultsExcept = (
  results: readonly CheckResult[],
  ...verdicts: CheckResult['verdict'][]
): string[] =>
  results
    .filter(({ verdict }) => !verdicts.includes(verdict))
    .map(
      ({ id, verdict, reason, expected, got }) => `${id} ${verdict}: ${reason ?? `expected ${expected}, got ${got}`}`,
    )

/**
 * Wraps a clock of the suites so that pauses between two reads pass at once, for a service that shows every effect at
 * once.
 */
export const withoutPauses = (clock: Clock): Clock => {
  let skipped = 0
  return {
    ...clock,
    now: () => clock.now() + skipped,
    pause: async ms => {
      skipped += ms
    },
  }
}

import type { CheckScenario } from '../harness/judge/check.ts'
import { openLines, withLine } from '../harness/profile/open-lines.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { runScenarios } from '../harness/run/run-scenarios.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import type { RunTarget } from './chosen-profile-and-checks.ts'

/** A profile line, and the number of checks that it alone would make testable; `shorter`: a time that gains fewer, fewest first. */
export type LineGain = { line: string; checks: number; shorter?: readonly LineGain[] }

/** Lines that only a simulator has, which no deployment gains by. */
const ONLY_OF_SIMULATORS = ['control.url', 'secondOrganization.create']

/** Finds what one more line of the profile would gain, most first, by planning with that line added. */
export const findLineGains = async (target: RunTarget): Promise<LineGain[]> => {
  const before = await countTestable(target, target.profile)
  const gains: LineGain[] = []
  for (const line of candidateLines(target)) {
    const checks = (await countTestable(target, withLine(target.profile, line))) - before
    if (checks > 0) gains.push({ line, checks })
  }
  return mergeTimes(gains.sort((a, b) => b.checks - a.checks))
}

/** Merges the lines that differ in a time alone, such as `patience: PT1H`, into the one that gains most. */
const mergeTimes = (gains: readonly LineGain[]): LineGain[] =>
  [...Map.groupBy(gains, ({ line }) => line.split(': ')[0]).values()].flatMap(([most, ...less]) => {
    if (most === undefined) return []
    return less.length === 0 ? [most] : [{ ...most, shorter: less.toReversed() }]
  })

const candidateLines = ({ profile, chosen }: RunTarget): ReadonlySet<string> => {
  const needs = CHECK_SCENARIOS.flatMap(scenario =>
    scenario.checks
      .filter(({ id }) => chosen.has(id))
      .flatMap(check => [...(scenario.needs ?? []), ...(check.needs ?? [])]),
  )
  return new Set(openLines(profile, [...new Set(needs)]).filter(line => !ONLY_OF_SIMULATORS.includes(line)))
}

const countTestable = async ({ tier, chosen }: RunTarget, profile: Profile): Promise<number> => {
  const scenarios = CHECK_SCENARIOS.map(unplayed)
  const results = await runScenarios({ scenarios, profile, context: undefined as never, tier, chosen })
  return results.filter(({ verdict }) => verdict === 'pass').length
}

const unplayed = (scenario: CheckScenario<CheckContext>): CheckScenario<CheckContext> => ({
  ...scenario,
  play: async () => undefined,
  checks: scenario.checks.map(({ observes: _, ...check }) => ({ ...check, judge: () => undefined })),
})

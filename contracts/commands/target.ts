import type { Tier } from '../harness/check.ts'
import { type Profile, readProfile } from '../harness/profile.ts'
import { choose, registryOf, UsageError } from '../harness/registry.ts'
import { tierFor } from '../harness/tier.ts'
import { JOURNEYS } from '../suites/all.ts'
import type { OptionName, Values } from './word.ts'

/** Options of every word that looks at a deployment. */
export const TARGET = ['profile', 'base-url', 'kit', 'control', 'only', 'tier'] as const satisfies readonly OptionName[]

/** What is to be judged, by which checks, and how far a run may go. */
export type Target = { profile: Profile; tier: Tier; only: readonly string[]; chosen: ReadonlySet<string> }

export const REGISTRY = registryOf(JOURNEYS)

/** The deployment and the checks that the options name. */
export const targetOf = (values: Values): Target => {
  const only = namesIn(values.only)
  const chosen = choose(REGISTRY, only)
  if (values.profile === undefined)
    throw new UsageError('Name a profile, such as --profile contracts/profiles/simulator.yaml.')
  const { 'base-url': baseUrl, kit, control } = values
  const overrides = {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(kit === undefined ? {} : { kit }),
    ...(control === undefined ? {} : { control }),
  }
  const profile = readProfile(values.profile, overrides)
  return { profile, tier: tierFor(profile, values.tier), only, chosen }
}

/** The checks and sections that `--only` names, however it was written. */
export const namesIn = (only: readonly string[] = []): string[] =>
  only
    .flatMap(text => text.split(','))
    .map(name => name.trim())
    .filter(Boolean)

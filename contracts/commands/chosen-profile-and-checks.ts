import type { Tier } from '../harness/judge/check.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { ProfileError, readProfile } from '../harness/profile/read-profile.ts'
import { commandOfRun } from '../harness/report/reproduction-command.ts'
import { createCheckRegistry, parseNames, selectChecks } from '../harness/run/check-registry.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { effectiveTier } from '../harness/safety/production-limits.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import type { OptionName, OptionValues } from './subcommand.ts'

/** Options of every subcommand of `assay certify` that judges or probes a deployment. */
export const TARGET_OPTIONS = [
  'profile',
  'base-url',
  'kit',
  'control',
  'only',
  'tier',
  'patience',
  'ask',
] as const satisfies readonly OptionName[]

/** Target of a certification run: the profile, the chosen checks, and the tier; `again`: the command that judges a check again. */
export type RunTarget = {
  profile: Profile
  tier: Tier
  only: readonly string[]
  chosen: ReadonlySet<string>
  again?: string
}

/** All checks of the suites, by id. */
export const CHECK_REGISTRY = createCheckRegistry(CHECK_SCENARIOS)

/** Reads the profile, as `read` does, and selects the checks that the options name; throws UsageError or ProfileError if wrong. */
export const readRunTarget = (values: OptionValues, read = readProfile): RunTarget => {
  const only = parseNames(values.only)
  selectChecks(CHECK_REGISTRY, only) // names that are none are reported before the profile is read
  if (values.profile === undefined)
    throw new UsageError('Name a profile, such as --profile contracts/profiles/simulator.yaml.')
  const { 'base-url': baseUrl, kit, control, patience, ask } = values
  if (ask) mustHaveTerminal()
  const overrides = {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(kit === undefined ? {} : { kit }),
    ...(control === undefined ? {} : { control }),
    ...(patience === undefined ? {} : { patience }),
    ...(ask && { ask }),
  }
  const profile = read(values.profile, overrides)
  refuseUnknownChecks(profile)
  const chosen = selectChecks(CHECK_REGISTRY, only, profile)
  const tier = effectiveTier(profile, values.tier)
  return { profile, tier, only, chosen, again: commandOf(values, profile, tier) }
}

/** Throws ProfileError where a profile gives a reason for a check that does not exist. */
export const refuseUnknownChecks = ({ file, notApplicable = {}, knownFailures = {} }: Profile): void => {
  for (const [line, reasons] of Object.entries({ notApplicable, knownFailures }))
    for (const id of Object.keys(reasons))
      if (!CHECK_REGISTRY.has(id))
        throw new ProfileError(`${file}: ${line}.${id} is no check: "assay certify list" names them all.`)
}

/** The command with every option that says what is judged and how. */
const commandOf = (values: OptionValues, { file, target }: Profile, tier: Tier): string => {
  const { kit, control, patience, ask, strict } = values
  const given = { kit, control, patience, ask, 'confirm-host': values['confirm-host'], strict }
  return commandOfRun({ profile: file, 'base-url': target.baseUrl, ...given, tier: String(tier) })
}

const mustHaveTerminal = (): void => {
  if (!process.stdin.isTTY)
    throw new UsageError('--ask needs a terminal at which a person answers: run it in one, or leave --ask out.')
}

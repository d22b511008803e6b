import type { Check, CheckScenario } from '../judge/check.ts'
import { controlIdFor } from '../profile/capabilities-that-checks-need.ts'
import type { Profile } from '../profile/profile.ts'
import { UsageError } from './command-errors.ts'

/**
 * Creates the registry of all checks by id, in run order; throws where the suites are inconsistent, as by a duplicate
 * id.
 */
export const createCheckRegistry = (journeys: readonly CheckScenario<never>[]): ReadonlyMap<string, Check> => {
  const registry = new Map<string, Check>()
  for (const check of journeys.flatMap(journey => journey.checks)) {
    if (registry.has(check.id)) throw new Error(`${check.id} is there twice: ids are unique.`)
    if (check.control !== undefined && !registry.has(check.control))
      throw new Error(`${check.id} has the control ${check.control}, which does not come before it.`)
    if (check.basis === 'assumed' && !check.observes && !check.decisions?.length)
      throw new Error(`${check.id} is assumed: name the decision it leans on, or only observe.`)
    registry.set(check.id, check)
  }
  return registry
}

/**
 * Parses the names of an `--only` option, which may be repeated and hold comma-separated names; none where it is not
 * given. Throws a UsageError, with an example of `what` it names, where it is given and names nothing.
 */
export const parseNames = (
  only: readonly string[] = [],
  { what, example } = { what: 'check', example: 'IDM-15' },
): string[] => {
  const names = only
    .flatMap(text => text.split(','))
    .map(name => name.trim())
    .filter(Boolean)
  if (only.length > 0 && names.length === 0)
    throw new UsageError(
      `--only "${only.join(' ')}" names nothing: name at least one ${what}, such as --only ${example}.`,
    )
  return names
}

/** Selects check ids by id or section such as SIG, with their controls in a deployment; all where no name is given. */
export const selectChecks = (
  registry: ReadonlyMap<string, Check>,
  names: readonly string[],
  profile: Pick<Profile, 'capabilities'> = {},
): Set<string> => {
  const ids = [...registry.keys()]
  if (names.length === 0) return new Set(ids)
  const named = names.flatMap(name => {
    const found = ids.filter(id => id === name.toUpperCase() || id.startsWith(`${name.toUpperCase()}-`))
    if (found.length === 0) throw new UsageError(`There is no check "${name}": "assay certify list" names them all.`)
    return found
  })
  return new Set(named.flatMap(id => withControls(registry, id, profile)))
}

const withControls = (
  registry: ReadonlyMap<string, Check>,
  id: string,
  profile: Pick<Profile, 'capabilities'>,
): string[] => {
  const control = controlIdFor(profile, registry.get(id)?.control)
  return control === undefined ? [id] : [...withControls(registry, control, profile), id]
}

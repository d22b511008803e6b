import type { Check, Journey } from './check.ts'

/** A mistake in what was asked for; one sentence with its cure. */
export class UsageError extends Error {}

/** All checks in the order in which they run. Throws where the suites break a rule of their own. */
export const registryOf = (journeys: readonly Journey<never>[]): ReadonlyMap<string, Check> => {
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

/** The checks named, each an id or a section such as SIG, with the controls that they need; all when none is named. */
export const choose = (registry: ReadonlyMap<string, Check>, names: readonly string[]): Set<string> => {
  const ids = [...registry.keys()]
  if (names.length === 0) return new Set(ids)
  const named = names.flatMap(name => {
    const found = ids.filter(id => id === name.toUpperCase() || id.startsWith(`${name.toUpperCase()}-`))
    if (found.length === 0) throw new UsageError(`There is no check "${name}": "assay certify list" names them all.`)
    return found
  })
  return new Set(named.flatMap(id => withControls(registry, id)))
}

const withControls = (registry: ReadonlyMap<string, Check>, id: string): string[] => {
  const control = registry.get(id)?.control
  return control === undefined ? [id] : [...withControls(registry, control), id]
}

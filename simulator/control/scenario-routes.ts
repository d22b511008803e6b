import type { Hono } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { toMagicValues } from '../scenarios/magic-values.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { SCENARIO_SCHEMA } from '../scenarios/scenario-schema.ts'
import { isoTime } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { formatDuration } from '../support/duration.ts'

/** Adds the route of the JSON schema of scenario files; it needs no token, as it holds no data and an editor sends none. */
export const addScenarioSchemaRoute = (control: Hono): void => {
  control.get('/scenarios/scenario.schema.json', c => c.json(SCENARIO_SCHEMA))
}

/** Adds the routes of control for the scenario catalogue (2.7, E2). */
export const addScenarioRoutes = (control: Hono, { scenarios }: ControlPlaneFeatures): void => {
  control.get('/scenarios', c => c.json({ scenarios: scenarios.all.map(scenarioBody) }))
  control.get('/scenarios/:name', c => {
    const name = c.req.param('name')
    const scenario = scenarios.find(name)
    if (!scenario) throw new ControlError('unknown', unknownScenario(name, scenarios.nearest(name)))
    return c.json(scenarioBody(scenario))
  })
}

const unknownScenario = (name: string, near: readonly string[]): string => {
  const cure = near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'GET /control/scenarios lists them.'
  return `There is no scenario ${name.slice(0, 64)}: ${cure}`
}

const DURATIONS: readonly string[] = ['after', 'decidedAfter', 'revokedAfter']
const INSTANTS: readonly string[] = ['registeredAt', 'expiresAt']

/** Converts a scenario to JSON as in its file, with the magic values that select it. */
const scenarioBody = (scenario: Scenario) => {
  const { name, title, clauses, providers, magic: _, ...rest } = scenario
  const magic = toMagicValues(scenario)
  return { name, title, clauses, providers, ...(magic ? { magic } : {}), ...(inFileFormat(rest) as typeof rest) }
}

/** Converts the durations and instants in a value to ISO 8601. */
const inFileFormat = (value: unknown, member = ''): unknown => {
  if (typeof value === 'number' && DURATIONS.includes(member)) return formatDuration(value)
  if (typeof value === 'number' && INSTANTS.includes(member)) return isoTime(value)
  if (Array.isArray(value)) return value.map(item => inFileFormat(item))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inFileFormat(part, name)]))
}

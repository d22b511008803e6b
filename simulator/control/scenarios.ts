import type { Hono } from 'hono'
import { isoTime } from '../clock.ts'
import { formatDuration } from '../duration.ts'
import type { Operator } from '../operator/operator.ts'
import { OperatorError } from '../operator/operator-error.ts'
import { magicValues } from '../scenarios/magic.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { SCENARIO_SCHEMA } from '../scenarios/schema.ts'

/** What there is to ask for by name or by magic value (2.7, E2), and the schema that editors want. */
export const addScenarioRoutes = (control: Hono, { scenarios }: Pick<Operator, 'scenarios'>): void => {
  control.get('/scenarios', c => c.json({ scenarios: scenarios.all.map(scenarioBody) }))
  control.get('/scenarios/scenario.schema.json', c => c.json(SCENARIO_SCHEMA))
  control.get('/scenarios/:name', c => {
    const name = c.req.param('name')
    const scenario = scenarios.find(name)
    if (!scenario) throw new OperatorError('unknown', noScenario(name, scenarios.nearest(name)))
    return c.json(scenarioBody(scenario))
  })
}

const noScenario = (name: string, near: readonly string[]): string => {
  const cure = near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'GET /control/scenarios lists them.'
  return `There is no scenario ${name.slice(0, 64)}: ${cure}`
}

const DURATIONS: readonly string[] = ['after', 'decidedAfter', 'revokedAfter']
const INSTANTS: readonly string[] = ['registeredAt', 'expiresAt']

/** A scenario as its file would write it, with the values that ask for it. */
const scenarioBody = (scenario: Scenario) => {
  const { name, title, clauses, providers, magic: _, ...rest } = scenario
  const values = magicValues(scenario)
  const magic = values && (providers.includes('BLIK') ? values : { amount: values.amount })
  return { name, title, clauses, providers, ...(magic ? { magic } : {}), ...(written(rest) as typeof rest) }
}

/** The same with durations and times as people write them. */
const written = (value: unknown, member = ''): unknown => {
  if (typeof value === 'number' && DURATIONS.includes(member)) return formatDuration(value)
  if (typeof value === 'number' && INSTANTS.includes(member)) return isoTime(value)
  if (Array.isArray(value)) return value.map(item => written(item))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, written(part, name)]))
}

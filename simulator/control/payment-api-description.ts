import { readFileSync } from 'node:fs'
import type { Context, Hono } from 'hono'
import { parse, stringify } from 'yaml'
import type { Dialect } from '../../contracts/dialect/dialect.ts'
import { dialectOpenApi } from '../../contracts/dialect/openapi/dialect-openapi.ts'
import { meaningOfChoice } from '../../contracts/read-decisions-table.ts'
import type { RouteDependencies } from './route-dependencies.ts'

const YAML = 'application/yaml; charset=utf-8'

/** Descriptions that were asked for; each is made once. */
const made = new WeakMap<Dialect, string>()

/** Responds with the OpenAPI 3.1 document of the payment API in an organization's dialect. */
export const respondDescription = (c: Context, dialect: Dialect): Response => {
  const text = made.get(dialect) ?? describe(dialect)
  made.set(dialect, text)
  return c.body(text, 200, { 'Content-Type': YAML })
}

const describe = ({ lines }: Dialect): string => {
  const own = readFileSync(new URL('../../contracts/openapi.yaml', import.meta.url), 'utf8')
  if (Object.keys(lines).length === 0) return own
  return stringify(dialectOpenApi(lines, parse(own), meaningOfChoice), { aliasDuplicateObjects: false, lineWidth: 120 })
}

/** Adds the route of control for the description of the payment API as an organization speaks it. */
export const addPaymentApiDescriptionRoute = (
  control: Hono,
  { controlPlane, organizationIdOf }: RouteDependencies,
): void => {
  control.get('/organizations/:organizationId/openapi.yaml', async c =>
    respondDescription(c, controlPlane.dialects.of(await organizationIdOf(c))),
  )
}

import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { parse } from 'yaml'

const YAML = 'application/yaml; charset=utf-8'

/** Routes of control's own OpenAPI description; they need no token, as it holds no data. */
export const addOpenApiDescriptionRoutes = (control: Hono): void => {
  control.get('/openapi.yaml', c => c.body(text(), 200, { 'Content-Type': YAML }))
  control.get('/openapi.json', c => c.json(parse(text())))
}

const text = (): string => readFileSync(new URL('./openapi.yaml', import.meta.url), 'utf8')

/** Body of GET /control: links to the main resources. */
export const CONTROL_INDEX = {
  about: 'Control of this sandbox: a REST API with JSON, beside the contract and not part of it.',
  version: '1.0.0',
  links: {
    description: '/control/openapi.yaml',
    organizations: '/control/organizations',
    journal: '/control/journal',
    kit: '/control/organizations/{organizationId}/kit',
    clock: '/control/organizations/{organizationId}/clock',
    scenarios: '/control/scenarios',
  },
} as const

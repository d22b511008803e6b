import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { parse } from 'yaml'

const YAML = 'application/yaml; charset=utf-8'

/** Control's own description, for programs that read it; open to everybody, as it tells nothing of anybody. */
export const addDescriptionRoutes = (control: Hono): void => {
  control.get('/openapi.yaml', c => c.body(text(), 200, { 'Content-Type': YAML }))
  control.get('/openapi.json', c => c.json(parse(text())))
}

const text = (): string => readFileSync(new URL('./openapi.yaml', import.meta.url), 'utf8')

/** Where to go on from the root. */
export const INDEX = {
  about: 'Control of this sandbox: JSON in, JSON out, beside the contract and never part of it.',
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

import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { parse } from 'yaml'

const YAML = 'application/yaml; charset=utf-8'

/** Routes of control's own OpenAPI description; they need no token, as it holds no data. */
export const addOpenApiDescriptionRoutes = (control: Hono): void => {
  control.get('/openapi.yaml', c => c.body(text(), 200, { 'Content-Type': YAML }))
  control.get('/openapi.json', c => c.json(readControlDescription()))
}

/** Reads control's own OpenAPI description. */
export const readControlDescription = () => parse(text())

const text = (): string => readFileSync(new URL('./openapi.yaml', import.meta.url), 'utf8')

import { readFileSync } from 'node:fs'
import type { Hono, MiddlewareHandler } from 'hono'
import { parse } from 'yaml'

const YAML = 'application/yaml; charset=utf-8'

/**
 * Adds the routes of control's own OpenAPI description; they need no token, as it holds no data, and are made once: it
 * takes 120 ms.
 */
export const addOpenApiDescriptionRoutes = (control: Hono): void => {
  const made: Record<string, string> = {}
  const once = (type: string, make: () => string): MiddlewareHandler => {
    return c => {
      made[type] ??= make()
      return Promise.resolve(c.body(made[type], 200, { 'Content-Type': type }))
    }
  }
  control.get('/openapi.yaml', once(YAML, text))
  control.get(
    '/openapi.json',
    once('application/json', () => JSON.stringify(readControlDescription())),
  )
}

let description: ReturnType<typeof parse> | undefined

/** Reads control's own OpenAPI description, once in a process: sandboxes in one process share it. */
export const readControlDescription = () => {
  description ??= parse(text())
  return description
}

const text = (): string => readFileSync(new URL('./openapi.yaml', import.meta.url), 'utf8')

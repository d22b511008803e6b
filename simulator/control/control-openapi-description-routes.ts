import { readFileSync } from 'node:fs'
import type { Hono, MiddlewareHandler } from 'hono'

/** Files of control's own OpenAPI description, with their types; the JSON is generated from the YAML. */
const FILES = {
  'openapi.yaml': 'application/yaml; charset=utf-8',
  'openapi.gen.json': 'application/json',
} as const

/** Adds the routes of control's own OpenAPI description; they need no token, as it holds no data. */
export const addOpenApiDescriptionRoutes = (control: Hono): void => {
  control.get('/openapi.yaml', respondWith('openapi.yaml'))
  control.get('/openapi.json', respondWith('openapi.gen.json'))
}

/** Reads control's own OpenAPI description. */
export const readControlDescription = () => JSON.parse(read('openapi.gen.json'))

const respondWith = (file: keyof typeof FILES): MiddlewareHandler => {
  let text: string | undefined
  return c => {
    text ??= read(file)
    return Promise.resolve(c.body(text, 200, { 'Content-Type': FILES[file] }))
  }
}

const read = (file: keyof typeof FILES): string => readFileSync(new URL(file, import.meta.url), 'utf8')

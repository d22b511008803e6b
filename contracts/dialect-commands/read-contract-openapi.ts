import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { OpenApiObject } from '../dialect/openapi/spoken-context.ts'

/** Reads contracts/openapi.yaml, the OpenAPI description of the document's own dialect. */
export const readOwnDocument = (): OpenApiObject =>
  parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'))

import { tryParseJson } from '../../../contracts/protocol/try-parse-json.ts'
import { createAjv } from '../../../contracts/schema/create-schema-validator.ts'
import { describeError, errorPath, truncate } from '../../../contracts/schema/describe-schema-error.ts'
import { isTooDeep } from '../../support/json-depth.ts'
import type { JsonSchema } from './json-schema-builders.ts'

const ajv = createAjv()

/**
 * Returns why a value of an imported snapshot violates a JSON schema, or undefined; ajv compiles each schema on first
 * use.
 */
export const validateValue = (name: string, value: unknown, shape: JsonSchema): string | undefined => {
  if (ajv.validate(shape, value))
    return shape.contentSchema ? validateJsonText(name, `${value}`, shape.contentSchema) : undefined
  const [error] = ajv.errors ?? []
  const path = error ? truncate(errorPath(error).join('.')) : ''
  return `${path && `${path} in `}${name} ${error ? describeError(error) : 'is not valid'}`
}

/** Checks JSON text against a schema; a record nests a request body one level deeper, hence the -1. */
const validateJsonText = (name: string, text: string, shape: JsonSchema): string | undefined => {
  if (isTooDeep(text, -1)) return `${name} is nested too deep`
  const value = tryParseJson(text)
  return value === undefined ? `${name} is no JSON` : validateValue(name, value, shape)
}

import { readFileSync } from 'node:fs'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { parse as parseYaml } from 'yaml'
import { createAjv } from '../../contracts/schema/create-schema-validator.ts'
import { describeError, errorPath, specificErrors } from '../../contracts/schema/describe-schema-error.ts'
import { truncate } from '../support/untrusted-text.ts'
import { createRequestMembers, type RequestMembers } from './request-members.ts'

/** Maximum number of invalid fields that one refusal reports. */
const MAX_FIELDS = 20

/** Validates requests by the schemas of openapi.yaml, and knows the members that these name. */
export type RequestValidator = {
  /** Messages of the invalid members by dotted path, none if valid; members that `has` denies do not count. */
  faults(schema: string, value: unknown, has?: (path: string) => boolean): Record<string, string>
  members: RequestMembers
}

/** Creates the validator of requests by the schemas of openapi.yaml, each compiled on first use. */
export const createRequestValidator = (): RequestValidator => {
  const { components } = parseYaml(readFileSync(new URL('../../contracts/openapi.yaml', import.meta.url), 'utf8'))
  const ajv = createAjv({ allErrors: true, validateSchema: false }) // a test validates the description
  ajv.addVocabulary(['components'])
  ajv.addSchema({ $id: 'contract', components })
  const compiled = new Map<string, ValidateFunction>()
  return {
    faults: (schema, value, has = () => true) => {
      const check = compiled.get(schema) ?? ajv.compile({ $ref: `contract#/components/schemas/${schema}` })
      compiled.set(schema, check)
      if (check(value)) return {}
      return fieldsOf(specificErrors(check.errors).filter(error => has(errorPath(error).join('.'))))
    },
    members: createRequestMembers(components.schemas),
  }
}

/** Returns the message of the first error of each field, by the field's dotted path. */
const fieldsOf = (errors: readonly ErrorObject[]): Record<string, string> => {
  const fields = new Map<string, string>() // safe for any field name, such as __proto__
  for (const error of errors) {
    const path = errorPath(error).map(truncate).join('.') || 'body'
    if (!fields.has(path)) fields.set(path, describeError(error, PATTERN_DESCRIPTIONS))
    if (fields.size >= MAX_FIELDS) break
  }
  return Object.fromEntries(fields)
}

/** Descriptions of the patterns in openapi.yaml, for error messages; a pattern not listed is shown as it is. */
// biome-ignore format: a table reads by its columns
export const PATTERN_DESCRIPTIONS: Readonly<Record<string, string>> = {
  '^[0-9]{6}$':                                       'six digits',
  '^[0-9]{4,15}$':                                    'four to fifteen digits',
  '^\\+[1-9][0-9]{0,2}$':                             'a plus sign and one to three digits, such as +48',
  '^[A-Z]{2}$':                                       'two capital letters, such as PL',
  '^[A-Z]{3}$':                                       'three capital letters, such as PLN',
  '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$':   'a BIC of 8 or 11 characters',
  '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$':           'a language, such as pl or pl-PL',
  '^[A-Z][A-Z0-9_]{0,63}$':                           'a name in capital letters, such as OK',
  '^https?://[^/?#@]+([/?#]|$)':                      'an address that begins with http:// or https:// and a host',
}

import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { RETURN_ADDRESS_PATTERN } from '../../contracts/protocol/return-url.ts'
import { createAjv } from '../../contracts/schema/create-schema-validator.ts'
import { describeError, errorPath, specificErrors } from '../../contracts/schema/describe-schema-error.ts'
import { createRequestMembers, type RequestMembers } from '../../contracts/schema/known-and-unknown-request-members.ts'
import { readOpenapiSchemas } from '../../contracts/schema/read-openapi-schemas.ts'
import { parseInstant } from '../support/clock.ts'
import { truncate } from '../support/untrusted-text.ts'

/** Maximum number of invalid fields that one refusal reports. */
const MAX_FIELDS = 20

/**
 * Faults of a request that failed validation: messages of invalid members by dotted path, and the paths of which one is
 * enough.
 */
export type RequestFaults = { fields: Record<string, string>; alternatives: readonly string[][] }

/** Validator of requests by the schemas of openapi.yaml, which also knows the members that these name. */
export type RequestValidator = {
  /** The invalid members, none if valid; members that `has` denies do not count. */
  faults(schema: string, value: unknown, has?: (path: string) => boolean): RequestFaults
  members: RequestMembers
}

/** Creates the validator of requests by the schemas of openapi.yaml, each compiled on first use. */
export const createRequestValidator = (): RequestValidator => {
  const schemas = readOpenapiSchemas()
  const ajv = createAjv({ allErrors: true, validateSchema: false }) // a test validates the description
  ajv.addVocabulary(['components'])
  const { validate: hasTimeFormat } = ajv.formats['date-time'] as { validate(text: string): boolean }
  ajv.addFormat('date-time', text => hasTimeFormat(withSeconds(text)) && isOfFourDigitYear(text))
  ajv.addSchema({ $id: 'contract', components: { schemas } })
  const compiled = new Map<string, ValidateFunction>()
  return {
    faults: (schema, value, has = () => true) => {
      const check = compiled.get(schema) ?? ajv.compile({ $ref: `contract#/components/schemas/${schema}` })
      compiled.set(schema, check)
      const errors = check(value) ? [] : specificErrors(check.errors).filter(error => has(errorPath(error).join('.')))
      return { fields: fieldsOf(errors), alternatives: alternativesOf(errors) }
    },
    members: createRequestMembers(schemas),
  }
}

/** Completes a time without seconds, as ISO 8601 has it, to one of RFC 3339 (D-80). */
const withSeconds = (time: string): string => time.replace(/^(.{11}\d\d:\d\d)(?=[Z+-])/i, '$1:00')

/** Whether a response could tell a time: in UTC its year has four digits (D-38). */
const isOfFourDigitYear = (time: string): boolean => {
  const year = new Date(parseInstant(time)).getUTCFullYear()
  return year >= 0 && year <= 9999
}

const isAlternative = ({ keyword, schemaPath }: ErrorObject): boolean =>
  keyword === 'required' && schemaPath.split('/').at(-3) === 'anyOf'

/** Returns the dotted paths of members of which one is enough, such as the two that name a payer (2.3). */
const alternativesOf = (errors: readonly ErrorObject[]): string[][] =>
  [...Map.groupBy(errors.filter(isAlternative), ({ instancePath }) => instancePath).values()].map(group =>
    group.map(error => pathOf(error)),
  )

const pathOf = (error: ErrorObject): string => errorPath(error).map(truncate).join('.') || 'body'

/** Returns the message of the first error of each field, by the field's dotted path. */
const fieldsOf = (errors: readonly ErrorObject[]): Record<string, string> => {
  const fields = new Map<string, string>() // safe for any field name, such as __proto__
  for (const error of errors) {
    const path = pathOf(error)
    const description = describeError(error, PATTERN_DESCRIPTIONS)
    if (!fields.has(path))
      fields.set(path, isAlternative(error) ? `${description}: one of these is needed` : description)
    if (fields.size >= MAX_FIELDS) break
  }
  return Object.fromEntries(fields)
}

/** Descriptions of the patterns in openapi.yaml, for error messages; a pattern not listed is shown as it is. */
// biome-ignore format: a table reads by its columns
export const PATTERN_DESCRIPTIONS: Readonly<Record<string, string>> = {
  '^[0-9]{6}$':                                       'six digits',
  '^[0-9]{6,10}$':                                    'six to ten digits',
  '^\\+[0-9]{1,4}$':                                  'a plus sign and one to four digits, such as +48',
  '^[A-Z]{2}$':                                       'two capital letters, such as PL',
  '^[A-Z]{3}$':                                       'three capital letters, such as PLN',
  '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$':   'a BIC of 8 or 11 characters',
  '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$':           'a language, such as pl or pl-PL',
  '^[A-Z][A-Z0-9_]{0,63}$':                           'a name in capital letters, such as OK',
  [RETURN_ADDRESS_PATTERN]:
    'an address that begins with http:// or https:// and a host, or with the scheme of an app and a slash, such as myshop://back',
}

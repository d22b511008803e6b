import type { ErrorObject } from 'ajv/dist/2020.js'
import { hideUserInfo } from '../protocol/user-info.ts'

/** Keywords whose errors only repeat the errors of their subschemas. */
const COMPOSITE_KEYWORDS: readonly string[] = ['if', 'allOf', 'anyOf']

/**
 * Returns the JSON schema errors other than those that only repeat the errors of their subschemas, or name the type of
 * an alternative where the value has that of another.
 */
export const specificErrors = (errors: readonly ErrorObject[] | null | undefined): ErrorObject[] => {
  const specific = (errors ?? []).filter(({ keyword }) => !COMPOSITE_KEYWORDS.includes(keyword))
  return specific.filter(
    ({ keyword, schemaPath, instancePath }) =>
      keyword !== 'type' ||
      !schemaPath.includes('/anyOf/') ||
      !specific.some(other => other.keyword !== 'type' && other.instancePath === instancePath),
  )
}

/** Returns the path from the top of a value to what a JSON schema error is about, maybe a missing or unknown member. */
export const errorPath = ({ instancePath, keyword, params }: ErrorObject): string[] => {
  const parts = instancePath.split('/').slice(1)
  const path = parts.map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (keyword === 'required') path.push(String(params.missingProperty))
  if (keyword === 'additionalProperties') path.push(String(params.additionalProperty))
  if (keyword === 'unevaluatedProperties') path.push(String(params.unevaluatedProperty))
  return path
}

/**
 * Describes a JSON schema error as the predicate of the sentence that `errorPath` begins, such as `is missing`. A
 * pattern is described by `patterns`, or by the description of its schema if the validator is verbose.
 */
export const describeError = (
  { keyword, params, message, parentSchema }: ErrorObject,
  patterns: Readonly<Record<string, string>> = {},
): string => {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not known here'
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'const':
      return `must be ${params.allowedValue}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'not':
    case 'pattern': {
      const description = patterns[params.pattern] ?? parentSchema?.description
      return description === undefined ? `${message}` : `must be ${description}`
    }
    case 'type':
      return `must be ${TYPES[String(params.type)] ?? params.type}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'maxProperties':
      return `must have at most ${params.limit} members`
    case 'format':
      return `must be ${FORMATS[params.format] ?? `of the format ${params.format}`}`
    default:
      return message ?? 'is not valid'
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'a time with its zone, such as 2026-01-31T12:00:00Z',
  date: 'a day, such as 2026-01-31',
  uuid: 'a UUID',
  uri: 'an address, such as https://shop.example/back',
  url: 'an address, such as https://shop.example/back, without a user name or password',
}

/** Describes a JSON schema error with the value it is about, unless the schema marks that as a secret (`writeOnly`). */
export const describeErrorAndValue = (error: ErrorObject): string => {
  const { keyword, data, parentSchema } = error
  const isOfName = ['required', 'additionalProperties', 'unevaluatedProperties'].includes(keyword)
  const description = describeError(error)
  return isOfName || parentSchema?.writeOnly ? description : `${description}, not ${shown(data)}`
}

/** Returns a value for an error message: of a list or an object only its kind, else its JSON, truncated. */
const shown = (data: unknown): string => {
  if (typeof data === 'number') return String(data) // JSON has no Infinity and no NaN
  if (data === null || typeof data !== 'object') return truncate(hideUserInfo(JSON.stringify(data)))
  return Array.isArray(data) ? 'a list' : 'an object'
}

/** Truncates a text for a one-line error message. */
export const truncate = (text: string, longest = 60): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text

import type { ErrorObject } from 'ajv/dist/2020.js'
import { createAjv } from '../../contracts/schema/create-schema-validator.ts'
import { describeError, errorPath, truncate } from '../../contracts/schema/describe-schema-error.ts'
import { findSimilarNames } from './scenario-catalogue.ts'
import { SCENARIO_SCHEMA } from './scenario-schema.ts'

/** An issue in a scenario file: path from the top, and a sentence; `key` is set if the member's name is wrong. */
export type ScenarioIssue = { path: readonly string[]; key?: boolean; sentence: string }

/**
 * A function that checks the content of a scenario file by its JSON schema (2.7); returns the issues, none if it is
 * valid.
 */
export type CheckAgainstSchema = (content: unknown) => ScenarioIssue[]

/** Creates the function that checks scenario files by their JSON schema. */
export const createCheckAgainstSchema = (): CheckAgainstSchema => {
  const check = createAjv({ allErrors: true, verbose: true }).compile(SCENARIO_SCHEMA)
  return content => (check(content) ? [] : remarksOf(check.errors ?? []))
}

type Schema = {
  $ref?: string
  title?: string
  type?: string
  enum?: readonly string[]
  examples?: readonly unknown[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
}

/** Converts ajv errors to one issue per path, from its most specific error. */
const remarksOf = (errors: readonly ErrorObject[]): ScenarioIssue[] => {
  const choices = new Map(
    errors.flatMap(({ keyword, instancePath, data }) => (keyword === 'anyOf' ? [[instancePath, data] as const] : [])),
  )
  const relevant = errors.filter(error => isRelevant(error, choices))
  const errorsByPath = Map.groupBy(relevant, error => JSON.stringify(errorPath(error)))
  return [...errorsByPath.values()].flatMap(several => {
    const error = several.find(({ keyword }) => keyword === 'enum') ?? several[0]
    return error ? [remarkOf(error)] : []
  })
}

/** Whether an error belongs to the alternative of an anyOf that the value was meant for; true outside of an anyOf. */
const isRelevant = ({ keyword, instancePath }: ErrorObject, choices: ReadonlyMap<string, unknown>): boolean => {
  if (!choices.has(instancePath)) return true
  const tried = choices.get(instancePath)
  if (typeof tried === 'string') return keyword === 'enum'
  return isObject(tried) ? !['type', 'enum', 'anyOf'].includes(keyword) : keyword === 'anyOf'
}

const remarkOf = (error: ErrorObject): ScenarioIssue => {
  const path = errorPath(error)
  const name = path.at(-1) ?? ''
  const { properties = {}, ...schema } = error.parentSchema as Schema
  switch (error.keyword) {
    case 'additionalProperties': {
      const known = Object.keys(properties)
      const [close] = findSimilarNames(name, known)
      const remedy = close ? `did you mean ${close}?` : `give ${known.join(', ')}.`
      return { path, key: true, sentence: `${quoted(name)} ${describeError(error)}: ${remedy}` }
    }
    case 'required': {
      const remedy = `add ${wanted(resolved(properties[name]))}.`
      return { path, sentence: `${nameOf(path)} ${describeError(error)}: ${remedy}` }
    }
    default:
      return {
        path,
        sentence: `${nameOf(path)} ${messageOf(error, schema, isRequired(path) ? '' : ', or leave it out')}.`,
      }
  }
}

/** Resolves a `$ref` to its definition. */
const resolved = (schema: Schema = {}): Schema => {
  const definitions: Readonly<Record<string, Schema>> = SCENARIO_SCHEMA.$defs
  return (schema.$ref && definitions[schema.$ref.replace('#/$defs/', '')]) || schema
}

/** Whether the schema requires the member at a path. */
const isRequired = (path: readonly string[]): boolean => {
  const parent = path
    .slice(0, -1)
    .reduce<Schema>((schema, name) => resolved(schema.properties?.[name] ?? schema.items), SCENARIO_SCHEMA)
  return parent.required?.includes(path.at(-1) ?? '') ?? false
}

const messageOf = ({ instancePath, keyword, data, params }: ErrorObject, schema: Schema, orNone: string): string => {
  if (instancePath === '' && keyword === 'type') return 'is no list of scenarios: begin it with "scenarios:"'
  if (data === null) return `is empty: give ${wanted(schema)}${orNone}`
  if (keyword === 'minProperties' || keyword === 'minItems') return `is empty: fill it${orNone}`
  if (keyword === 'uniqueItems') return `has ${quoted((data as unknown[])[params.i])} twice: drop one`
  if (
    typeof data === 'number' &&
    (schema.type === 'string' || keyword === 'anyOf') &&
    !schema.enum?.includes('approved')
  )
    return `is the number ${data}: put it in quotes and give ${wanted(schema)}`
  if (keyword !== 'enum') return `is ${quoted(data)}: give ${wanted(schema)}`
  const words = params.allowedValues as string[]
  const [close] = typeof data === 'string' ? findSimilarNames(data, words) : []
  return `is ${quoted(data)}: ${close && words.length > 4 ? `did you mean ${close}? There are` : 'give one of'} ${words.join(', ')}`
}

const wanted = ({ title, type, examples, enum: words }: Schema): string => {
  if (words) return `one of ${words.join(', ')}`
  if (examples?.length) return `${title}, such as ${JSON.stringify(examples[0])}`
  return title ?? { object: 'entries of name: value', array: 'a list' }[type ?? ''] ?? 'something else'
}

/** Names a path in messages, relative to its scenario. */
const nameOf = (path: readonly string[]): string => (path.length > 2 ? path.slice(2) : path).join('.') || 'The file'

const quoted = (value: unknown): string => truncate(JSON.stringify(value) ?? 'nothing')

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { nearest } from './catalogue.ts'
import { SCENARIO_SCHEMA } from './schema.ts'

/** A place in a file, as the way to it from the top, and the sentence about it; `key` where its name is at fault. */
export type Remark = { path: readonly string[]; key?: boolean; sentence: string }

/** Tells in words what of a file is not as the schema wants it (2.7); nothing where all is. */
export type CheckShape = (content: unknown) => Remark[]

export const createCheckShape = (): CheckShape => {
  const check = new Ajv2020({ allErrors: true, verbose: true, strict: true }).compile(SCENARIO_SCHEMA)
  return content => (check(content) ? [] : remarksOf(check.errors ?? []))
}

type Schema = {
  $ref?: string
  title?: string
  type?: string
  enum?: readonly string[]
  examples?: readonly unknown[]
  properties?: Readonly<Record<string, Schema>>
}

/** One remark for each place, by the complaint that says most. */
const remarksOf = (errors: readonly ErrorObject[]): Remark[] => {
  const choices = new Map(
    errors.flatMap(({ keyword, instancePath, data }) => (keyword === 'anyOf' ? [[instancePath, data] as const] : [])),
  )
  const telling = errors.filter(error => tells(error, choices))
  const places = Map.groupBy(telling, error =>
    JSON.stringify([wayTo(error), error.keyword === 'required' && error.params]),
  )
  return [...places.values()].flatMap(several => {
    const error = several.find(({ keyword }) => keyword === 'enum') ?? several[0]
    return error ? [remarkOf(error)] : []
  })
}

/** Of the ways to write one thing only that counts which was tried. */
const tells = ({ keyword, instancePath }: ErrorObject, choices: ReadonlyMap<string, unknown>): boolean => {
  if (!choices.has(instancePath)) return true
  const tried = choices.get(instancePath)
  if (typeof tried === 'string') return keyword === 'enum'
  return isObject(tried) ? !['type', 'enum', 'anyOf'].includes(keyword) : keyword === 'anyOf'
}

const wayTo = ({ instancePath, keyword, params }: ErrorObject): string[] => {
  const way = instancePath
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keyword === 'additionalProperties' ? [...way, String(params.additionalProperty)] : way
}

const remarkOf = (error: ErrorObject): Remark => {
  const path = wayTo(error)
  const schema = error.parentSchema as Schema
  if (error.keyword === 'additionalProperties') return { path, key: true, sentence: unknownMember(path, schema) }
  if (error.keyword === 'required') return { path, sentence: missing(path, error.params.missingProperty, schema) }
  return { path, sentence: `${nameOf(path)} ${sayingOf(error, schema)}.` }
}

const unknownMember = (path: readonly string[], { properties = {} }: Schema): string => {
  const name = path.at(-1) ?? ''
  const known = Object.keys(properties)
  const [close] = nearest(name, known)
  return `${quoted(name)} is not known here: ${close ? `did you mean ${close}?` : `give ${known.join(', ')}.`}`
}

const missing = (path: readonly string[], name: string, { properties = {} }: Schema): string =>
  `${nameOf([...path, name])} is missing: add ${wanted(resolved(properties[name]))}.`

/** What a reference leads to. */
const resolved = (schema: Schema = {}): Schema => {
  const definitions: Readonly<Record<string, Schema>> = SCENARIO_SCHEMA.$defs
  return (schema.$ref && definitions[schema.$ref.replace('#/$defs/', '')]) || schema
}

const sayingOf = ({ instancePath, keyword, data, params }: ErrorObject, schema: Schema): string => {
  if (instancePath === '' && keyword === 'type') return 'is no list of scenarios: begin it with "scenarios:"'
  if (data === null) return `is empty: give ${wanted(schema)}, or leave it out`
  if (keyword === 'minProperties' || keyword === 'minItems') return 'is empty: fill it, or leave it out'
  if (keyword === 'uniqueItems') return `has ${quoted((data as unknown[])[params.i])} twice: drop one`
  if (
    typeof data === 'number' &&
    (schema.type === 'string' || keyword === 'anyOf') &&
    !schema.enum?.includes('approved')
  )
    return `is the number ${data}: put it in quotes and give ${wanted(schema)}`
  if (keyword !== 'enum') return `is ${quoted(data)}: give ${wanted(schema)}`
  const words = params.allowedValues as string[]
  const [close] = typeof data === 'string' ? nearest(data, words) : []
  return `is ${quoted(data)}: ${close && words.length > 4 ? `did you mean ${close}? There are` : 'give one of'} ${words.join(', ')}`
}

const wanted = ({ title, type, examples, enum: words }: Schema): string => {
  if (words) return `one of ${words.join(', ')}`
  if (examples?.length) return `${title}, such as ${JSON.stringify(examples[0])}`
  return title ?? { object: 'entries of name: value', array: 'a list' }[type ?? ''] ?? 'something else'
}

/** How a place is called: within its scenario where it is in one. */
const nameOf = (path: readonly string[]): string => (path.length > 2 ? path.slice(2) : path).join('.') || 'The file'

const quoted = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

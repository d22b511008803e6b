import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { writeMember } from '../../contracts/dialect/json-pointer.ts'
import { dialectOpenApi } from '../../contracts/dialect/openapi/dialect-openapi.ts'
import { createSpokenContext } from '../../contracts/dialect/openapi/spoken-context.ts'
import { OPERATION_NAMES, OPERATIONS, operationAddress } from '../../contracts/operations.ts'
import { isJsonObject, type JsonObject } from '../../contracts/protocol/canonical-json.ts'
import { meaningOfChoice } from '../../contracts/read-decisions-table.ts'
import { createAjv } from '../../contracts/schema/create-schema-validator.ts'
import { linesOf } from './lines-of-test-dialects.ts'

const ROOT = join(import.meta.dirname, '../..')
const OWN = parse(readFileSync(join(ROOT, 'contracts/openapi.yaml'), 'utf8'))

type Content = Record<string, { example?: JsonObject; examples?: Record<string, { $ref: string }> }>

/** Every example of a JSON request of the document, with its operation. */
const examples = OPERATION_NAMES.flatMap(operation => {
  const methods = Object.values(
    OWN.paths as Record<string, Record<string, { operationId: string; requestBody?: { content: Content } }>>,
  )
  const written = methods
    .flatMap(Object.values<{ operationId: string; requestBody?: { content: Content } }>)
    .find(one => one.operationId === operation)
  const { example, examples: named = {} } = written?.requestBody?.content['application/json'] ?? {}
  const values = Object.values(named).map(({ $ref }) => OWN.components.examples[$ref.split('/').at(-1) ?? ''].value)
  return [...(example ? [example] : []), ...values].map((value: JsonObject) => ({ operation, value }))
})

/** Paths of all members of a message. */
const pathsIn = (value: unknown): string[][] =>
  isJsonObject(value)
    ? Object.entries(value).flatMap(([name, inner]) => [[name], ...pathsIn(inner).map(path => [name, ...path])])
    : []

const without = (message: JsonObject, [name = '', ...rest]: string[]): JsonObject => {
  const { [name]: member, ...others } = message
  return rest.length > 0 && isJsonObject(member) ? { ...others, [name]: without(member, rest) } : others
}

const withMember = (message: JsonObject, path: string[], value: unknown): JsonObject => {
  const copy = structuredClone(message)
  writeMember(copy, path, value)
  return copy
}

/** An example, and the same with a member less or another value: most of them are invalid. */
const mutated = (value: JsonObject): JsonObject[] => [
  value,
  ...pathsIn(value).flatMap(path => [
    without(value, path),
    ...[0.5, true, 'x'.repeat(300)].map(wrong => withMember(value, path, wrong)),
  ]),
]

const validators = (description: JsonObject) => {
  const ajv = createAjv({ strictTypes: false })
  ajv.addVocabulary(['components', 'example'])
  ajv.addSchema({ $id: 'api', components: { schemas: (description.components as JsonObject).schemas } })
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (schema: string, value: unknown): boolean => {
    const validate = compiled.get(schema) ?? ajv.compile({ $ref: `api#/components/schemas/${schema}` })
    compiled.set(schema, validate)
    return validate(value) === true
  }
}

const accepts = validators(OWN)

describe.each(['', 'snake-case', 'bookkeeping', 'coarse-states'])(
  'the schemas of requests in the dialect "%s"',
  name => {
    const lines = linesOf(name)
    const spokenAccepts = validators(dialectOpenApi(lines, OWN, meaningOfChoice))
    const { requests } = createSpokenContext(lines, OWN)
    const posted = examples.filter(({ operation }) => operationAddress(operation, lines.paths).method === 'POST')

    test.each(posted)('judge mutated examples of $operation as the document does', ({ operation, value }) => {
      const schema = OPERATIONS[operation].schema ?? ''
      const verdicts = mutated(value).map(message => ({
        message,
        own: accepts(schema, message),
        spoken: spokenAccepts(schema, requests.json(operation, message)),
      }))
      expect(verdicts.filter(({ own, spoken }) => own !== spoken)).toEqual([])
      expect(verdicts.some(({ own }) => !own) || operation === 'search' || operation === 'providers').toBe(true)
    })
  },
)

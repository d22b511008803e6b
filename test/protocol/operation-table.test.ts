import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { OPERATION_NAMES, OPERATIONS, PROVIDER_OPERATIONS, SCOPES } from '../../contracts/operations.ts'

type Content = Record<string, { schema: { $ref: string } }>
type DescribedOperation = {
  operationId: string
  tags: string[]
  security: { token?: string[] }[]
  parameters?: { $ref?: string; in?: string; schema?: { $ref?: string } }[]
  requestBody?: { content: Content }
}

const { paths, components } = parse(readFileSync(new URL('../../contracts/openapi.yaml', import.meta.url), 'utf8'))

const schemaOf = ({ requestBody, parameters = [] }: DescribedOperation) => {
  const body = Object.values(requestBody?.content ?? {})[0]
  const query = parameters.find(parameter => parameter.in === 'query')
  return (body ?? query)?.schema?.$ref?.split('/').at(-1)
}

const described = Object.entries<Record<string, DescribedOperation>>(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    operation: operation.operationId,
    method: method.toUpperCase(),
    path,
    keyed: operation.parameters?.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')) === true,
    scope: operation.security.flatMap(({ token }) => token ?? []).join(' ') || undefined,
    schema: schemaOf(operation),
    sandboxOnly: operation.tags.includes('sandbox') || undefined,
  })),
)

test('the table of operations and openapi.yaml describe the same operations', () => {
  const rows = OPERATION_NAMES.map(operation => ({ operation, sandboxOnly: undefined, ...OPERATIONS[operation] }))
  const byName = (one: { operation: string }, other: { operation: string }) =>
    one.operation.localeCompare(other.operation)
  expect(rows.toSorted(byName)).toEqual(described.toSorted(byName))
})

test('the schema of each request exists', () => {
  const schemas = OPERATION_NAMES.flatMap(name => OPERATIONS[name].schema ?? [])
  expect(schemas.filter(name => !(name in components.schemas))).toEqual([])
})

test('2.7: a mock has a step for each operation that calls a provider, under either of two names', () => {
  const { properties } = components.schemas.MockSteps
  const names = PROVIDER_OPERATIONS.flatMap(name => [name, `${name}Step`])
  expect(Object.keys(properties).sort()).toEqual(names.sort())
})

test('5.3: every scope of the table is granted by the token endpoint', () => {
  expect(new Set(OPERATION_NAMES.flatMap(name => OPERATIONS[name].scope ?? []))).toEqual(new Set(SCOPES))
})

test('a profile names paths and statuses of operations of the table only', () => {
  const file = new URL('../../contracts/harness/profile/profile.schema.json', import.meta.url)
  const { paths, success } = JSON.parse(readFileSync(file, 'utf8')).properties
  expect(Object.keys(paths.properties).sort()).toEqual(OPERATION_NAMES.toSorted())
  expect(Object.keys(success.properties).filter(name => !(name in OPERATIONS))).toEqual([])
})

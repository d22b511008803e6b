import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'

type Content = Record<string, { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> }>
type Referring = { $ref?: string; content?: Content }
export type DescribedOperation = {
  operationId: string
  parameters?: { $ref?: string }[]
  requestBody?: Referring
  responses: Record<string, Referring>
}

export const CONTROL_DESCRIPTION_FILE = new URL('../../simulator/control/openapi.yaml', import.meta.url)

/** Parsed OpenAPI description of the control API. */
export const controlDescription: {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, object>; responses: Record<string, Referring> }
} = parse(readFileSync(CONTROL_DESCRIPTION_FILE, 'utf8'))

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Operations of the control API's OpenAPI description, each named like `GET /control/organizations`. */
export const describedCalls = Object.entries(controlDescription.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, path, method, operation })),
)

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true })
addFormats.default(ajv)
ajv.addVocabulary(['components', 'example'])
ajv.addSchema({ $id: 'control', components: controlDescription.components })

/** Prefixes the local references of a schema with the id under which the description is registered. */
const located = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (name, value) => (name === '$ref' ? `control${value}` : value))

const compiled = new WeakMap<object, ReturnType<typeof ajv.compile>>()

/** Validates a value against a schema of the control API's OpenAPI description; returns the errors. */
export const schemaErrors = (schema: object, value: unknown): string[] => {
  const validate = compiled.get(schema) ?? ajv.compile(located(schema))
  compiled.set(schema, validate)
  validate(value)
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  )
}

const followed = (part: Referring): Referring => {
  if (part.$ref === undefined) return part
  return part.$ref
    .slice(2)
    .split('/')
    .reduce<never>((at, name) => at[name] as never, controlDescription as never)
}

export const contentOf = (part: Referring | undefined): Content => (part ? (followed(part).content ?? {}) : {})

const operationOf = (method: string, target: string): DescribedOperation | undefined => {
  const path = target.split('?', 1)[0] ?? ''
  return callsWithPatterns.find(row => row.method === method.toLowerCase() && row.pattern.test(path))?.operation
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)

/** The operations with the patterns of their paths, those with fewer parameters first. */
const callsWithPatterns = describedCalls
  .map(row => ({ ...row, pattern: patternOf(row.path) }))
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length)

/** Statuses that any call may return before it is routed. */
const ANYWHERE = [403, 500, 503]

const ERROR = { $ref: '#/components/schemas/Error' }

type Spoken = { method: string; target: string; sent?: string; status: number; body: string }

/** Compares a control call and its response with the control API's OpenAPI description; returns the mismatches. */
export const descriptionMismatches = ({ method, target, sent = '', status, body }: Spoken): string[] => {
  const operation = operationOf(method, target)
  if (!operation)
    return [404, 413].includes(status)
      ? schemaErrors(ERROR, JSON.parse(body))
      : [`${method} ${target} is not described`]
  if (ANYWHERE.includes(status)) return []
  const answered = operation.responses[status]
  if (!answered) return [`${operation.operationId} is not described to answer ${status}`]
  const schema = contentOf(answered)['application/json']?.schema
  const asked = contentOf(operation.requestBody)['application/json']?.schema
  return [
    ...(schema ? schemaErrors(schema, JSON.parse(body)) : []),
    ...(status < 300 && asked && sent !== '' ? schemaErrors(asked, JSON.parse(sent)) : []),
    ...(status < 300 && !asked && sent !== '' ? ['it took a body that is not described'] : []),
  ].map(fault => `${operation.operationId} ${status}: ${fault}`)
}

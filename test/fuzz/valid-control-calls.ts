import { contentOf, controlDescription, describedCalls } from '../support/control-description.ts'

type Schema = {
  $ref?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  example?: unknown
  examples?: unknown[]
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
}
type Parameter = { $ref?: string; name: string; in: 'path' | 'query' }

/** One control operation of the OpenAPI description, with valid values, which fuzz targets edit. */
export type ControlCall = { method: string; path: string; query: readonly string[]; bodies: readonly unknown[] }

const followed = <Referring extends { $ref?: string }>(node: Referring): Referring =>
  node.$ref === undefined
    ? node
    : followed(
        node.$ref
          .slice(2)
          .split('/')
          .reduce<never>((at, name) => at[name] as never, controlDescription as never),
      )

/** A valid value of a schema: its example, or one built from its members. */
const exampleOf = (schema: Schema, depth = 0): unknown => {
  const node = followed(schema)
  const [given] = [node.const, node.example, node.examples?.[0], node.enum?.[0], node.default].filter(
    value => value !== undefined,
  )
  if (given !== undefined || depth > 6) return given ?? null
  const [choice] = node.oneOf ?? node.anyOf ?? []
  if (choice && !node.properties) return exampleOf(choice, depth + 1)
  if (node.allOf) return Object.assign({}, ...node.allOf.map(one => exampleOf(one, depth + 1)))
  if (node.properties)
    return Object.fromEntries(
      Object.entries(node.properties).map(([name, member]) => [name, exampleOf(member, depth + 1)]),
    )
  const type = [node.type].flat()[0]
  if (type === 'array') return node.items ? [exampleOf(node.items, depth + 1)] : []
  return { string: 'text', integer: 1, number: 1.5, boolean: true, object: {} }[type ?? 'object'] ?? null
}

/** All operations of the control API, each with valid request bodies from its OpenAPI description. */
export const VALID_CONTROL_CALLS: readonly ControlCall[] = describedCalls.map(({ method, path, operation }) => {
  const item = controlDescription.paths[path] as unknown as { parameters?: Parameter[] }
  const parameters = [...(item.parameters ?? []), ...((operation.parameters ?? []) as Parameter[])].map(followed)
  const { schema, example, examples = {} } = contentOf(operation.requestBody)['application/json'] ?? {}
  const exampleBodies = [example, ...Object.values(examples).map(({ value }) => value)].filter(
    value => value !== undefined,
  )
  return {
    method: method.toUpperCase(),
    path,
    query: parameters.filter(one => one.in === 'query').map(({ name }) => name),
    bodies: schema ? [...exampleBodies, exampleOf(schema as Schema)] : [],
  }
})

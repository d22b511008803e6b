import { isJsonObject, type JsonObject } from '../../protocol/canonical-json.ts'
import { listOf } from '../openapi/message-schema.ts'

/** How deep references may lead to each other. */
const DEEPEST = 12
/** How many parts all schemas of a description may unfold to. */
const MOST_PARTS = 300_000

/** Error in a deployment's OpenAPI document; the message is one sentence with its cure. */
export class DescriptionError extends Error {}

/** Reader of the parts of a deployment's OpenAPI document. */
export type LocalSchemas = {
  /** Follows the `$ref` of a node; throws DescriptionError where it leads nowhere or out of the document. */
  resolve(node: unknown): JsonObject
  /** A schema with the parts of its `allOf`, and theirs, merged into it. */
  schema(node: unknown): JsonObject
}

/** Creates the reader of the schemas and the other components of a deployment's OpenAPI document. */
export const createLocalSchemas = (document: JsonObject): LocalSchemas => {
  let parts = 0
  const resolve = (node: unknown, depth = 0): JsonObject => {
    parts += 1
    if (parts > MOST_PARTS)
      throw new DescriptionError('Its schemas hold each other too often: leave out what is no part of the payment API.')
    if (!isJsonObject(node) || typeof node.$ref !== 'string') return isJsonObject(node) ? node : {}
    if (depth > DEEPEST) throw new DescriptionError(`The reference "${node.$ref}" leads to itself: write it out.`)
    return resolve(targetOf(node.$ref, document), depth + 1)
  }
  const merged = new Map<JsonObject, JsonObject>()
  const schema = (written: unknown): JsonObject => {
    const node = resolve(written)
    const known = merged.get(node)
    if (known || !Array.isArray(node.allOf)) return known ?? node
    merged.set(node, {}) // what a part that holds itself adds to itself
    const { allOf, ...own } = node
    const whole = [...listOf(allOf).map(schema), own].reduce<JsonObject>(joined, {})
    merged.set(node, whole)
    return whole
  }
  return { resolve: node => resolve(node), schema }
}

/** The keywords of two parts together; of one that both have and that is no list of members, the second's. */
const joined = (one: JsonObject, other: JsonObject): JsonObject => {
  const lists = ['required', 'anyOf', 'oneOf'].flatMap(name => {
    const both = [...listOf(one[name]), ...listOf(other[name])]
    return both.length > 0 ? [[name, both]] : []
  })
  const properties = { ...propertiesOf(one) }
  for (const [name, member] of Object.entries(propertiesOf(other)))
    properties[name] = Object.hasOwn(properties, name) ? { allOf: [properties[name], member] } : member
  return {
    ...one,
    ...other,
    ...Object.fromEntries(lists),
    ...(Object.keys(properties).length > 0 && { properties }),
  }
}

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {})

const targetOf = ($ref: string, document: JsonObject): unknown => {
  if (/^#[^/]/.test($ref))
    throw new DescriptionError(
      `The reference "${$ref}" names an anchor: write the way to it, such as "#/components/schemas/Amount".`,
    )
  if (!$ref.startsWith('#/'))
    throw new DescriptionError(`The reference "${$ref}" leads out of the file: bundle the document into one file.`)
  const names = $ref.slice(2).split('/')
  const target = names
    .map(name => unescaped($ref, name))
    .reduce<unknown>(
      (part, name) => (Object.hasOwn(Object(part), name) ? (part as JsonObject)[name] : undefined),
      document,
    )
  if (target === undefined) throw new DescriptionError(`The reference "${$ref}" leads nowhere: correct it.`)
  return target
}

const unescaped = (reference: string, name: string): string => {
  try {
    return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    throw new DescriptionError(`The reference "${reference}" has a "%" that escapes nothing: write it as "%25".`)
  }
}

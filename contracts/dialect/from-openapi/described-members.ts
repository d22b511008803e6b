import { isJsonObject, type JsonObject } from '../../protocol/canonical-json.ts'

/** A member of a message in a deployment's OpenAPI document: its place, and what its schema says. */
export type DescribedMember = {
  segments: readonly string[]
  schema: JsonObject
  isRequired: boolean
  /** Members of the items of a list of objects, from the item. */
  items?: readonly DescribedMember[]
}

/** How deep a schema may nest, and how many members one message may have; what is beyond is not read. */
const DEEPEST = 12
const MOST_MEMBERS = 2000
/** How many parts all schemas of a description may unfold to. */
const MOST_PARTS = 300_000

/** Error in a deployment's OpenAPI document; the message is one sentence with its cure. */
export class DescriptionError extends Error {}

/**
 * Creates the resolver of the local `$ref`s of a deployment's OpenAPI document; throws DescriptionError for any other.
 */
export const createLocalResolver = (document: JsonObject) => {
  let parts = 0
  const resolve = (node: unknown, depth = 0): JsonObject => {
    parts += 1
    if (parts > MOST_PARTS)
      throw new DescriptionError('Its schemas hold each other too often: leave out what is no part of the payment API.')
    if (!isJsonObject(node) || typeof node.$ref !== 'string') return isJsonObject(node) ? node : {}
    if (!node.$ref.startsWith('#/'))
      throw new DescriptionError(
        `The reference "${node.$ref}" leads out of the file: bundle the document into one file.`,
      )
    if (depth > DEEPEST) throw new DescriptionError(`The reference "${node.$ref}" leads to itself: write it out.`)
    const { $ref } = node
    const names = $ref
      .slice(2)
      .split('/')
      .map(name => unescaped($ref, name))
    const target = names.reduce<unknown>((part, name) => (isJsonObject(part) ? part[name] : undefined), document)
    if (target === undefined) throw new DescriptionError(`The reference "${node.$ref}" leads nowhere: correct it.`)
    return resolve(target, depth + 1)
  }
  return (node: unknown) => resolve(node)
}

const unescaped = (reference: string, name: string): string => {
  try {
    return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    throw new DescriptionError(`The reference "${reference}" has a "%" that escapes nothing: write it as "%25".`)
  }
}

type LocalResolve = ReturnType<typeof createLocalResolver>

/** Reads the members of a message from its schema; those of its parts and of its alternatives count together. */
export const describedMembers = (schema: unknown, resolve: LocalResolve, depth = 0): DescribedMember[] => {
  const found = new Map<string, DescribedMember>()
  const visit = (written: unknown, segments: readonly string[], isRequired: boolean, level: number): void => {
    const node = resolve(written)
    if (level > DEEPEST || found.size > MOST_MEMBERS) return
    const parts = [node.allOf, node.anyOf, node.oneOf].flatMap(list => (Array.isArray(list) ? list : []))
    for (const part of parts) if (hasShape(resolve(part), resolve)) visit(part, segments, isRequired, level + 1)
    const properties = isJsonObject(node.properties) ? node.properties : undefined
    const required = Array.isArray(node.required) ? node.required : []
    for (const [name, member] of Object.entries(properties ?? {}))
      visit(member, [...segments, name], isRequired && required.includes(name), level + 1)
    if (properties || (segments.length === 0 && !isList(node)) || parts.some(part => hasShape(resolve(part), resolve)))
      return
    const key = segments.join('\n')
    if (isList(node) && hasShape(resolve(node.items), resolve) && level < DEEPEST) {
      const items = describedMembers(node.items, resolve, level + 1)
      found.set(key, { segments, schema: node, isRequired, items })
    } else if (!found.has(key)) found.set(key, { segments, schema: valueSchema(node, resolve), isRequired })
  }
  visit(schema, [], true, depth)
  return [...found.values()]
}

const isList = (node: JsonObject): boolean => node.type === 'array' || node.items !== undefined

const hasShape = (node: JsonObject, resolve: LocalResolve): boolean =>
  isJsonObject(node.properties) ||
  [node.allOf, node.anyOf, node.oneOf].some(
    list => Array.isArray(list) && list.some(part => isJsonObject(resolve(part).properties)),
  )

/** The schema of a value: of alternatives the first, joined with what all have; a nullable one without its null. */
const valueSchema = (node: JsonObject, resolve: LocalResolve): JsonObject => {
  const [first] = [node.allOf, node.anyOf, node.oneOf].flatMap(list => (Array.isArray(list) ? list : []))
  const { type, ...rest } = { ...(first === undefined ? {} : resolve(first)), ...node }
  const single = Array.isArray(type) ? type.find(name => name !== 'null') : type
  return { ...rest, ...(single === undefined ? {} : { type: single }) }
}

import { isJsonObject } from '../../protocol/canonical-json.ts'
import type { Schema } from './message-schema.ts'
import { mergedSchemas, withoutUndefined } from './spoken-value-schema.ts'

/** Builder of the JSON schema of one object from schemas of values at their places. */
export type SchemaBuilder = {
  /** Puts the schema of a value at a place; a second one there is joined to the first. */
  put(segments: readonly string[], schema: Schema): void
  /** Makes a member of the object at `holder` required, and all on the way to it. */
  require(holder: readonly string[], rest: readonly string[]): void
  /** Describes the object at a place, or closes it to other members; nothing where there is no object. */
  describe(segments: readonly string[], of: { description?: unknown; isClosed: boolean }): void
  /** `open` says of each object that it may have other members, as the part of a rule must. */
  toSchema(open: boolean): Schema
}

type Node = {
  members: Map<string, Node>
  required: Set<string>
  schema?: Schema
  description?: unknown
  isClosed?: true
}

const emptyNode = (): Node => ({ members: new Map(), required: new Set() })

/** Creates an empty schema builder; a segment `0` of a place makes a list of what holds it. */
export const createSchemaBuilder = (): SchemaBuilder => {
  const root = emptyNode()
  const find = (segments: readonly string[]): Node | undefined =>
    segments.reduce<Node | undefined>((node, name) => node?.members.get(name), root)
  return {
    put: (segments, schema) => {
      let node = root
      for (const name of segments) {
        const next = node.members.get(name) ?? emptyNode()
        node.members.set(name, next)
        node = next
      }
      node.schema = node.schema ? mergedSchemas(node.schema, schema) : schema
    },
    require: (holder, rest) => {
      let node = find(holder)
      for (const name of rest) {
        node?.required.add(name)
        node = node?.members.get(name)
      }
    },
    describe: (segments, { description, isClosed }) => {
      const node = find(segments)
      if (!node || node.members.size === 0) return
      node.description ??= description
      if (isClosed) node.isClosed = true
    },
    toSchema: open => toSchema(root, open),
  }
}

const toSchema = (node: Node, open: boolean): Schema => {
  const { members, required, schema, description, isClosed } = node
  if (members.size === 0) return schema ?? { type: 'object' }
  const item = members.get('0')
  if (item && members.size === 1)
    return { type: 'array', ...(required.has('0') && { minItems: 1 }), items: toSchema(item, open) }
  return withoutUndefined({
    description,
    type: 'object',
    ...(required.size > 0 && { required: [...required].filter(name => members.has(name)) }),
    properties: Object.fromEntries([...members].map(([name, member]) => [name, toSchema(member, open)])),
    ...(isClosed && { additionalProperties: false }),
    ...(open && { additionalProperties: true }),
  })
}

/** Whether a JSON schema says anything about a value. */
export const saysSomething = (schema: Schema): boolean => isJsonObject(schema.properties) || schema.type !== 'object'

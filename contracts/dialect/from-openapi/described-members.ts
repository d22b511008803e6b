import { isJsonObject, type JsonObject } from '../../protocol/canonical-json.ts'
import { listOf } from '../openapi/message-schema.ts'
import type { LocalSchemas } from './local-schemas.ts'

/** A member of a message in a deployment's OpenAPI document: its place, and what its schema says. */
export type DescribedMember = {
  segments: readonly string[]
  schema: JsonObject
  /** Whether every message has it: with one value in all alternatives, where its schema says which. */
  isRequired: boolean
  /** Members of the items of a list of objects, from the item. */
  items?: readonly DescribedMember[]
}

/** How deep a schema may nest, and how many members one message may have; what is beyond is not read. */
const DEEPEST = 12
const MOST_MEMBERS = 2000

/** Reads the members of a message from its schema; those of its parts and of its alternatives count together. */
export const describedMembers = (message: unknown, schemas: LocalSchemas, depth = 0): DescribedMember[] => {
  const found = new Map<string, DescribedMember>()
  const add = (member: DescribedMember): void => {
    const key = member.segments.join('\n')
    if (!found.has(key)) found.set(key, member)
  }
  const visit = (written: unknown, segments: readonly string[], isRequired: boolean, level: number): void => {
    const node = schemas.schema(written)
    if (level > DEEPEST || found.size > MOST_MEMBERS) return
    const properties = isJsonObject(node.properties) ? Object.entries(node.properties) : undefined
    for (const [name, member] of properties ?? [])
      visit(member, [...segments, name], isRequired && listOf(node.required).includes(name), level + 1)
    const groups = alternativesOf(node, schemas).filter(group => group.some(one => hasShape(one, schemas)))
    for (const group of groups)
      for (const member of sharedMembers(group, schemas, level + 1))
        add({
          ...member,
          segments: [...segments, ...member.segments],
          isRequired: isRequired && member.isRequired,
        })
    if (properties || (segments.length === 0 && !isList(node)) || groups.length > 0) return
    const hasItems = isList(node) && hasShape(schemas.schema(node.items), schemas) && level < DEEPEST
    const items = hasItems ? { items: describedMembers(node.items, schemas, level + 1) } : {}
    add({ segments, schema: hasItems ? node : valueSchema(node, schemas), isRequired, ...items })
  }
  visit(message, [], true, depth)
  return [...found.values()]
}

/** The members of all alternatives: one is required if each alternative requires it, and with the same constant. */
const sharedMembers = (group: readonly JsonObject[], schemas: LocalSchemas, level: number): DescribedMember[] => {
  const alternatives = group.map(one => (hasShape(one, schemas) ? describedMembers(one, schemas, level) : []))
  const formOf = ({ segments, schema, isRequired }: DescribedMember): string =>
    JSON.stringify([segments, isRequired, wordsOf(schema)])
  const forms = alternatives.map(members => new Set(members.map(formOf)))
  return alternatives.flat().map(member => ({
    ...member,
    isRequired: member.isRequired && forms.every(all => all.has(formOf(member))),
  }))
}

const isList = (node: JsonObject): boolean => node.type === 'array' || node.items !== undefined

/** The groups of alternatives of a schema, without null. */
const alternativesOf = (node: JsonObject, schemas: LocalSchemas): JsonObject[][] =>
  [node.anyOf, node.oneOf].map(list =>
    listOf(list)
      .map(schemas.schema)
      .filter(one => !isNull(one)),
  )

const isNull = ({ type, const: only, enum: words }: JsonObject): boolean =>
  type === 'null' || only === null || (Array.isArray(words) && words.every(word => word === null))

const hasShape = (node: JsonObject, schemas: LocalSchemas): boolean =>
  isJsonObject(node.properties) ||
  alternativesOf(node, schemas)
    .flat()
    .some(one => isJsonObject(one.properties))

/** The values that a schema names, if it names any. */
const wordsOf = ({ const: only, enum: words }: JsonObject): readonly unknown[] | undefined =>
  only !== undefined ? [only] : Array.isArray(words) ? words : undefined

/** The schema of a value: of alternatives the first with the words of all, joined with what all have; without null. */
const valueSchema = (node: JsonObject, schemas: LocalSchemas): JsonObject => {
  const alternatives = alternativesOf(node, schemas).flat()
  const { const: _, enum: __, ...first } = alternatives[0] ?? {}
  const words = alternatives.map(wordsOf)
  const isListed = words.length > 0 && words.every(list => list !== undefined)
  const all: JsonObject = isListed ? { enum: [...new Set(words.flat())] } : {}
  const { type, ...rest } = { ...first, ...all, ...node }
  const single = Array.isArray(type) ? type.find(name => name !== 'null') : type
  return { ...rest, ...(single === undefined ? {} : { type: single }) }
}

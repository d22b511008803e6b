import { type MemberPlaces, placeOf, prefixesOf } from '../member-places.ts'
import {
  hasMembers,
  listOf,
  type MessageSchema,
  type Resolve,
  readMessageSchema,
  type Schema,
  type SchemaMember,
} from './message-schema.ts'
import { createSchemaBuilder, saysSomething } from './schema-builder.ts'
import { mergedSchemas, spokenValueSchema, withoutUndefined } from './spoken-value-schema.ts'

export type PlacingContext = {
  places: MemberPlaces
  resolve: Resolve
  spell(text: string, member?: string): string
  /** Values that each message has, by the segments of their places. */
  constants?: readonly (readonly [segments: readonly string[], value: unknown])[]
  /** Whether the schema is part of a rule, which says nothing about other members. */
  isRule?: boolean
}

type Leaf = SchemaMember & { segments: readonly string[]; isOwn: boolean }

/** Translates the schema of a message of the document to that of a deployment: members at their places, values in their forms. */
export const placeMessageSchema = (message: MessageSchema, context: PlacingContext): Schema => {
  const { places, constants = [], isRule = false } = context
  const leaves = leavesOf(message, places)
  const whole = leaves.find(({ segments }) => segments.length === 0)
  if (whole) return spokenMember(whole, context)
  const tree = createSchemaBuilder()
  const needs = createNeeds(message)
  for (const leaf of leaves) tree.put(leaf.segments, spokenMember(leaf, context))
  for (const leaf of leaves) requireLeaf(leaf, needs(leaf.path), { leaves, context, require: tree.require })
  for (const [segments, value] of constants) {
    tree.put(segments, { const: value })
    tree.require([], segments)
  }
  for (const { path, schema } of message.objects) describeObject(path, schema)
  return withRules(tree.toSchema(isRule), message, context)

  function describeObject(path: string, { description, additionalProperties, unevaluatedProperties }: Schema): void {
    const text = typeof description === 'string' ? context.spell(description) : undefined
    const segments = placeOf(places, path)
    tree.describe(segments, {
      description: text,
      isClosed: [additionalProperties, unevaluatedProperties].includes(false),
    })
    const below = leaves.filter(leaf => leaf.path.startsWith(`${path}.`))
    if (path !== '' && needs(path) === '' && below.length > 0 && below.every(leaf => isBelow(leaf.segments, segments)))
      tree.require([], segments)
  }
}

/** The values of a message at their places; one with a line wins a place over one without, as in a message itself. */
const leavesOf = ({ members }: MessageSchema, places: MemberPlaces): Leaf[] => {
  const merged = new Map<string, SchemaMember>()
  for (const member of members) {
    const { path, schema, dependsOn } = merged.get(member.path) ?? member
    merged.set(path, {
      path,
      schema: schema === member.schema ? schema : mergedSchemas(schema, member.schema),
      dependsOn,
    })
  }
  const leaves = [...merged.values()]
    .filter(({ path }) => prefixesOf(path).every(places.has))
    .map(leaf => ({ ...leaf, segments: placeOf(places, leaf.path), isOwn: places.own(leaf.path) !== undefined }))
  const owned = new Set(leaves.flatMap(({ segments, isOwn }) => (isOwn ? [segments.join('\n')] : [])))
  return leaves.filter(({ segments, isOwn }) => isOwn || !owned.has(segments.join('\n')))
}

const spokenMember = ({ path, schema }: SchemaMember, context: PlacingContext): Schema => {
  const { places, resolve, spell } = context
  const name = path.slice(path.lastIndexOf('.') + 1)
  const { items, ...list } = schema
  if (items === undefined || !hasMembers(items, resolve))
    return spokenValueSchema(schema, name, { values: places.values, resolve, spell })
  const inItems = { places: places.itemsOf(path), resolve, spell }
  return { ...list, items: placeMessageSchema(readMessageSchema(items, resolve), inItems) }
}

/** Returns what the presence of a member depends on: the ancestor, or itself, that may be missing. */
const createNeeds = ({ members, objects }: MessageSchema) => {
  const known = new Map<string, string>()
  for (const { path, dependsOn } of [...objects, ...members])
    if ((known.get(path)?.length ?? Number.POSITIVE_INFINITY) > dependsOn.length) known.set(path, dependsOn)
  const needs = (path: string): string => {
    const on = known.get(path) ?? path
    return on === '' || on === path ? on : needs(on)
  }
  return needs
}

type Placed = {
  leaves: readonly Leaf[]
  context: PlacingContext
  require(holder: readonly string[], rest: readonly string[]): void
}

/** Requires a value where the object that it depends on is an object of the deployment too, with no other members. */
const requireLeaf = ({ path, segments }: Leaf, on: string, { leaves, context, require }: Placed): void => {
  if (on === path) return
  const holder = on === '' ? [] : placeOf(context.places, on)
  const isAlone = leaves.every(leaf => !isBelow(leaf.segments, holder) || leaf.path.startsWith(`${on}.`))
  if (on === '' || (isBelow(segments, holder) && isAlone)) require(holder, segments.slice(holder.length))
}

const isBelow = (segments: readonly string[], holder: readonly string[]): boolean =>
  segments.length > holder.length && holder.every((name, index) => segments[index] === name)

/** Adds the rules between members; one whose condition cannot be said of this deployment is left out. */
const withRules = (schema: Schema, { rules }: MessageSchema, context: PlacingContext): Schema => {
  const { places } = context
  const placed = (message: MessageSchema) => placeMessageSchema(message, { ...context, constants: [], isRule: true })
  const spoken = rules.flatMap((rule): Schema[] => {
    if ('anyOf' in rule) return [{ anyOf: rule.anyOf.map(placed) }]
    const needs = createNeeds(rule.if)
    const isSaid = rule.if.members.every(
      ({ path }) => prefixesOf(path).every(places.has) && ['', path].includes(needs(path)),
    )
    const then = placed(rule.then)
    return isSaid && saysSomething(then) ? [{ if: placed(rule.if), then }] : []
  })
  return withoutUndefined({ ...schema, ...(spoken.length > 0 && { allOf: [...listOf(schema.allOf), ...spoken] }) })
}

import { isJsonObject, type JsonObject } from '../../protocol/canonical-json.ts'
import { OPAQUE } from '../member-places.ts'

/** A JSON schema as parsed. */
export type Schema = JsonObject

/** A function that follows the `$ref` of a schema or of another component; what has none is returned as it is. */
export type Resolve = (node: unknown) => JsonObject

export type SchemaMember = {
  /** The document's dotted name. */
  path: string
  schema: Schema
  /** Path of the nearest ancestor that may be missing, or of the member itself; empty where every message has it. */
  dependsOn: string
}

/** A schema of a message without references and `allOf`: its values, its objects, and rules between its members. */
export type MessageSchema = {
  members: readonly SchemaMember[]
  objects: readonly SchemaMember[]
  rules: readonly SchemaRule[]
}

export type SchemaRule = { if: MessageSchema; then: MessageSchema } | { anyOf: readonly MessageSchema[] }

/** Creates the function that resolves local `$ref`s of an OpenAPI document. */
export const createResolver = (document: JsonObject): Resolve => {
  const resolve: Resolve = node => {
    if (!isJsonObject(node)) return {}
    if (typeof node.$ref !== 'string') return node
    const target = node.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((part, name) => (isJsonObject(part) ? part[name] : undefined), document)
    return resolve(target)
  }
  return resolve
}

/** Replaces every `$ref` within a JSON schema by what it names. */
export const dereferenced = (node: unknown, resolve: Resolve): unknown => {
  if (Array.isArray(node)) return node.map(item => dereferenced(item, resolve))
  if (!isJsonObject(node)) return node
  return Object.fromEntries(Object.entries(resolve(node)).map(([name, value]) => [name, dereferenced(value, resolve)]))
}

/** Reads a JSON schema as that of a message; `path` is the member that it is about, the message itself without one. */
export const readMessageSchema = (schema: unknown, resolve: Resolve, path = ''): MessageSchema => {
  const members: SchemaMember[] = []
  const objects: SchemaMember[] = []
  const rules: SchemaRule[] = []
  const visit = (written: unknown, place: string, dependsOn: string): void => {
    const node = resolve(written)
    objects.push({ path: place, schema: node, dependsOn })
    for (const part of listOf(node.allOf)) visit(part, place, dependsOn)
    if (node.if) {
      const [condition, then] = [node.if, node.then].map(part => readMessageSchema(part, resolve, place))
      if (condition && then) rules.push({ if: condition, then })
    }
    if (node.anyOf) rules.push({ anyOf: listOf(node.anyOf).map(part => readMessageSchema(part, resolve, place)) })
    for (const [name, member] of Object.entries(isJsonObject(node.properties) ? node.properties : {})) {
      const inner = place === '' ? name : `${place}.${name}`
      const needs = listOf(node.required).includes(name) ? dependsOn : inner
      if (!OPAQUE.includes(name) && hasMembers(member, resolve)) visit(member, inner, needs)
      else members.push({ path: inner, schema: resolve(member), dependsOn: needs })
    }
  }
  visit(schema, path, path)
  return { members, objects, rules }
}

/** Whether a JSON schema names members, so that it is about an object and not about a value. */
export const hasMembers = (schema: unknown, resolve: Resolve): boolean => {
  const node = resolve(schema)
  return (
    isJsonObject(node.properties) ||
    [...listOf(node.allOf), ...listOf(node.anyOf)].some(part => hasMembers(part, resolve))
  )
}

/** Returns the list at a keyword of a JSON schema; an empty one where there is no list. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

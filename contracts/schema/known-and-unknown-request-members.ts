/** A member of a request that its operation does not have, and the one it has of the nearest name; both as the dialect spells them. */
export type UnknownMember = { member: string; nearest?: string }

/** Part of a JSON Schema that says which members an object may have. */
type Schema = {
  $ref?: string
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: boolean | Schema
  items?: Schema
  allOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  then?: Schema
  else?: Schema
}

/** Lists of the request members that a schema knows, and of those in a value that it does not know (D-46). */
export type RequestMembers = {
  /** Dotted paths of every member of a schema, at every depth; those of a list's items have its name in front. */
  known(schema: string): readonly string[]
  /** Dotted paths of the members of a value that its schema does not name; what is free-form, such as metadata, has none. */
  unknown(schema: string, value: unknown): string[]
}

/** What all parts of a schema together say of a value: its named members, its items, and whether others may be anything. */
type Shape = { isFree: boolean; named: ReadonlyMap<string, readonly Schema[]>; items: readonly Schema[] }

/**
 * Creates the functions that list the known members of a request schema and the unknown members of a request, from the
 * schemas of the API description.
 */
export const createRequestMembers = (schemas: Readonly<Record<string, Schema>>): RequestMembers => {
  const partsOf = (schema: Schema): Schema[] => {
    const { $ref, allOf = [], anyOf = [], oneOf = [], ...own } = schema
    const named = $ref === undefined ? undefined : schemas[$ref.split('/').at(-1) ?? '']
    const others = [named, ...allOf, ...anyOf, ...oneOf, own.then, own.else]
    return [schema, ...others.flatMap(other => (other ? partsOf(other) : []))]
  }
  // Each call asks: found anew, the shapes of its members take 25 of 600 µs.
  const shapes = new WeakMap<readonly Schema[], Shape>()
  const shapeOf = (known: readonly Schema[]): Shape => {
    const shape = shapes.get(known) ?? findShape(known.flatMap(partsOf))
    shapes.set(known, shape)
    return shape
  }
  const addUnknown = (known: readonly Schema[], found: unknown, path: string, all: string[]): void => {
    if (found === null || typeof found !== 'object') return
    const { isFree, named, items } = shapeOf(known)
    if (Array.isArray(found)) {
      if (items.length > 0) for (const [at, item] of found.entries()) addUnknown(items, item, `${path}${at}.`, all)
    } else if (!isFree)
      for (const [member, inner] of Object.entries(found)) {
        const schemasOfMember = named.get(member)
        if (!schemasOfMember) all.push(`${path}${member}`)
        else if (typeof inner === 'object') addUnknown(schemasOfMember, inner, `${path}${member}.`, all)
      }
  }
  const list = (schema: Schema, path: string): string[] =>
    partsOf(schema).flatMap(({ properties = {}, items }) => [
      ...Object.entries(properties).flatMap(([name, inner]) => [`${path}${name}`, ...list(inner, `${path}${name}.`)]),
      ...(items ? list(items, path) : []),
    ])
  const roots = new Map<string, readonly Schema[]>()
  const rootOf = (schema: string): readonly Schema[] => {
    const root = roots.get(schema) ?? [schemas[schema] ?? {}]
    roots.set(schema, root)
    return root
  }
  const lists = new Map<string, readonly string[]>()
  return {
    known: schema => {
      const members = lists.get(schema) ?? [...new Set(list({ $ref: schema }, ''))]
      lists.set(schema, members)
      return members
    },
    unknown: (schema, value) => {
      const all: string[] = []
      addUnknown(rootOf(schema), value, '', all)
      return all
    },
  }
}

const findShape = (parts: readonly Schema[]): Shape => {
  const named = new Map<string, Schema[]>()
  for (const { properties = {} } of parts)
    for (const [member, schema] of Object.entries(properties)) named.set(member, [...(named.get(member) ?? []), schema])
  return {
    isFree: parts.some(({ additionalProperties }) => typeof additionalProperties === 'object'),
    named,
    items: parts.flatMap(({ items }) => items ?? []),
  }
}

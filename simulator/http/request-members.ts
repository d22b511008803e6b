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

/** The members that the schemas of requests name, and those of a value that none of them names (D-46). */
export type RequestMembers = {
  /** Dotted paths of every member of a schema, at every depth. */
  known(schema: string): readonly string[]
  /** Dotted paths of the members of a value that its schema does not name; what is free-form, such as metadata, has none. */
  unknown(schema: string, value: unknown): string[]
}

/** Creates the reader of known and unknown members from the schemas of the API description. */
export const createRequestMembers = (schemas: Readonly<Record<string, Schema>>): RequestMembers => {
  // Each call asks: found anew, the parts of its schemas take 25 of 600 µs.
  const remembered = new WeakMap<Schema, readonly Schema[]>()
  const partsOf = (schema: Schema): readonly Schema[] => {
    const parts = remembered.get(schema) ?? findParts(schema)
    remembered.set(schema, parts)
    return parts
  }
  const findParts = (schema: Schema): Schema[] => {
    const { $ref, allOf = [], anyOf = [], oneOf = [], ...own } = schema
    const named = $ref === undefined ? undefined : schemas[$ref.split('/').at(-1) ?? '']
    const others = [named, ...allOf, ...anyOf, ...oneOf, own.then, own.else]
    return [schema, ...others.flatMap(other => (other ? partsOf(other) : []))]
  }
  const unknown = (known: readonly Schema[], found: unknown, path: string): string[] => {
    if (found === null || typeof found !== 'object') return []
    const parts = known.flatMap(partsOf)
    if (Array.isArray(found)) {
      const items = parts.flatMap(part => part.items ?? [])
      return items.length === 0 ? [] : found.flatMap((item, at) => unknown(items, item, `${path}${at}.`))
    }
    if (parts.some(({ additionalProperties }) => typeof additionalProperties === 'object')) return []
    return Object.entries(found).flatMap(([member, inner]) => {
      const named = parts.flatMap(({ properties = {} }) =>
        Object.hasOwn(properties, member) ? (properties[member] ?? []) : [],
      )
      return named.length === 0 ? [`${path}${member}`] : unknown(named, inner, `${path}${member}.`)
    })
  }
  const list = (schema: Schema, path: string): string[] =>
    partsOf(schema).flatMap(({ properties = {} }) =>
      Object.entries(properties).flatMap(([name, inner]) => [`${path}${name}`, ...list(inner, `${path}${name}.`)]),
    )
  const lists = new Map<string, readonly string[]>()
  return {
    known: schema => {
      const members = lists.get(schema) ?? [...new Set(list({ $ref: schema }, ''))]
      lists.set(schema, members)
      return members
    },
    unknown: (schema, value) => unknown([schemas[schema] ?? {}], value, ''),
  }
}

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

/** Finds the first member of a value that its schema does not name; returns its dotted path, or undefined (D-46). */
export const findUnknownMember = (
  schemas: Readonly<Record<string, Schema>>,
  name: string,
  value: unknown,
): string | undefined => {
  const partsOf = (schema: Schema): Schema[] => {
    const { $ref, allOf = [], anyOf = [], oneOf = [], ...own } = schema
    const named = $ref === undefined ? undefined : schemas[$ref.split('/').at(-1) ?? '']
    const others = [named, ...allOf, ...anyOf, ...oneOf, own.then, own.else]
    return [schema, ...others.flatMap(other => (other ? partsOf(other) : []))]
  }
  const find = (known: readonly Schema[], found: unknown, path: string): string | undefined => {
    if (found === null || typeof found !== 'object' || Array.isArray(found)) return undefined
    const parts = known.flatMap(partsOf)
    if (parts.some(({ additionalProperties }) => typeof additionalProperties === 'object')) return undefined
    for (const [member, inner] of Object.entries(found)) {
      const named = parts.flatMap(({ properties = {} }) =>
        Object.hasOwn(properties, member) ? properties[member] : [],
      )
      const unknown = named.length === 0 ? `${path}${member}` : find(named as Schema[], inner, `${path}${member}.`)
      if (unknown !== undefined) return unknown
    }
    return undefined
  }
  return find([{ $ref: name }], value, '')
}

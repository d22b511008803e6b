/** Serialises JSON with sorted member names: equal values give equal texts. Throws RangeError if nested too deep. */
export const canonicalJson = (value: unknown): string => JSON.stringify(inOrder(value))

const inOrder = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(inOrder)
  const ordered: Record<string, unknown> = {}
  for (const name of Object.keys(value).sort()) {
    const member = inOrder((value as Record<string, unknown>)[name])
    if (name === '__proto__') Object.defineProperty(ordered, name, { value: member, enumerable: true })
    else ordered[name] = member
  }
  return ordered
}

export type JsonObject = Record<string, unknown>

/** Whether a parsed JSON value is an object, not a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

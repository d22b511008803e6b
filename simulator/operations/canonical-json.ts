/** JSON with the members of every object in one fixed order, so that equal values have equal texts. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sortMembers)

const sortMembers = (_name: string, value: unknown): unknown => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

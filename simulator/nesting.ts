/** No body needs deeper nesting, and it strains what walks it. */
export const DEEPEST = 32

/** Whether something stands deeper in a value of JSON than any body needs. */
export const isTooDeep = (value: unknown, depth = 0): boolean =>
  depth > DEEPEST ||
  (value !== null && typeof value === 'object' && Object.values(value).some(member => isTooDeep(member, depth + 1)))

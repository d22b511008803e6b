/** Deepest nesting of a JSON body that is accepted: no body needs more, and recursive code would strain under it. */
export const MAX_JSON_DEPTH = 32

/** Whether a JSON value is nested deeper than is accepted. */
export const isNestedTooDeep = (value: unknown, depth = 0): boolean =>
  depth > MAX_JSON_DEPTH ||
  (value !== null &&
    typeof value === 'object' &&
    (Array.isArray(value) ? value : Object.values(value)).some(member => isNestedTooDeep(member, depth + 1)))

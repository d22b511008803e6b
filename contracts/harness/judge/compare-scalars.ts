import { isDeepStrictEqual } from 'node:util'

/** Whether two JSON values state the same: a number and its text do, as the document fixes no type in responses. */
export const sameAsText = (one: unknown, other: unknown): boolean => isDeepStrictEqual(textOf(one), textOf(other))

/** Returns a number as text, also within a list; any other value as it is. */
export const textOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(textOf)
  return typeof value === 'number' ? String(value) : value
}

/** Returns an amount as a number, be it a number or a text such as "1000.00"; undefined where it is neither. */
export const amountOf = (value: unknown): number | undefined => {
  const isAmount = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
  return isAmount ? Number(value) : undefined
}

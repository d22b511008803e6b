import { isDeepStrictEqual } from 'node:util'
import type { DialectLines } from '../../dialect/dialect-lines.ts'

/** Whether two JSON values state the same: a number and its text do, as the document fixes no type in responses. */
export const sameAsText = (one: unknown, other: unknown): boolean => isDeepStrictEqual(textOf(one), textOf(other))

/** Returns a number as text, also within a list; any other value as it is. */
export const textOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(textOf)
  return typeof value === 'number' ? String(value) : value
}

/**
 * Returns an amount of a deployment in minor units, be it a number or a text such as "10.00"; undefined where it is neither.
 * Major units are told by `forms.amounts`.
 */
export const amountOf = ({ forms }: Pick<DialectLines, 'forms'>, value: unknown): number | undefined => {
  const isAmount = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
  if (!isAmount) return undefined
  return forms?.amounts?.startsWith('major') ? Math.round(Number(value) * MINOR) : Number(value)
}

/** Minor units in one unit of złoty and euro. */
const MINOR = 100

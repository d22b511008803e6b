import { isDeepStrictEqual } from 'node:util'

/**
 * Whether two answers say the same wherever both say something: a member that only one of them has may be an optional
 * one, which clients ignore (9), and the order of members means nothing.
 */
export const agree = (one: unknown, other: unknown): boolean => {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => agree(item, other[index]))
  if (!isObject(one) || !isObject(other)) return isDeepStrictEqual(one, other)
  const shared = Object.keys(one).filter(name => Object.hasOwn(other, name))
  return shared.every(name => agree(one[name], other[name]))
}

/** What two answers tell alike: the members that differ are left out, and lists in which an item has nothing alike. */
export const alike = (one: unknown, other: unknown): unknown => {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    const items = one.map((item, index) => alike(item, other[index]))
    return items.includes(undefined) ? undefined : items
  }
  if (!isObject(one) || !isObject(other)) return isDeepStrictEqual(one, other) ? one : undefined
  const members = Object.keys(one).map(name => [name, alike(one[name], other[name])] as const)
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

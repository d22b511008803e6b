import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../protocol/canonical-json.ts'

/**
 * Whether two JSON values agree on every member that both have: a member of only one may be optional, which clients
 * ignore (9). The order of object members does not count; lists must agree item by item.
 */
export const jsonAgrees = (one: unknown, other: unknown): boolean => {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => jsonAgrees(item, other[index]))
  if (!isJsonObject(one) || !isJsonObject(other)) return isDeepStrictEqual(one, other)
  const shared = Object.keys(one).filter(name => Object.hasOwn(other, name))
  return shared.every(name => jsonAgrees(one[name], other[name]))
}

/** Returns the part on which two JSON values agree, without members that differ or lists with an item that differs. */
export const commonJson = (one: unknown, other: unknown): unknown => {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    const items = one.map((item, index) => commonJson(item, other[index]))
    return items.includes(undefined) ? undefined : items
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return isDeepStrictEqual(one, other) ? one : undefined
  const members = Object.keys(one).map(name => [name, commonJson(one[name], other[name])] as const)
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

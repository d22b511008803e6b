import { isJsonObject } from '../protocol/canonical-json.ts'

/** Members that are of the response, not of the result: ids of calls, times, signatures, marks of a replay, who answered. */
const OF_THE_RESPONSE = [
  /(call|request|response|trace|span|correlation|log)[-_]?id|timestamp|signature|nonce|replay/i,
  /(At|_at)$/,
  /^(served[-_]?by|(node|pod|instance|server|host)([-_]?(id|name))?)$/i,
]

/** Whether two JSON bodies mean the same in all members that both have, as a replay and the first response must (I3). */
export const statesTheSame = (one: unknown, other: unknown): boolean => {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => statesTheSame(item, other[index]))
  if (!isJsonObject(one) || !isJsonObject(other)) return meaningOf(one) === meaningOf(other)
  const shared = Object.keys(one).filter(
    name => Object.hasOwn(other, name) && !OF_THE_RESPONSE.some(names => names.test(name)),
  )
  return shared.every(name => statesTheSame(one[name], other[name]))
}

const INSTANT = /^\d{4}-\d\d-\d\dT/

/** Returns a value as text: a number states what its text does, a link leads to its page, and a time is only a time. */
const meaningOf = (value: unknown): string => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (INSTANT.test(text)) return 'a time'
  const url = /^https?:/.test(text) ? URL.parse(text) : null
  return url ? `${url.origin}${url.pathname}` : text
}

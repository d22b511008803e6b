import { type Exchange, isServed } from '../../client/http-exchange.ts'
import { readJwks } from '../../client/service-key-set.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { findStep } from './expect-refused-or-declined.ts'

/** Steps of a scenario that keep the key set before and after what its keys have signed. */
export type KeySetStep = 'keys before' | 'keys'

/**
 * Returns the response with the key set as it was read after what its keys have signed, with the keys that it had
 * before: a service may rotate its keys in between (5.4).
 */
export const readKeySets = <Step extends string>(evidence: Evidence<Step | KeySetStep>): Exchange => {
  const before = findStep(evidence, 'keys before')
  return withEarlierKeys(evidence.of('keys'), before ? [before] : [])
}

/** Returns a response with the key set, with the keys that it had in earlier ones: a service may have rotated them (5.4). */
export const withEarlierKeys = (last: Exchange, earlier: readonly Exchange[]): Exchange => {
  if (!last.response || !isServed(last)) return last
  const keys = [last, ...earlier.filter(isServed)].flatMap(readJwks)
  const united = [...new Map(keys.map(key => [JSON.stringify(key), key])).values()]
  return { ...last, response: { ...last.response, body: Buffer.from(JSON.stringify({ keys: united })) } }
}

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
  const [before, after] = [findStep(evidence, 'keys before'), evidence.of('keys')]
  if (!before || !isServed(before) || !after.response || !isServed(after)) return after
  const now = readJwks(after)
  const known = new Set(now.map(key => JSON.stringify(key)))
  const gone = readJwks(before).filter(key => !known.has(JSON.stringify(key)))
  if (gone.length === 0) return after
  return { ...after, response: { ...after.response, body: Buffer.from(JSON.stringify({ keys: [...now, ...gone] })) } }
}

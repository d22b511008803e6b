import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Loaded, UnitOfWork } from '../../simulator/store/unit-of-work.ts'
import { mutateStore } from '../conformance/mutants/simulator-mutations.ts'
import { exploreMutant } from './explore-mutant.ts'

/** Long enough for a call that is made at the same time to read as well. */
const RACE_MS = 10

/** A store in which captures decide on some records as they were a moment before. */
const readingTooEarly = (...names: readonly (keyof Loaded)[]) =>
  mutateStore((store, hits) => ({
    transact: async unit => {
      if (unit.needs.providerCall !== 'capture') return store.transact(unit)
      const look: UnitOfWork<Loaded> = { ...unit, decide: loaded => ({ result: loaded }) }
      const early = await store.transact(look)
      await delay(RACE_MS)
      const stale = Object.fromEntries(names.map(name => [name, early[name]])) as Partial<Loaded>
      hits.count += 1
      return store.transact({ ...unit, decide: loaded => unit.decide({ ...loaded, ...stale }) })
    },
  }))

/** Each race with a seed that finds it within 200 calls; a busy machine may need more. */
test.each([
  ['a check of a key, then an act', 6, readingTooEarly('idempotentReply')],
  ['a lost update of a captured sum', 8, readingTooEarly('payment')],
])('calls made at once find %s', { timeout: 240_000 }, async (_, seed, mutation) => {
  const { findings, shortest } = await exploreMutant({ mutation }, { seed, calls: 3000 })
  expect(findings).toHaveLength(1)
  expect(shortest).toBeLessThanOrEqual(6)
})

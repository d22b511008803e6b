import { expect, test } from 'vitest'
import type { Result } from '../../contracts/harness/check.ts'
import { startTestSimulator } from '../support/simulator.ts'
import { certify, idsOf, othersThan, profileOf } from './certify.ts'
import { SABOTEURS } from './saboteurs.ts'

test.each(SABOTEURS)('a simulator that $does is caught by $caughtBy.length checks and by no other', async saboteur => {
  const { caughtBy, config, sabotage } = saboteur
  const hits = { count: 0 }
  const simulator = await startTestSimulator(config, dataDir => sabotage?.(dataDir, hits) ?? {})
  try {
    const results = await certify(profileOf(simulator))
    expect(idsOf(results, 'fail')).toEqual([...caughtBy].sort())
    expect(
      othersThan(results, 'pass', 'fail', 'observed', 'not applicable', 'withheld').filter(isUnrelated(results)),
    ).toEqual([])
    if (sabotage) expect(hits.count).toBeGreaterThan(0)
  } finally {
    await simulator.stop()
  }
})

/** What is blocked because a check that was caught is its control is no surprise; all else is. */
const isUnrelated = (results: readonly Result[]) => (line: string) => {
  const [id, verdict] = line.split(/[ :]/)
  const control = results.find(result => result.id === id)?.control?.id
  const stopped = results.find(result => result.id === control)?.verdict
  return verdict !== 'blocked' || (stopped !== 'fail' && stopped !== 'blocked')
}

import { expect } from 'vitest'
import type { Result } from '../../contracts/harness/check.ts'
import { startTestSimulator } from '../support/simulator.ts'
import { certify, idsOf, othersThan, profileOf } from './certify.ts'
import { SABOTEURS } from './saboteurs.ts'

/** Half of the saboteurs, so that two files can run side by side. */
export const everyOther = (first: 0 | 1) => SABOTEURS.filter((_, index) => index % 2 === first)

/** Certifies a sabotaged simulator: the checks that should catch it do, and nobody else complains. */
export const expectCaught = async (saboteur: (typeof SABOTEURS)[number]): Promise<void> => {
  const { caughtBy, config, sabotage, tier } = saboteur
  const hits = { count: 0 }
  const simulator = await startTestSimulator(config, dataDir => sabotage?.(dataDir, hits) ?? {})
  try {
    const results = await certify(profileOf(simulator), [], tier)
    expect(idsOf(results, 'fail')).toEqual([...caughtBy].sort())
    expect(
      othersThan(results, 'pass', 'fail', 'observed', 'not applicable', 'withheld').filter(isUnrelated(results)),
    ).toEqual([])
    if (sabotage) expect(hits.count).toBeGreaterThan(0)
  } finally {
    await simulator.stop()
  }
}

/** What is blocked because a check that was caught is its control is no surprise; all else is. */
const isUnrelated = (results: readonly Result[]) => (line: string) => {
  const [id, verdict] = line.split(/[ :]/)
  const control = results.find(result => result.id === id)?.control?.id
  const stopped = results.find(result => result.id === control)?.verdict
  return verdict !== 'blocked' || (stopped !== 'fail' && stopped !== 'blocked')
}

import { type Explored, explore } from '../../contracts/explore/explore.ts'
import { openTarget } from '../../contracts/explore/open-target.ts'
import { createCheckContext } from '../../contracts/suites/context/check-context.ts'
import type { Mutant } from '../conformance/mutants/mutant.ts'
import { simulatorProfileAt } from '../conformance/run-suites.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'

/** Explores a mutant until a violation shows or the calls are spent. */
export const exploreMutant = async (
  { config, mutation, uncounted, profile = one => one }: Pick<Mutant, 'config' | 'mutation' | 'uncounted' | 'profile'>,
  { seed, calls }: { seed: number; calls: number },
): Promise<Explored & { hits: number }> => {
  const hits = { count: 0 }
  const simulator = await startTestSimulator(config, dataDir => (mutation ?? uncounted)?.(dataDir, hits) ?? {})
  const context = createCheckContext(profile(simulatorProfileAt(simulator)), 3)
  try {
    return { ...(await explore(openTarget(context), { seed, calls })), hits: hits.count }
  } finally {
    context.close()
    await simulator.stop()
  }
}

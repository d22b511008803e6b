import { type Explored, explore, newStageOf } from '../../contracts/explore/explore.ts'
import { openTarget } from '../../contracts/explore/open-target.ts'
import { shrink } from '../../contracts/explore/shrink.ts'
import { isCall } from '../../contracts/explore/step.ts'
import { createCheckContext } from '../../contracts/suites/context/check-context.ts'
import type { Mutant } from '../conformance/mutants/mutant.ts'
import { simulatorProfileAt } from '../conformance/run-suites.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'

/**
 * Result of exploring a mutant: how often the mutated code ran, and the calls of the counterexample, if one was found.
 */
export type ExploredMutant = Explored & { hits: number; shortest?: number }

/** Explores a mutant until a violation shows or the calls are spent, and shrinks the sequence that shows it. */
export const exploreMutant = async (
  { config, mutation, uncounted, profile = one => one }: Pick<Mutant, 'config' | 'mutation' | 'uncounted' | 'profile'>,
  { seed, calls }: { seed: number; calls: number },
): Promise<ExploredMutant> => {
  const hits = { count: 0 }
  const simulator = await startTestSimulator(config, dataDir => (mutation ?? uncounted)?.(dataDir, hits) ?? {})
  const context = createCheckContext(profile(simulatorProfileAt(simulator)), 3)
  try {
    const target = openTarget(context)
    const explored = await explore(target, { seed, calls })
    const [found] = explored.findings
    const shrunk = found && (await shrink(() => newStageOf(target)(found.isLong), found, target.rules))
    return { ...explored, hits: hits.count, ...(shrunk && { shortest: shrunk.steps.filter(isCall).length }) }
  } finally {
    context.close()
    await simulator.stop()
  }
}

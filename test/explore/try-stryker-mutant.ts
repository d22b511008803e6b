import { explore } from '../../contracts/explore/explore.ts'
import { openTarget } from '../../contracts/explore/open-target.ts'
import { createCheckContext } from '../../contracts/suites/context/check-context.ts'
import { runSuites, simulatorProfileAt } from '../conformance/run-suites.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'

// Tries the mutant that the environment makes active, by `checks` or by `explore`; exits with 1 where they find it.

const CALLS = 3000
const [, , way] = process.argv

const simulator = await startTestSimulator()
const profile = simulatorProfileAt(simulator)
process.exit((await (way === 'checks' ? isCaughtByChecks() : isFoundByExplore())) ? 1 : 0)

async function isCaughtByChecks(): Promise<boolean> {
  return (await runSuites(profile)).some(({ verdict }) => verdict === 'fail')
}

async function isFoundByExplore(): Promise<boolean> {
  const context = createCheckContext(profile, 3)
  return (await explore(openTarget(context), { seed: 1, calls: CALLS })).findings.length > 0
}

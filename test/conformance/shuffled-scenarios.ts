import type { CheckScenario } from '../../contracts/harness/judge/check.ts'
import type { CheckContext } from '../../contracts/suites/context/check-context.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import { seededRandom } from '../support/seeded-random.ts'

/** Index of the first scenario that judges the whole run or injects faults: these run last. */
const LAST = CHECK_SCENARIOS.findIndex(({ checks }) => checks.some(({ id }) => id === 'ERR-01'))

/** Returns the scenarios in a random order from a fixed seed, in which every control still runs before the checks that depend on it. */
export const shuffledScenarios = (): CheckScenario<CheckContext>[] => {
  const { pick } = seededRandom(1)
  const left = CHECK_SCENARIOS.slice(0, LAST)
  const done = new Set<string>()
  const isReady = ({ checks }: CheckScenario<CheckContext>) => {
    const own = checks.map(({ id }) => id)
    return checks.every(({ control }) => control === undefined || done.has(control) || own.includes(control))
  }
  const order: CheckScenario<CheckContext>[] = []
  while (left.length > 0) {
    const next = pick(left.filter(isReady))
    left.splice(left.indexOf(next), 1)
    for (const { id } of next.checks) done.add(id)
    order.push(next)
  }
  return [...order, ...CHECK_SCENARIOS.slice(LAST)]
}

import { expect, test } from 'vitest'
import { summarizeRun } from '../../contracts/harness/report/run-summary.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { describeResultsExcept, runSuites, simulatorProfileAt } from './run-suites.ts'

const LIMIT = 120_000

test.concurrent.each(['4711', 'odd', '2'])(
  '9: the simulator with variety passes all checks: seed %s',
  async seed => {
    const simulator = await startTestSimulator({ variety: seed })
    try {
      const results = await runSuites(simulatorProfileAt(simulator))
      expect(describeResultsExcept(results, 'pass', 'observed', 'not applicable', 'withheld')).toEqual([])
      expect(summarizeRun(results, results.length).exitCode).toBe(0)
    } finally {
      await simulator.stop()
    }
  },
  LIMIT,
)

import { expect, test } from 'vitest'
import { summarize } from '../../contracts/harness/summary.ts'
import { byLot } from '../support/lot.ts'
import { startTestSimulator } from '../support/simulator.ts'
import { certify, othersThan, profileOf } from './certify.ts'

const LIMIT = 120_000

test.each(byLot(['4711', 'odd', '2'], 1))(
  '9: no check condemns what is unusual and allowed: seed %s',
  async seed => {
    const simulator = await startTestSimulator({ variety: seed })
    try {
      const results = await certify(profileOf(simulator))
      expect(othersThan(results, 'pass', 'observed', 'not applicable', 'withheld')).toEqual([])
      expect(summarize(results, results.length).exitCode).toBe(0)
    } finally {
      await simulator.stop()
    }
  },
  LIMIT,
)

import { expect, test } from 'vitest'
import { matchingLines, sourceFiles } from './read-source-files.ts'

const READS_TIME = /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bhrtime\b|\bTemporal\.Now\b/
const SLEEPS = /\bsetTimeout\b.*from 'node:timers\/promises'/
const TAKES_CHANCE = /\bMath\.random\b|\brandom(UUID|Bytes|Int|FillSync|Fill)\b|\bgetRandomValues\b/

const serverSide = sourceFiles('{simulator,hosted-pages}').filter(file => !file.startsWith('hosted-pages/assets/'))

test('in the simulator only simulator/support/clock.ts reads the time and sleeps', () => {
  const others = serverSide.filter(file => file !== 'simulator/support/clock.ts')
  expect(matchingLines(READS_TIME, others)).toEqual([])
  expect(matchingLines(SLEEPS, others)).toEqual([])
})

test('in contracts and fixtures only contracts/client/wall-clock.ts reads the time', () => {
  const others = sourceFiles('{contracts,fixtures}').filter(file => file !== 'contracts/client/wall-clock.ts')
  expect(matchingLines(READS_TIME, others)).toEqual([])
})

test('in the simulator only simulator/support/ids.ts uses randomness', () => {
  const others = serverSide.filter(file => file !== 'simulator/support/ids.ts')
  expect(matchingLines(TAKES_CHANCE, others)).toEqual([])
})

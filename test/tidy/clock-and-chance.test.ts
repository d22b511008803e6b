import { expect, test } from 'vitest'
import { linesWith, sources } from './sources.ts'

const READS_TIME = /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bhrtime\b|\bTemporal\.Now\b/
const SLEEPS = /\bsetTimeout\b.*from 'node:timers\/promises'/
const TAKES_CHANCE = /\bMath\.random\b|\brandom(UUID|Bytes|Int|FillSync|Fill)\b|\bgetRandomValues\b/

const serverSide = sources('{simulator,hosted-pages}').filter(file => !file.startsWith('hosted-pages/assets/'))

test('only simulator/clock.ts reads the time, and lets it pass', () => {
  const others = serverSide.filter(file => file !== 'simulator/clock.ts')
  expect(linesWith(READS_TIME, others)).toEqual([])
  expect(linesWith(SLEEPS, others)).toEqual([])
})

test('only contracts/client/real-time.ts reads it on the merchant’s side', () => {
  const others = sources('{contracts,fixtures}').filter(file => file !== 'contracts/client/real-time.ts')
  expect(linesWith(READS_TIME, others)).toEqual([])
})

test('only simulator/ids.ts takes chance', () => {
  const others = serverSide.filter(file => file !== 'simulator/ids.ts')
  expect(linesWith(TAKES_CHANCE, others)).toEqual([])
})

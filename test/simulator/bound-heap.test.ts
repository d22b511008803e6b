import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MEGABYTE = 2 ** 20

/** A process that makes garbage of which much lives for a while, and tells how large the young generation gets. */
const program = (before: string, turns: string) => `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { setImmediate } from 'node:timers/promises'
  import { boundHeap, holdHeap } from '${new URL('../../simulator/bound-heap.ts', import.meta.url)}'
  const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
  const alive = []
  ${before}
  for (let turn = 0; ${turns}; turn += 1) {
    for (let made = 0; made < 2_000; made += 1) alive.push({ turn, made, more: [made] })
    if (alive.length > 100_000) alive.splice(0, 50_000)
    await setImmediate()
  }
  console.log(young())`

const youngAfter = async (before: string, turns: string): Promise<number> => {
  const options = ['--input-type=module', '--eval', program(before, turns)]
  const { stdout } = await promisify(execFile)(process.execPath, options)
  return Number(stdout) / MEGABYTE
}

const NEVER_GROWN = 2

test('8: the young generation is held where it begins, then grows to 16 MB and no further', async () => {
  const [free, held, bounded] = await Promise.all([
    youngAfter('', 'turn < 1_000'),
    youngAfter('holdHeap()', 'turn < 1_000'),
    youngAfter(
      'holdHeap(); boundHeap(); let grown = 0',
      '(grown ||= young() > 2 ** 21 && turn) === 0 || grown === false || turn < grown + 1_000',
    ),
  ])
  expect(free).toBeGreaterThan(16)
  expect(held).toBeLessThanOrEqual(NEVER_GROWN)
  expect(bounded).toBe(16)
}, 60_000)

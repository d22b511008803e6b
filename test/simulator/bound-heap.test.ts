import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** A process that makes what lives for a while, and tells how many megabytes its young generation had in the middle of the time. */
const program = (begin: string) => `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { setImmediate } from 'node:timers/promises'
  import { boundHeap, holdHeap } from '${new URL('../../simulator/bound-heap.ts', import.meta.url)}'
  const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20
  const alive = []
  const sizes = [0]
  const middleOf = last => sizes.slice(-last).sort((a, b) => a - b)[Math.floor(Math.min(last, sizes.length) / 2)]
  const work = async turns => {
    for (let turn = 0; turn < turns; turn += 1) {
      for (let made = 0; made < 2_000; made += 1) alive.push({ turn, made, more: [made] })
      if (alive.length > 100_000) alive.splice(0, 50_000)
      sizes.push(young())
      await setImmediate()
    }
  }
  ${begin}
  await work(1_000)
  console.log(middleOf(1_000))`

const youngAfter = async (begin: string): Promise<number> => {
  const options = ['--input-type=module', '--eval', program(begin)]
  const { stdout } = await promisify(execFile)(process.execPath, options, { timeout: 60_000 })
  return Number(stdout)
}

/** It grows by whole factors: from more than half of what is enough, it stays where it is. */
test('8: the young generation is held where it begins, and later grows to what is enough and no further', async () => {
  const [free, held, bounded] = await Promise.all([
    youngAfter(''),
    youngAfter('holdHeap()'),
    youngAfter('holdHeap(); boundHeap(); while (middleOf(100) <= 4) await work(100)'),
  ])
  expect(held).toBeLessThan(4)
  expect(bounded).toBeLessThan(24)
  expect(free).toBeGreaterThan(24)
}, 90_000)

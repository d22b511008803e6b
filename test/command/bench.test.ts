import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../tidy/sources.ts'

test('a quick measurement of growth prints a ratio for each operation', { timeout: 60_000 }, () => {
  const printed = execFileSync(process.execPath, ['bench/run.ts', '--growth', '--quick'], { cwd: ROOT }).toString()
  expect(printed).toMatch(/100 payments +1,000 payments/)
  for (const name of ['search by reference', 'newest page', 'status', 'initiate'])
    expect(printed).toMatch(new RegExp(`^${name} +\\d+ µs  × 1\\.00 +\\d+ µs  × \\d+\\.\\d\\d$`, 'm'))
})

test('a quick measurement prints its table and writes its figures', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-test-'))
  const file = join(folder, 'figures.json')
  const printed = execFileSync(process.execPath, ['bench/run.ts', '--quick', '--json', file], { cwd: ROOT }).toString()
  const { levels, ...figures } = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(folder, { recursive: true })

  expect(figures.calls).toBe(800)
  expect(figures.readyMs).toBeGreaterThan(0)
  expect(levels.map((level: { connections: number }) => level.connections)).toEqual([1, 10, 50])
  for (const { assay, floor, ratio } of levels) {
    expect(assay.p99Ms).toBeGreaterThanOrEqual(assay.p50Ms)
    expect(ratio).toBeCloseTo(assay.callsPerSecond / floor.callsPerSecond, 6)
  }
  expect(printed).toMatch(/memory after 800 calls +\d+ MB/)
  expect(printed.match(/^ +(1|10|50) .* \d\.\d\d$/gm)).toHaveLength(3)
})

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Machine } from '../../bench/report/machine.ts'
import { medianOfRuns } from '../../bench/speed/median-of-runs.ts'
import { compareWithGoals, goalsTable } from '../../bench/speed/performance-goals.ts'
import { type MeasuredRound, type SpeedFigures, summarizeSpeed } from '../../bench/speed/speed-figures.ts'
import { SERVER_NAMES } from '../../bench/speed/start-measured-servers.ts'
import { ROOT } from '../architecture/read-source-files.ts'
import { builtPackage } from '../support/built-package.ts'

test('a quick measurement of growth prints a ratio for each operation', { timeout: 60_000 }, () => {
  const printed = execFileSync(process.execPath, ['bench/bench-command.ts', '--growth', '--quick'], {
    cwd: ROOT,
  }).toString()
  expect(printed).toMatch(/100 payments +1,000 payments/)
  for (const name of ['search by reference', 'newest page', 'status', 'initiate'])
    expect(printed).toMatch(new RegExp(`^${name} +\\d+ µs  × 1\\.00 +\\d+ µs  × \\d+\\.\\d\\d$`, 'm'))
})

test('a quick measurement prints its tables and writes its figures', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-test-'))
  const file = join(folder, 'figures.json')
  const printed = execFileSync(process.execPath, ['bench/bench-command.ts', '--quick', '--json', file], {
    cwd: ROOT,
    env: { ...process.env, ASSAY_BUILT_PACKAGE: await builtPackage() },
  }).toString()
  const { machine, figures } = JSON.parse(readFileSync(file, 'utf8')) as { machine: Machine; figures: SpeedFigures }
  rmSync(folder, { recursive: true })

  expect(printed).toContain(`${machine.cores} cores, ${machine.memoryGb} GB, Node ${process.version}, ${machine.date}`)
  expect(figures.calls).toBe(300)
  expect(figures.starts.map(({ name }) => name)).toEqual([
    SERVER_NAMES.signed,
    SERVER_NAMES.floor,
    SERVER_NAMES.alone,
    SERVER_NAMES.plain,
    SERVER_NAMES.hono,
  ])
  for (const { readyMs, memoryIdleMb, memoryLoadedMb } of figures.starts) {
    expect(readyMs).toBeGreaterThan(0)
    expect(memoryLoadedMb).toBeGreaterThan(memoryIdleMb / 2)
  }
  for (const table of [figures.initiates, figures.payments])
    expect(table.map(({ connections }) => connections)).toEqual([1, 10, 50])
  for (const { rows } of figures.initiates) {
    const rateOf = (name: string | undefined) => rows.find(row => row.name === name)?.perSecond ?? Number.NaN
    const compared = rows.filter(({ ratio }) => ratio)
    expect(compared.map(({ name, ratio }) => [name, ratio?.to])).toEqual([
      [SERVER_NAMES.signed, SERVER_NAMES.floor],
      [SERVER_NAMES.plain, SERVER_NAMES.hono],
    ])
    for (const { name, ratio } of compared) expect(ratio?.rate).toBeCloseTo(rateOf(name) / rateOf(ratio?.to), 6)
    for (const { p50Ms, p99Ms } of rows) expect(p99Ms).toBeGreaterThanOrEqual(p50Ms)
  }
  expect(printed.match(/^one initiate, (1|10|50) at once/gm)).toHaveLength(3)
  expect(printed.match(/^a whole BLIK payment of six calls, (1|10|50) at once/gm)).toHaveLength(3)
  expect(printed.match(/ (met|missed)$/gm)).toHaveLength(compareWithGoals(figures).length)
})

test('a ratio is the median over the rounds, each compared with the reference server in the same round', () => {
  const round = (name: string, number: number, seconds: number) =>
    ({
      name,
      connections: 1,
      round: number,
      seconds,
      latencies: [1, 2],
      cpuMs: seconds * 1_000,
    }) satisfies MeasuredRound
  const initiates = [3, 2, 4].flatMap((seconds, number) => [round('own', number, seconds), round('twin', number, 1)])
  const measures = new Map([['own', 'twin']])
  const { initiates: table } = summarizeSpeed({ calls: 2, starts: [], measures, initiates, payments: [], missing: [] })
  expect(table[0]?.rows[0]).toMatchObject({ perSecond: 2 / 3, ratio: { to: 'twin', rate: 1 / 3, cpu: 1 / 3 } })
  expect(table[0]?.rows[1]).not.toHaveProperty('ratio')
})

test('figures of several runs are medians, and goals have the range of the runs', () => {
  const run = (readyMs: number, missing: string[] = []): SpeedFigures => ({
    calls: 1,
    starts: [SERVER_NAMES.signed, SERVER_NAMES.hono].map(name => ({
      ...{ name, firstReadyMs: 1, readyMs: name === SERVER_NAMES.hono ? 100 : readyMs },
      ...{ memoryIdleMb: 50, memoryLoadedMb: 60 },
    })),
    initiates: [],
    payments: [],
    missing,
  })
  const figures = medianOfRuns([run(120, ['no rival']), run(300), run(130)])
  expect(figures.starts.map(({ readyMs }) => readyMs)).toEqual([130, 100])
  expect(figures.missing).toEqual(['no rival'])
  const start = compareWithGoals(figures).find(({ goal }) => goal.startsWith('start to ready'))
  expect(start).toMatchObject({ value: 1.3, least: 1.2, most: 3, met: true })
  expect(goalsTable(figures)).toMatch(/start to ready by that of bare Hono +1\.40 +1\.30 +1\.20–3\.00 {2}met/)
})

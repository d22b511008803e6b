import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { METRIC_NAMES, METRICS, type Sample } from '../../bench/soak/resource-usage-sample.ts'
import { sparkline } from '../../bench/soak/soak-table.ts'
import { type Trend, trendOf } from '../../bench/soak/trend.ts'
import { judgeSoak, type SoakResult } from '../../bench/soak/verdict.ts'
import { ROOT } from '../architecture/read-source-files.ts'
import { builtPackage } from '../support/built-package.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('8, D-109: a short soak loads the sandbox, samples every metric, and says that it was too short to judge', {
  timeout: 120_000,
}, async () => {
  const file = join(temporaryFolder(), 'soak.json')
  const argv = ['bench/soak/soak-command.ts', '--laps', '2', '--json', file]
  const env = { ...process.env, ASSAY_BUILT_PACKAGE: await builtPackage() }
  const { status, stdout } = spawnSync(process.execPath, argv, { cwd: ROOT, env, encoding: 'utf8' })
  const { figures } = JSON.parse(readFileSync(file, 'utf8')) as { figures: SoakResult }
  expect([status, figures.verdict]).toEqual([1, 'too short'])
  expect(figures.samples.map(({ laps, days }) => [laps, days])).toEqual([
    [1, 3],
    [2, 6],
  ])
  for (const name of METRIC_NAMES) {
    expect(
      figures.samples.map(sample => sample[name] > 0),
      name,
    ).toEqual([true, true])
    expect(stdout).toContain(METRICS[name].title)
  }
  expect(figures.samples.at(-1)?.payments).toBeGreaterThan(30)
})

test('a soak in which the database grows names the tables that grow most', () => {
  const samples = Array.from({ length: 10 }, (_, at): Sample => {
    const flat = { residentMb: 100, heapMb: 20, handles: 9, files: 30 }
    return { seconds: at, laps: at, days: 3 * at, payments: at, ...flat, databaseMb: 1 + at }
  })
  const rows = samples.map(({ laps }) => ({ events: 10 * laps, payments: 2 * laps, settings: 5 }))
  expect(judgeSoak(samples, rows)).toMatchObject({
    verdict: 'growing',
    trends: { databaseMb: { verdict: 'growing' }, heapMb: { verdict: 'flat' } },
    grown: [
      { table: 'events', from: 50, to: 90 },
      { table: 'payments', from: 10, to: 18 },
    ],
  })
})

describe('the trend of a series', () => {
  const ALLOWANCE = { share: 0.05, least: 2 }
  const judged = (values: readonly number[]): Trend =>
    trendOf(
      values.map((value, at) => ({ at, value })),
      ALLOWANCE,
    )
  const series = (valueAt: (at: number) => number, length = 40) => Array.from({ length }, (_, at) => valueAt(at))
  const noise = (at: number) => ((at * 7_919) % 11) - 5

  // biome-ignore format: a table reads by its columns
  test.each([
    ['that stands still is flat',                          series(() => 100),                                 'flat'],
    ['with noise is flat',                                 series(at => 100 + noise(at)),                     'flat'],
    ['that goes up and down like a saw is flat',           series(at => 100 + 20 * (at % 5)),                 'flat'],
    ['that rises while it warms up, then stands, is flat', series(at => 100 + 10 * Math.min(at, 15)),         'flat'],
    ['that rises by less than it may is flat',             series(at => 100 + at * 0.1),                      'flat'],
    ['with one outlier at the end is flat',                series(at => (at === 39 ? 1_000 : 100)),           'flat'],
    ['that falls is flat',                                 series(at => 100 - at),                            'flat'],
    ['that rises steadily is growing',                     series(at => 100 + at),                            'growing'],
    ['that rises through noise is growing',                series(at => 100 + at + noise(at)),                'growing'],
    ['that rises in steps is growing',                     series(at => 100 + 10 * Math.floor(at / 6)),       'growing'],
    ['that rises but for one outlier is growing',          series(at => (at === 39 ? 0 : 100 + at)),          'growing'],
    ['of four points in its second half is judged',        series(at => 100 + 10 * at, 8),                    'growing'],
    ['of fewer is too short',                              series(at => 100 + 10 * at, 7).slice(1),           'too short'],
  ] as const)('%s', (_what, values, verdict) => expect(judged(values)).toMatchObject({ verdict }))

  test('has a level, the rise over the second half, and the allowed rise', () => {
    expect(judged(series(at => 100 + at, 41))).toEqual({ verdict: 'growing', level: 130, rise: 20, allowed: 6.5 })
  })

  test('is drawn as a sparkline scaled from minimum to maximum', () => {
    expect(sparkline([1, 2, 3, 8])).toBe('▁▂▃█')
    expect(sparkline([5, 5])).toBe('▁▁')
    expect(sparkline(series(at => at, 400))).toHaveLength(40)
  })
})

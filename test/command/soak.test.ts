import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { METRIC_NAMES } from '../../bench/soak/sample.ts'
import { sparkline } from '../../bench/soak/table.ts'
import { type Trend, trendOf } from '../../bench/soak/trend.ts'
import type { Soak } from '../../bench/soak/verdict.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ROOT } from '../tidy/sources.ts'

const soak = (...options: string[]) => {
  const file = join(temporaryFolder(), 'soak.json')
  const ran = spawnSync(process.execPath, ['bench/soak.ts', ...options, '--json', file], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const { figures } = JSON.parse(readFileSync(file, 'utf8')) as { figures: Soak }
  return { code: ran.status, printed: ran.stdout, figures }
}

test('8, D-109: four weeks of mixed load leave memory, handles and the database as they are', {
  timeout: 180_000,
}, () => {
  const { code, printed, figures } = soak('--laps', '9')
  expect(figures.trends, printed).toEqual(
    Object.fromEntries(METRIC_NAMES.map(name => [name, expect.objectContaining({ verdict: 'flat' })])),
  )
  expect({ code, verdict: figures.verdict, days: figures.samples.at(-1)?.days }).toEqual({
    code: 0,
    verdict: 'flat',
    days: 27,
  })
  expect(figures.samples.at(-1)?.payments).toBeGreaterThan(150)
  expect(printed).toMatch(/^Flat: /m)
})

test.runIf(process.env.ASSAY_PROOF === 'full')(
  'a sandbox that keeps its payments for ever is found to grow, and by which tables',
  { timeout: 180_000 },
  () => {
    const { code, printed, figures } = soak('--laps', '12', '--keep-payments', 'ever')
    expect({ code, verdict: figures.trends.databaseMb.verdict }).toEqual({ code: 1, verdict: 'growing' })
    expect(printed).toMatch(/^grown most: .*events from \d+ rows to \d+/m)
  },
)

describe('a series', () => {
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

  test('tells its level, its rise over the second half, and what it may', () => {
    expect(judged(series(at => 100 + at, 41))).toEqual({ verdict: 'growing', level: 130, rise: 20, allowed: 6.5 })
  })

  test('is drawn from its least to its most', () => {
    expect(sparkline([1, 2, 3, 8])).toBe('▁▂▃█')
    expect(sparkline([5, 5])).toBe('▁▁')
    expect(sparkline(series(at => at, 400))).toHaveLength(40)
  })
})

import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import {
  assumed,
  type Check,
  type CheckResult,
  type GridCell,
  type Verdict,
} from '../../contracts/harness/judge/check.ts'
import { createExpect } from '../../contracts/harness/judge/check-assertions.ts'
import { judgeCheck } from '../../contracts/harness/judge/judge-check.ts'
import { EmptyCell } from '../../contracts/harness/judge/judge-grid-cells.ts'
import { Blocked, Inconclusive, Mismatch, Untestable } from '../../contracts/harness/judge/verdict-errors.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { shownCell } from '../../contracts/harness/report/grid-cell-presentation.ts'
import { gridTables } from '../../contracts/harness/report/grid-tables.ts'
import { checkResultText } from '../../contracts/harness/report/text-report.ts'
import { gridRowCheck } from '../../contracts/suites/check-builders/grid-row-check.ts'
import { expectRefusedUnlike } from '../../contracts/suites/grid/cell-judgments.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'
import { sampleReport } from './sample-report.ts'

const profile = readProfile(SIMULATOR_PROFILE)
const evidence = {
  of: () => {
    throw new Error('no step is read')
  },
  transcript: [],
}

const rowOf = (errors: Readonly<Record<string, Error | undefined>>): Check =>
  gridRowCheck({
    id: 'GRD-99',
    clause: '5',
    title: 'made up',
    cells: Object.entries(errors).map(([column, error]) => ({
      column,
      clause: '5',
      judge: () => {
        if (error) throw error
      },
    })),
  })

// biome-ignore format: a table reads by its columns
test.each<[what: string, errors: Record<string, Error | undefined>, verdict: string, says: string]>([
  ['all pass',             { capture: undefined, refund: undefined },                                        'pass',           ''],
  ['one is empty',         { capture: undefined, refund: new EmptyCell('why') },                             'pass',           ''],
  ['all are empty',        { capture: new EmptyCell('why') },                                                'not applicable', 'why'],
  ['one failed',           { capture: undefined, refund: new Mismatch('a refusal', 'HTTP 200') },            'fail',           'refund: a refusal'],
  ['a later one failed',   { capture: new Blocked('not there'), refund: new Mismatch('a refusal', 'HTTP 200') }, 'fail',       'refund: a refusal'],
  ['one is not judged',    { capture: new Untestable('add a line'), refund: undefined },                     'untestable',     'capture: add a line'],
  ['two are not judged',   { capture: new Blocked('no'), refund: new Blocked('no') },                        'blocked',        'capture: no; also refund'],
  ['the suite is broken',  { capture: new TypeError('oh'), refund: undefined },                              'harness error',  'oh'],
])('a row of which %s has the verdict of its worst cell, and keeps them all', async (_what, errors, verdict, says) => {
  const judged = await judgeCheck(rowOf(errors), evidence, profile)
  expect(judged.verdict).toBe(verdict)
  expect(judged.expected ?? judged.reason ?? '').toContain(says)
  expect(judged.cells?.map(({ column }) => column)).toEqual(Object.keys(errors))
})

const rowWith = (cells: readonly GridCell[], verdict: Verdict): CheckResult => ({
  id: 'GRD-99',
  clause: '5',
  title: 'made up',
  journey: 'grid',
  verdict,
  durationMs: 0,
  cells,
})

const answer = (status: number, endpoint: 'downloadReport' | 'status'): Exchange => ({
  request: { method: 'GET', url: 'https://x/y', headers: {}, endpoint },
  response: { status, headers: {}, body: Buffer.from('{}') },
  durationMs: 1,
})

// biome-ignore format: a table reads by its columns
test.each([
  [400, 'downloadReport', `: is requests.downloadReport of ${profile.file} right?`],
  [405, 'downloadReport', `: is paths.downloadReport of ${profile.file} right?`],
  [400, 'status',         `: is paths.status of ${profile.file} right?`],
] as const)('a cell whose correct call was refused with %s names the line that may cure it', (status, endpoint, end) => {
  const judge = () =>
    expectRefusedUnlike(answer(403, endpoint), () => answer(status, endpoint), createExpect(profile, { id: 'GRD-01', control: 'MTLS-01' }))
  const told = `the same call made correctly was refused as well, GET https://x/y → ${status} in 1 ms${end}`
  expect(judge).toThrow(new Blocked(told, answer(status, endpoint)))
})

test('a cell whose correct call was put off is inconclusive', () => {
  const expectation = createExpect(profile, { id: 'GRD-01', control: 'MTLS-01' })
  const judge = () => expectRefusedUnlike(answer(403, 'status'), () => answer(503, 'status'), expectation)
  expect(judge).toThrow(Inconclusive)
})

const leaning = new Mismatch('HTTP 403', 'HTTP 400')
const stated = new Mismatch('a refusal', 'HTTP 200', undefined, true)

// biome-ignore format: a table reads by its columns
test.each([
  ['leans on a decision alone',            { capture: leaning, refund: undefined }, 'differs', 'HTTP 403'],
  ['violates the document in a later cell', { capture: leaning, refund: stated },   'fail',    'refund: a refusal'],
] as const)('an assumed row that %s', async (_what, errors, verdict, says) => {
  const row = { ...rowOf(errors), ...assumed('D-41') }
  const judged = await judgeCheck(row, evidence, { ...profile, confirmed: [] })
  expect(judged).toMatchObject({ verdict, expected: expect.stringContaining(says) })
})

test('the report draws the rows as a table that tells verdicts in words, too', async () => {
  const { cells = [] } = await judgeCheck(rowOf({ capture: new Mismatch('a refusal', 'HTTP 200') }), evidence, profile)
  const page = String(gridTables([rowWith(cells, 'fail')], new Map()))
  expect(page).toContain('data-tone="fail"')
  expect(page).toContain('fail (5) expected a refusal, got HTTP 200')
  expect(gridTables([], new Map())).toBe('')
})

test('a cell that another check judges has its verdict', () => {
  const cell = { column: 'token', verdict: 'not applicable', reason: 'MTLS-03 and SIG-05 judge this cell' } as const
  const verdicts = new Map<string, Verdict>([
    ['MTLS-03', 'pass'],
    ['SIG-05', 'fail'],
  ])
  const row = rowWith([cell], 'pass')
  expect(shownCell(cell, row, verdicts)).toMatchObject({ verdict: 'fail', kind: 'elsewhere' })
  expect(shownCell(cell, row, new Map())).toMatchObject({ verdict: 'not applicable', kind: 'empty' })
})

test('a failed cell of a known failure is not shown as a failure', () => {
  const cell = { column: 'token', verdict: 'fail', expected: 'a refusal', got: 'HTTP 200' } as const
  expect(shownCell(cell, rowWith([cell], 'known'), new Map())).toMatchObject({ verdict: 'known', kind: 'judged' })
})

test('the legend counts the signs, worst first, and a row says why it lacks columns', () => {
  const cells = [
    { column: 'capture', verdict: 'pass' },
    { column: 'refund', verdict: 'fail', expected: 'a refusal', got: 'HTTP 200' },
    { column: 'cancel', verdict: 'pass' },
  ] as const
  const otherColumns = 'no <one> asks for it'
  const registry = new Map([['GRD-98', { ...rowOf({}), otherColumns }]])
  const page = String(
    gridTables([rowWith(cells, 'fail'), { ...rowWith(cells.slice(0, 1), 'pass'), id: 'GRD-98' }], registry),
  )
  expect([...page.matchAll(/<b>(\d+)<\/b> (\w+)/g)].map(([, count, meaning]) => [count, meaning])).toEqual([
    ['1', 'fail'],
    ['3', 'pass'],
  ])
  expect(page).toContain('title="not applicable no &lt;one&gt; asks for it (GRD-98 is about capture)"')
})

/** Cells of a row as they are where no call was made. */
const cellsOf = async (check: Check): Promise<readonly GridCell[]> => {
  const judging = (async () => check.judge(evidence, createExpect(profile, check)))()
  const { cells = [] } = ((await judging.catch(error => error)) ?? {}) as { cells?: readonly GridCell[] }
  return cells
}

test('every row says why it has no cells in the other columns of its grid', async () => {
  const grids = CHECK_SCENARIOS.filter(({ checks }) => checks.some(({ id }) => id.startsWith('GRD-')))
  const silent: string[] = []
  for (const { checks } of grids) {
    const judged = await Promise.all(checks.map(async check => ({ check, cells: await cellsOf(check) })))
    const rows = judged.filter(({ cells }) => cells.length > 0) // a scenario may hold checks of one call as well
    const columns = new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column)))
    expect(columns.size).toBeGreaterThan(1)
    for (const { check, cells } of rows)
      if (cells.length < columns.size !== (check.otherColumns !== undefined)) silent.push(check.id)
  }
  expect(silent).toEqual([])
})

test('the text of a row in full lists its cells', () => {
  const cells = [
    { column: 'capture', verdict: 'pass' },
    { column: 'refund', verdict: 'fail', expected: 'a refusal', got: 'HTTP 200' },
  ] as const
  const text = checkResultText(rowWith(cells, 'fail'), sampleReport([]), true)
  expect(
    text
      .split('\n')
      .slice(1)
      .map(line => line.trim().split(/ {2,}/)),
  ).toEqual([
    ['capture', 'pass'],
    ['refund', 'fail', 'expected a refusal, got HTTP 200'],
  ])
})

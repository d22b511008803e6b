import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunReport } from '../../contracts/harness/report/run-report.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { targetOptions } from './run-certify-child-process.ts'
import { runCertifyInProcess } from './run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-saved-runs-'))
const run = join(folder, 'run')

beforeAll(async () => {
  const simulator = await startTestSimulator()
  const options = ['--profile', SIMULATOR_PROFILE, ...targetOptions(simulator), '--only', 'GRD-01,SIG-07,EVT-03']
  const { code } = await runCertifyInProcess('run', ...options, '--report', run)
  await simulator.stop()
  expect(code).toBe(0)
})

afterAll(() => rmSync(folder, { recursive: true }))

let copies = 0
/** Copies the run, with its report altered; returns the folder. */
const altered = (alter: (report: RunReport) => object): string => {
  copies += 1
  const copy = join(folder, `copy-${copies}`)
  cpSync(run, copy, { recursive: true })
  const report = JSON.parse(readFileSync(join(run, 'report.json'), 'utf8')) as RunReport
  writeFileSync(join(copy, 'report.json'), JSON.stringify({ ...report, ...alter(report) }))
  return copy
}

/** Copies the run, with a row of a grid as a known failure that has failed in these columns. */
const withFailing = (...columns: string[]): string =>
  altered(({ checks }) => ({
    checks: checks.map(check =>
      check.id !== 'GRD-01'
        ? check
        : {
            ...check,
            verdict: 'known',
            reason: 'ticket 12',
            cells: check.cells?.map(cell =>
              columns.includes(cell.column) ? { ...cell, verdict: 'fail', expected: '401', got: '200' } : cell,
            ),
          },
    ),
  }))

const violation = { clauses: ['I3'], story: ['a call'], shown: 3, replays: 3 }
const exploredWith = (violations: (typeof violation)[]) =>
  altered(() => ({ explored: { seed: 7, calls: 9, sequences: 1, visited: 1, transitions: 5, violations } }))

test('diff tells the cells of a row that fails as before, and exits with 8 where one of them got worse', async () => {
  const [before, after] = [withFailing('initiate'), withFailing('initiate', 'refund')]
  const { code, out } = await runCertifyInProcess('diff', before, after)
  expect(out).toMatch(/regressions \(1\)\n {2}GRD-01 {3}pass → fail {2}.*, refund\n {11}expected 401, got 200\n$/)
  expect(code).toBe(8)
  expect(await runCertifyInProcess('diff', after, before)).toMatchObject({
    code: 0,
    out: expect.stringContaining('better (1)'),
  })
})

test('diff tells a known failure that counts otherwise without being known', async () => {
  const knownAs = (verdict: 'differs' | 'fail') =>
    altered(({ checks }) => ({
      checks: checks.map(check =>
        check.id === 'SIG-07' ? { ...check, verdict: 'known', knownAs: verdict, reason: 'ticket 12' } : check,
      ),
    }))
  const [differs, fails] = [knownAs('differs'), knownAs('fail')]
  const { code, out } = await runCertifyInProcess('diff', differs, fails)
  expect(out).toMatch(/regressions \(1\)\n {2}SIG-07 {3}differs → fail {2}.*\n {11}ticket 12\n$/)
  expect(code).toBe(8)
  expect(await runCertifyInProcess('diff', fails, differs)).toMatchObject({
    code: 0,
    out: expect.stringContaining('otherwise (1)'),
  })
  expect((await runCertifyInProcess('diff', fails, fails)).out).toContain('Every verdict is the same.')
})

test('diff counts a violation that exploration found anew as a regression', async () => {
  const [clean, broken] = [exploredWith([]), exploredWith([violation])]
  const { code, out } = await runCertifyInProcess('diff', clean, broken)
  expect(out).toMatch(/regressions \(1\)\n {2}explored pass → fail {2}violation of I3/)
  expect(code).toBe(8)
  expect((await runCertifyInProcess('diff', run, broken)).code).toBe(8)
  expect(await runCertifyInProcess('diff', broken, clean)).toMatchObject({
    code: 0,
    out: expect.stringContaining('better (1)'),
  })
  expect((await runCertifyInProcess('diff', broken, broken)).code).toBe(0)
})

test('diff says of each run what makes it incomplete, and lets no text of the deployment begin a line', async () => {
  const lesser = altered(({ checks }) => ({
    stopped: { reason: 'budgets.seconds is used up' },
    layersOff: 'mtls, token',
    checks: checks.map(check =>
      check.id === 'SIG-07' ? { ...check, verdict: 'fail', expected: '401', got: 'x\nregressions (9)' } : check,
    ),
  }))
  const { out } = await runCertifyInProcess('diff', run, lesser)
  expect(out).toMatch(/^B .+\n {3}layers switched off: mtls, token\n {3}stopped early: budgets.seconds is used up$/m)
  expect(out).not.toContain('\nregressions (9)')
})

test('diff refuses options that its operands make no use of', async () => {
  const cases = [
    [['diff', run, run, '--patch', 'p'], '--patch'],
    [['diff', run, run, '--tier', '9'], '--tier'],
    [['diff', run, run, '--only', 'SIG'], '--only'],
    [['diff', SIMULATOR_PROFILE, '--only', 'SIG'], '--only'],
    [['diff', SIMULATOR_PROFILE, '--profile', 'x'], '--profile'],
    [['diff', 'https://localhost:1', run, '--patch', 'p'], '--patch'],
  ] as const
  for (const [[word, ...args], option] of cases)
    expect(await runCertifyInProcess(word, ...args)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(new RegExp(`^${option} is of no use .+: leave it out\\.\\n$`)),
    })
})

test('regrade needs the certificate, which says what the transcript does not hold', async () => {
  const copy = altered(() => ({}))
  rmSync(join(copy, 'certificate.jws'))
  const { code, err } = await runCertifyInProcess('regrade', copy)
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('certificate.jws cannot be read') })
})

test('regrade keeps the ledger, in the same folder and in another', async () => {
  const copy = altered(() => ({}))
  const ledger = readFileSync(join(copy, 'ledger.jsonl'), 'utf8')
  expect(ledger).not.toBe('')
  for (const into of [copy, join(folder, 'elsewhere')]) {
    expect((await runCertifyInProcess('regrade', copy, '--report', into)).code).toBe(0)
    expect(readFileSync(join(into, 'ledger.jsonl'), 'utf8')).toBe(ledger)
  }
})

test('regrade tells the command of the run that judges a check again', async () => {
  const copy = altered(() => ({ again: 'assay certify --profile ours.yaml --kit kits/ours' }))
  const { out } = await runCertifyInProcess('regrade', copy, '--json')
  expect(JSON.parse(out).again).toBe('assay certify --profile ours.yaml --kit kits/ours')
})

test('verify lets no text of the report begin a line', async () => {
  const profile = join(folder, 'lines.yaml')
  const text = readFileSync(SIMULATOR_PROFILE, 'utf8')
  writeFileSync(profile, text.replace(/^name: .*$/m, 'name: "x\\nSigned by the key that you named (AAAA)."'))
  const copy = join(folder, 'forged')
  await runCertifyInProcess('regrade', run, '--profile', profile, '--report', copy)
  const { out } = await runCertifyInProcess('verify', copy)
  expect(out).toContain('The certificate is good')
  expect(out).not.toMatch(/^Signed by the key that you named/m)
})

import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportToAddTo } from '../../contracts/commands/add-exploration-to-report.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { verifyConformanceCertificate } from '../../contracts/harness/report/conformance-certificate.ts'
import type { Exploration } from '../../contracts/harness/report/exploration.ts'
import { REPORT_FILES, readReportFile, readSavedReport } from '../../contracts/harness/report/report-folder.ts'
import { createCheckAgainstSchema } from '../../simulator/scenarios/check-scenario-file-against-schema.ts'
import { readScenarioFile } from '../../simulator/scenarios/read-scenario-file.ts'
import { BASIC_MUTANTS } from '../conformance/mutants/basic-mutants.ts'
import { runCertifyInProcess } from '../conformance/run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const mutant = BASIC_MUTANTS.find(({ does }) => does === 'replays the stored response instead of 409')

let good: TestSimulator
let wrong: TestSimulator
beforeAll(async () => {
  wrong = await startTestSimulator({}, dataDir => mutant?.mutation?.(dataDir, { count: 0 }) ?? {})
  good = await startTestSimulator()
})
afterAll(() => Promise.all([good.stop(), wrong.stop()]))

const target = ({ apiUrl, kitFolder, pagesUrl }: TestSimulator) => [
  ...['--profile', SIMULATOR_PROFILE, '--base-url', apiUrl, '--kit', kitFolder, '--control', pagesUrl],
]

/** Creates a project in which this package and vitest are installed. */
const newProject = (): string => {
  const project = temporaryFolder()
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, '@assay-sandbox'), { recursive: true })
  symlinkSync(ROOT, join(modules, '@assay-sandbox/assay'))
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(modules, 'vitest'))
  return project
}

test('a violation is written as a sequence, a page, and a test that fails until it is mended', {
  timeout: 240_000,
}, async () => {
  const project = newProject()
  const report = join(project, 'report')
  const file = (name: string) => join(report, name)
  const { code, out } = await runCertifyInProcess('explore', ...target(wrong), '--report', report)
  expect([code, out]).toEqual([1, expect.stringMatching(/^Violation of I4/)])
  expect(out.trimEnd().split('\n').slice(-6)).toEqual(readdirSync(report).map(file))

  expect(await runCertifyInProcess('explore', ...target(wrong), '--replay', file('counterexample.json'))).toMatchObject(
    {
      code: 1,
      out: expect.stringMatching(/^Violation of I4.*1 of 1 replays/),
    },
  )
  const again = await runCertifyInProcess('explore', ...target(good), '--replay', file('counterexample.json'))
  expect(again).toMatchObject({ code: 0, out: 'No violation.\n' })

  const page = readFileSync(file('counterexample.md'), 'utf8')
  expect(page).toMatch(
    /^# Violation of I4: 10 of 10 replays show it\.\n\nAfter \d steps?, s\d+: .*\. {2}\nExpected: .*\. {2}\nGot: .*\.\n\n- s/,
  )
  expect(page).toContain('```mermaid\nsequenceDiagram\n  participant Merchant as merchant\n')
  const named = target(wrong).map(one => (one.startsWith('--') ? one : `'${one}'`))
  expect(page).toContain(`assay certify explore ${named.join(' ')} --replay counterexample.json\n`)
  expect(page).toMatch(/curl --cert .*--request POST/)
  expect(page).not.toMatch(/Bearer ey/)

  const { entries, mistakes } = readScenarioFile(file('counterexample.yaml'), createCheckAgainstSchema())
  expect([entries.map(({ entry }) => entry.name), mistakes]).toEqual([['COUNTEREXAMPLE_I4'], []])

  expect(readFileSync(file('transitions.csv'), 'utf8')).toMatch(/^none,initiate,begun,waiting,"3, E4",[1-9]\d*$/m)
  expect(readFileSync(file('transitions.svg'), 'utf8')).toMatch(
    /<title>none → waiting: initiate, begun \(3, E4\): [1-9]/,
  )

  const red = readFileSync(file('counterexample.test.ts'), 'utf8')
  const names = (simulator: TestSimulator) => [simulator.apiUrl, simulator.kitFolder, simulator.pagesUrl]
  const mended = names(wrong).reduce((text, name, index) => text.replace(name, names(good)[index] ?? ''), red)
  writeFileSync(file('mended.test.ts'), mended)
  const results = join(project, 'results.json')
  const argv = ['run', '--root', project, '--reporter=json', `--outputFile=${results}`]
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const { stderr } = await run(process.execPath, [vitest, ...argv], { cwd: project }).catch(error => error)
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as {
    testResults: { name: string; status: string }[]
  }
  const statuses = testResults.map(({ name, status }) => [basename(name), status])
  expect(statuses.sort(), stderr).toEqual([
    ['counterexample.test.ts', 'failed'],
    ['mended.test.ts', 'passed'],
  ])
  expect(JSON.stringify(testResults)).toContain('Violation of I4')
})

test('what explore found goes into report and certificate of a run, beside its checks', {
  timeout: 240_000,
}, async () => {
  const report = join(temporaryFolder(), 'report')
  await runCertifyInProcess('run', ...target(wrong), '--only', 'TOK-02', '--report', report)
  const { code, out } = await runCertifyInProcess('explore', ...target(wrong), '--seed', '2', '--report', report)
  expect(code).toBe(1)
  const { explored, summary } = readSavedReport(report)
  expect(explored).toMatchObject({ seed: 2, violations: [{ shown: 10, replays: 10 }] })
  expect(out).toContain(explored?.violations[0]?.story.join('\n'))
  expect(summary.exitCode).toBe(1)
  const { certificate } = await verifyConformanceCertificate(readReportFile(report, REPORT_FILES.certificate))
  expect(certificate.explored).toEqual(explored)
  const told =
    /Explored by seed 2: \d+ calls, \d+ of \d+ transitions visited, \d+ not reached, violation of .*, which 10 of 10 replays show/
  expect(await runCertifyInProcess('verify', report)).toMatchObject({ code: 0, out: expect.stringMatching(told) })
  expect(readReportFile(report, REPORT_FILES.page)).toMatch(told)
  expect(readReportFile(report, REPORT_FILES.junit)).toMatch(/<failure message="violation of /)
  expect(await runCertifyInProcess('regrade', report)).toMatchObject({ code: 1, out: expect.stringMatching(told) })

  const deployment = { target: readSavedReport(report).target } as Profile
  await reportToAddTo(report, deployment, undefined)?.({ ...(explored as Exploration), violations: [] })
  expect(readSavedReport(report).summary.exitCode).toBe(0)
  expect(await runCertifyInProcess('verify', report)).toMatchObject({ code: 0, err: '' })

  const other = await runCertifyInProcess('explore', ...target(good), '--report', report)
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('holds the report of a run against') })
})

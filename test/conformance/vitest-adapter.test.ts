import { spawn } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certifyWith } from '../../contracts/certify-in-test-runner.ts'
import { readSource } from '../architecture/read-source-files.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { SIMULATOR_PROFILE, simulatorProfileAt } from './run-suites.ts'

const HERE = join(import.meta.dirname, '../..')
const LIMIT = 120_000
let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})

afterAll(() => simulator.stop())

/** The sample of docs/certify.md, which runs our suites in a user's vitest, with this profile and these checks. */
const fixture = (profile: string, only: readonly string[]): string => {
  const [, sample = ''] = /^```ts\n\/\/ contract\.test\.ts\n(.*?)^```$/ms.exec(readSource('docs/certify.md')) ?? []
  return sample
    .replace("'@assay-sandbox/assay/vitest'", JSON.stringify(join(HERE, 'contracts/certify-in-test-runner.ts')))
    .replace("'ours.yaml'", `'${profile}'`)
    .replace(/only: \[[^\]]*\]/, `only: ${JSON.stringify(only)}`)
}

type Told = { name: string; ancestors: string[]; status: string; text: string }

/** Runs vitest once on a file for the good profile and one for a wrong profile; returns the state of each test of both. */
const runVitest = async (): Promise<{ good: Told[]; wrong: Told[] }> => {
  const folder = temporaryFolder()
  const profile = readFileSync(SIMULATOR_PROFILE, 'utf8')
    .replace(/baseUrl: .*/, `baseUrl: ${simulator.apiUrl}`)
    .replace(/kit: .*/, `kit: ${simulator.kitFolder}`)
    .replace(/url: .*/, `url: ${simulator.pagesUrl}`)
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('good.yaml', profile)
  write('wrong.yaml', profile.replace("serviceVersion: '1.0'", "serviceVersion: '7.0'"))
  write('good.test.ts', fixture('good.yaml', ['TOK-01', 'TOK-02', 'LIF-09', 'LIM-01', 'ERR-14']))
  write('wrong.test.ts', fixture('wrong.yaml', ['VER-02']))
  symlinkSync(join(HERE, 'node_modules'), join(folder, 'node_modules'))
  const report = join(folder, 'report.json')
  const vitest = join(HERE, 'node_modules/vitest/vitest.mjs')
  const args = [
    vitest,
    'run',
    '--root',
    folder,
    '--no-isolate',
    '--maxWorkers=1',
    '--reporter=json',
    `--outputFile=${report}`,
  ]
  const { VITEST: _, ...env } = process.env
  await new Promise(resolve =>
    spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' }).on('close', resolve),
  )
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const toldOf = (file: string): Told[] =>
    testResults
      .find(({ name }: { name: string }) => name.endsWith(file))
      .assertionResults.map(
        (result: { title: string; ancestorTitles: string[]; status: string; failureMessages: string[] }) => ({
          name: result.title,
          ancestors: result.ancestorTitles,
          status: result.status,
          text: result.failureMessages.join('\n'),
        }),
      )
  return { good: toldOf('good.test.ts'), wrong: toldOf('wrong.test.ts') }
}

test.each(['notApplicable', 'knownFailures'])('certifyWith refuses %s of a check that does not exist', line => {
  const profile = { ...simulatorProfileAt(simulator), [line]: { 'RSD-12': 'ticket 12' } }
  const certify = () =>
    certifyWith({ profile, only: ['TOK-02'], describe: (_, members) => members(), it: () => undefined })
  expect(certify).toThrow(`${line}.RSD-12 is no check: "assay certify list" names them all.`)
})

test(
  'certifyWith makes a group per scenario and a test per check; one that cannot be judged is skipped, a failing one shows the exchange without secrets',
  async () => {
    const { good, wrong } = await runVitest()
    expect(
      good.map(({ name, ancestors, status }) => `${ancestors.join(' ')} / ${name.split(' ')[0]}: ${status}`),
    ).toEqual([
      'the response of a token call / TOK-01: passed',
      'the response of a token call / TOK-02: passed',
      'an authorization that is voided / LIF-09: passed',
      'bodies larger than the service takes / ERR-14: skipped',
      'more calls than the service takes / LIM-01: skipped',
    ])
    const failed = wrong.find(({ name }) => name.startsWith('VER-02'))
    expect(failed).toMatchObject({ status: 'failed' })
    expect(failed?.text).toMatch(/expected {2}the call to be served with version 7\.0, .*\s+got {7}HTTP 400/)
    expect(failed?.text).toContain('> service-version: 7.0')
    expect(failed?.text).toContain('Bearer [hidden')
    expect(failed?.text).not.toMatch(/eyJ/)
  },
  LIMIT,
)

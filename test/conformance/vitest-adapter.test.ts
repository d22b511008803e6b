import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const HERE = join(import.meta.dirname, '../..')
const LIMIT = 120_000
let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})

afterAll(() => simulator.stop())

/** Test file of a user's project that runs our suites in vitest. */
const fixture = (only: readonly string[]): string => `
import { describe, it } from 'vitest'
import { certifyWith } from ${JSON.stringify(join(HERE, 'contracts/certify-in-test-runner.ts'))}

certifyWith({ profile: new URL('profile.yaml', import.meta.url).pathname, only: ${JSON.stringify(only)}, describe, it })
`

type Told = { name: string; ancestors: string[]; status: string; text: string }

/** Runs vitest on such a file and returns the state of each test. */
const runVitest = async (only: readonly string[], change = (text: string) => text): Promise<Told[]> => {
  const folder = temporaryFolder()
  const profile = readFileSync(SIMULATOR_PROFILE, 'utf8')
    .replace(/baseUrl: .*/, `baseUrl: ${simulator.apiUrl}`)
    .replace(/kit: .*/, `kit: ${simulator.kitFolder}`)
    .replace(/url: .*/, `url: ${simulator.pagesUrl}`)
  writeFileSync(join(folder, 'profile.yaml'), change(profile))
  mkdirSync(join(folder, 'test'))
  writeFileSync(join(folder, 'contract.test.ts'), fixture(only))
  symlinkSync(join(HERE, 'node_modules'), join(folder, 'node_modules'))
  const report = join(folder, 'report.json')
  const vitest = join(HERE, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--root', folder, '--reporter=json', `--outputFile=${report}`]
  const { VITEST: _, ...env } = process.env
  await new Promise(resolve =>
    spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' }).on('close', resolve),
  )
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  return testResults[0].assertionResults.map(
    (result: { title: string; ancestorTitles: string[]; status: string; failureMessages: string[] }) => ({
      name: result.title,
      ancestors: result.ancestorTitles,
      status: result.status,
      text: result.failureMessages.join('\n'),
    }),
  )
}

test(
  'certifyWith makes a group per scenario and a test per check; checks that cannot be judged are skipped',
  async () => {
    const told = await runVitest(['TOK-01', 'TOK-02', 'LIF-09', 'LIM-01', 'ERR-14'])
    expect(
      told.map(({ name, ancestors, status }) => `${ancestors.join(' ')} / ${name.split(' ')[0]}: ${status}`),
    ).toEqual([
      'the response of a token call / TOK-01: passed',
      'the response of a token call / TOK-02: passed',
      'an authorization that is voided / LIF-09: passed',
      'bodies larger than the service takes / ERR-14: skipped',
      'more calls than the service takes / LIM-01: skipped',
    ])
  },
  LIMIT,
)

test(
  'a failing test shows expected, got and the exchange with secrets redacted',
  async () => {
    const told = await runVitest(['VER-02'], text => text.replace("serviceVersion: '1.0'", "serviceVersion: '7.0'"))
    const failed = told.find(({ name }) => name.startsWith('VER-02'))
    expect(failed).toMatchObject({ status: 'failed' })
    expect(failed?.text).toMatch(/expected {2}the call to be served\s+got {7}HTTP 400/)
    expect(failed?.text).toContain('> service-version: 7.0')
    expect(failed?.text).toContain('Bearer [hidden')
    expect(failed?.text).not.toMatch(/eyJ/)
  },
  LIMIT,
)

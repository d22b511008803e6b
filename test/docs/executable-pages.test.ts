import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ROOT, readSource } from '../architecture/read-source-files.ts'
import { startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'
import { DOCUMENTATION_PAGES, shellBlocks } from './extract-commands-and-links.ts'

const run = promisify(execFile)
const TOKEN = 'choose-one'
const LONG = { timeout: 120_000 }
const PAGES_ADDRESS = 'http://localhost:8080'

/** What a page says, in one shell: curl ends it where an answer is a refusal, and assay is ours. */
const PROLOGUE = `
curl() { command curl --fail-with-body --silent --show-error "$@"; }
assay() { "${process.execPath}" "${join(ROOT, 'bin/assay.js')}" "$@"; }
`
const shell = async (script: string, cwd: string, more: NodeJS.ProcessEnv = {}) => {
  const env = { ...process.env, ASSAY_URL: '', ASSAY_CONTROL_TOKEN: '', NO_COLOR: '1', ...more }
  return run('bash', ['-euo', 'pipefail', '-c', PROLOGUE + script], { cwd, env, maxBuffer: 2 ** 26 })
}

const linesOf = (page: string) => shellBlocks(page).flatMap(block => block.split('\n'))
const isPlainCurl = (line: string) => line.startsWith('curl ') && line.includes(PAGES_ADDRESS) && !line.includes('$')

describe('every curl command of the docs gets a response from a sandbox', () => {
  const lines = DOCUMENTATION_PAGES.flatMap(page => linesOf(page).filter(isPlainCurl))

  test('there are some', () => expect(lines.length).toBeGreaterThan(4))

  test.each(lines)('%s', LONG, async line => {
    const { pagesUrl } = await startScopedSimulator({ controlToken: TOKEN })
    const token = line.includes('Bearer') ? '' : ` --header 'Authorization: Bearer ${TOKEN}'`
    const { stdout } = await shell(line.replace(PAGES_ADDRESS, pagesUrl) + token, temporaryFolder())
    expect(stdout).toMatch(/^[{[]/)
  })
})

test('docs/run-it-for-a-team.md: the demo data, snapshot and health commands run in one shell', LONG, async () => {
  const { pagesUrl } = await startScopedSimulator({ controlToken: TOKEN })
  const blocks = shellBlocks('docs/run-it-for-a-team.md').filter(block => !block.startsWith('docker'))
  const script = blocks.join('').replaceAll(PAGES_ADDRESS, pagesUrl).replace('--days 7', '--days 1 --per-day 5')
  const environment = { ASSAY_URL: pagesUrl, ASSAY_PAGES_PORT: new URL(pagesUrl).port }
  const { stdout } = await shell(script, temporaryFolder(), environment)
  expect(stdout).toContain('"organizationId":"checkout-team"')
  expect(stdout).toMatch(/demo-shop has \d+ payments more/)
  expect(stdout).toContain('is healthy.')
})

test('docs/add-a-scenario.md: the example is validated, served and listed with its magic numbers', LONG, async () => {
  const page = readSource('docs/add-a-scenario.md').replace(/^ {3}/gm, '')
  const [, name = '', yaml = ''] = /^```yaml\n# (\S+)\n(.*?)^```$/ms.exec(page) ?? []
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'my-scenarios'))
  writeFileSync(join(folder, name), yaml)
  const { stdout } = await shell('assay scenarios my-scenarios', folder)
  expect(stdout).toMatch(/, 1 of them from my-scenarios: no errors\.\n$/)
  const { pagesUrl } = await startServe(join(folder, 'state'), ['--scenarios', join(folder, 'my-scenarios')])
  const scenario = await (await fetch(`${pagesUrl}/control/scenarios/REFUND_FAILS_AFTER_A_WEEK`)).json()
  for (const number of Object.values(scenario.magic)) expect(page).toContain(`\`${number}\``)
})

test('README: one layer at a time, with curl alone', LONG, async () => {
  const lines = linesOf('README.md')
  const serving = lines.find(line => line.startsWith('npx assay serve') && line.includes('--plain-port')) ?? ''
  const call = lines.find(line => line.startsWith('curl http://localhost:8090')) ?? ''
  const argv = serving.split(' ').slice(3)
  const { said } = await startServe(temporaryFolder(), ['--plain-port', '0', ...argv.slice(argv.indexOf('--layers'))])
  const plain = /Plain +(\S+)/.exec(said.stdout)?.[1] ?? ''
  const { stdout } = await shell(call.replace('http://localhost:8090', plain), temporaryFolder())
  expect(JSON.parse(stdout)).toMatchObject({ payments: [] })
})

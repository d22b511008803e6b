import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { ROOT, readSource } from '../architecture/read-source-files.ts'
import { isOverPostgres } from '../runner/postgres-exclusions.ts'
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
/** Whether the store in use can do what a line of a page asks for: a database in PostgreSQL is backed up by its own tools. */
const isForStore = (line: string) => !(isOverPostgres && line.includes('/control/backup'))

describe('every curl command of the docs gets a response from a sandbox', () => {
  const lines = DOCUMENTATION_PAGES.flatMap(page => linesOf(page).filter(isPlainCurl)).filter(isForStore)

  test('there are some', () => expect(lines.length).toBeGreaterThan(4))

  test.each(lines)('%s', LONG, async line => {
    const { pagesUrl } = await startScopedSimulator({ controlToken: TOKEN })
    const token = line.includes('Bearer') ? '' : ` --header 'Authorization: Bearer ${TOKEN}'`
    const { stdout } = await shell(line.replace(PAGES_ADDRESS, pagesUrl) + token, temporaryFolder())
    expect(stdout).toMatch(line.includes('--output') ? /^$/ : /^[{[]/)
  })
})

test('docs/run-it-for-a-team.md: the demo data, snapshot and health commands run in one shell', LONG, async () => {
  const { pagesUrl } = await startScopedSimulator({ controlToken: TOKEN })
  const blocks = shellBlocks('docs/run-it-for-a-team.md').filter(block => !block.startsWith('docker'))
  const lines = blocks.join('').split('\n').filter(isForStore)
  const script = lines.join('\n').replaceAll(PAGES_ADDRESS, pagesUrl).replace('--days 7', '--days 1 --per-day 5')
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

test('README: one layer at a time, a paid payment by curl alone', LONG, async () => {
  const blocks = shellBlocks('README.md')
  const serving = blocks.find(block => block.startsWith('bin/assay.js serve') && block.includes('--plain-port')) ?? ''
  const calls = blocks.find(block => block.includes('http://localhost:8090/payments/initiate')) ?? ''
  const options = serving.trim().split(' ').slice(2)
  const layers = options.slice(options.indexOf('--layers'))
  const { said, pagesUrl } = await startServe(temporaryFolder(), ['--plain-port', '0', ...layers])
  const plain = /Plain +(\S+)/.exec(said.stdout)?.[1] ?? ''
  const pages = `http://localhost:${options[options.indexOf('--pages-port') + 1]}`
  expect(pages, 'the sandbox of "npm start" has these ports').not.toBe(PAGES_ADDRESS)
  expect(calls).toContain(pages)
  const script = calls.replaceAll('http://localhost:8090', plain).replace(pages, pagesUrl)
  const { stdout } = await shell(script, temporaryFolder())
  expect(stdout).toContain('"outcome":"approved"')
  expect(stdout).toMatch(/"status":"APPROVED".*"Captured"/)
})

test(
  'docs/from-the-real-thing-to-your-ci.md: learned, spoken, printed, compared, proved, and watched',
  LONG,
  async () => {
    const dialect = join(ROOT, 'test/conformance/dialects/snake-case.yaml')
    const real = await startServe(temporaryFolder(), ['--dialect', dialect])
    const folder = temporaryFolder()
    const whole = parse(readFileSync(dialect, 'utf8'))
    const { fields: _, errors: __, states: ___, ...told } = whole
    const target = { baseUrl: real.apiUrl, environment: 'sandbox' }
    const bare = { ...told, target, organization: { kit: real.kitFile }, control: { url: real.pagesUrl } }
    writeFileSync(join(folder, 'ours.yaml'), stringify(bare))
    const blocks = shellBlocks('docs/from-the-real-thing-to-your-ci.md')
    const blockWith = (text: string) => blocks.find(block => block.includes(text)) ?? `echo no ${text}; false`

    const { stdout: learned } = await shell(blockWith('scout --profile ours.yaml'), folder)
    expect(learned).toContain('fields.initiate.transactionId')
    const { scouted: ____, ...reviewed } = parse(readFileSync(join(folder, 'ours.yaml'), 'utf8'))
    writeFileSync(join(folder, 'ours.yaml'), stringify(reviewed))
    expect((await shell(blockWith('certify explain'), folder)).stdout).toContain('402')

    const ci = await startServe(temporaryFolder(), ['--dialect', join(folder, 'ours.yaml')])
    const toCi = (text: string) =>
      blockWith(text)
        .replaceAll(PAGES_ADDRESS, ci.pagesUrl)
        .replace('https://localhost:8443', ci.apiUrl)
        .replace('.assay/kit/demo-merchant', ci.kitFile)
        .replace('contracts/profiles', join(ROOT, 'contracts/profiles'))
        .replace(
          /jq -Rs '[^']*' (\S+)/,
          `"${process.execPath}" -p 'JSON.stringify({ profile: fs.readFileSync("$1", "utf8") })'`,
        )
    expect(JSON.parse((await shell(toCi('--request PUT'), folder)).stdout)).toMatchObject({ name: 'Snake' })
    const { stdout: told2 } = await shell(toCi('dialect print'), folder)
    expect(told2).toContain('initiate: call POST /v2/payments instead of POST /payments/initiate.')
    expect(readFileSync(join(folder, 'ours.openapi.yaml'), 'utf8')).toContain('payment_ref:')
    const few = toCi('certify run').replace(/$/m, ' --only LIF-01,IRS-01,EVT-01')
    expect((await shell(few, folder)).stdout).toContain('4 checks: 4 pass')

    const changed = join(folder, 'changed.yaml')
    writeFileSync(changed, stringify({ ...whole, states: { ...whole.states, authorized: ['reserved'] } }))
    const drifted = await startServe(temporaryFolder(), ['--dialect', changed])
    const ours = readFileSync(join(folder, 'ours.yaml'), 'utf8')
    const moved = [
      [real.apiUrl, drifted.apiUrl],
      [real.kitFile, drifted.kitFile],
      [real.pagesUrl, drifted.pagesUrl],
    ] as const
    const now = moved.reduce((text, [old, to]) => text.replace(old, to), ours)
    writeFileSync(join(folder, 'ours.yaml'), now)
    const { stdout: told3 } = await shell(blockWith('certify diff ours.yaml'), folder)
    expect(told3).toMatch(/^states\.authorized is \["reserved"\], and not \["authorized"\]: /m)
    expect(parse(readFileSync(join(folder, 'ours.yaml'), 'utf8')).states.authorized).toEqual(['reserved'])
  },
)

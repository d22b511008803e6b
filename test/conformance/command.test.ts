import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { SIMULATOR_PROFILE } from './certify.ts'

const ASSAY = join(import.meta.dirname, '../../bin/assay.js')
const EXAMPLE_PROFILE = join(SIMULATOR_PROFILE, '../example.yaml')
const folder = mkdtempSync(join(tmpdir(), 'assay-certify-'))
let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await simulator.stop()
})

const assay = (...args: string[]): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise(resolve => {
    const { NO_COLOR: _no, FORCE_COLOR: _force, ...env } = process.env
    const child = spawn(process.execPath, [ASSAY, 'certify', ...args], { env })
    const told = { out: '', err: '' }
    child.stdout.on('data', text => (told.out += text))
    child.stderr.on('data', text => (told.err += text))
    child.on('close', code => resolve({ code, ...told }))
  })

const here = () => ['--base-url', simulator.apiUrl, '--kit', simulator.kitFolder, '--control', simulator.pagesUrl]

const profileWith = (change: (text: string) => string): string => {
  const file = join(folder, 'profile.yaml')
  writeFileSync(file, change(readFileSync(SIMULATOR_PROFILE, 'utf8')))
  return file
}

test('a good run says so, writes its reports and exits with 0', async () => {
  const [junit, json] = [join(folder, 'junit.xml'), join(folder, 'run.json')]
  const only = ['--only', 'tok,BRR-01', '--only', 'LIF-12']
  const { code, out, err } = await assay(
    '--profile',
    SIMULATOR_PROFILE,
    ...here(),
    ...only,
    '--junit',
    junit,
    '--json',
    json,
  )
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^\d+ checks: \d+ pass; \d+ of \d+ were not chosen$/m)
  expect(out).not.toContain('\u001b')
  expect(readFileSync(junit, 'utf8')).toMatch(/<testsuite name="LIF" tests="\d" failures="0"/)
  const report = JSON.parse(readFileSync(json, 'utf8'))
  expect(report.summary.counts).toMatchObject({ fail: 0 })
  expect(report.checks.find((check: { id: string }) => check.id === 'LIF-12')).toMatchObject({ verdict: 'pass' })
  for (const file of [junit, json]) expect(readFileSync(file, 'utf8')).not.toMatch(/eyJ|PRIVATE KEY/)
})

test('5, D-70: what a deployment has switched off stands in the reports', async () => {
  const lowered = await startTestSimulator({ layers: ['certificate', 'token'] })
  const json = join(folder, 'lowered.json')
  const run = (at: TestSimulator) =>
    assay(
      '--profile',
      SIMULATOR_PROFILE,
      '--base-url',
      at.apiUrl,
      '--kit',
      at.kitFolder,
      '--control',
      at.pagesUrl,
      '--only',
      'BRR-01',
      '--json',
      json,
    )
  expect((await run(lowered)).out).toContain('This deployment has layers switched off: signature=off\n')
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ layersOff: 'signature=off' })
  await lowered.stop()
  expect((await run(simulator)).out).not.toContain('switched off')
  expect(JSON.parse(readFileSync(json, 'utf8'))).not.toHaveProperty('layersOff')
})

test('a failure exits with 1 and explains itself', async () => {
  const profile = profileWith(text => text.replace('confirmed: all', 'confirmed: all\ndialect: { encoding: raw }'))
  const strict = await startTestSimulator({ signatureEncoding: 'der' })
  const { code, out } = await assay(
    '--profile',
    profile,
    '--base-url',
    strict.apiUrl,
    '--kit',
    strict.kitFolder,
    '--only',
    'SIG-01',
  )
  await strict.stop()
  expect(code).toBe(1)
  expect(out).toContain('SIG-01')
  expect(out).toContain('got       HTTP 401 with reasonCode 4992')
  expect(out).toContain('> signature-input: service_sig=')
})

// biome-ignore format: a table reads by its columns
test.each<[string, () => string[], RegExp]>([
  ['no profile at all',           () => [],                                                                        /^Name a profile, such as --profile \S+\.\n$/],
  ['a profile that is not there', () => ['--profile', 'nowhere.yaml'],                                             /^There is no readable file nowhere\.yaml: /],
  ['a kit that is not there',     () => ['--profile', SIMULATOR_PROFILE, '--kit', '/nowhere'],                     /^\/nowhere cannot be read: start the simulator/],
  ['an unknown option',           () => ['--nonsense'],                                                            /^Unknown option '--nonsense': "assay certify --help"/],
  ['an unknown check',            () => ['--profile', SIMULATOR_PROFILE, ...here(), '--only', 'XYZ'],              /^There is no check "XYZ": /],
  ['an unknown tier',             () => ['--profile', SIMULATOR_PROFILE, ...here(), '--tier', '9'],                /^There is no tier "9": /],
  ['an address that is none',     () => ['--profile', SIMULATOR_PROFILE, ...here(), '--base-url', 'http://x'],     /^The base URL "http:\/\/x" is none: /],
  ['a misspelled line',           () => ['--profile', profileWith(text => text.replace('redirectUrl:', 'redirect:'))], /profile\.yaml:\d+: fields\.initiate knows no "redirect"\.\n$/],
  ['an address without TLS',      () => ['--profile', profileWith(text => text.replace(/baseUrl: .*/, 'baseUrl: http://x'))], /profile\.yaml:\d+: target\.baseUrl must be an https address without a query, not "http:\/\/x"\.\n$/],
  ['a profile that is no YAML',   () => ['--profile', profileWith(() => 'a: [')],                                  /profile\.yaml:1: /],
  ['a secret in a profile',       () => ['--profile', profileWith(text => text.replace(/kit: .*/, 'id: a\n  processingAccountIds: [a]\n  certificate: file:a\n  privateKey: "-----BEGIN"\n  signingKeys: []'))], /must be env:NAME or file:PATH/],
  ['a secret that is not set',    () => ['--profile', profileWith(text => text.replace(/kit: .*/, 'id: a\n  processingAccountIds: [a]\n  certificate: env:ASSAY_NO_SUCH\n  privateKey: env:B\n  signingKeys: [{ keyId: k, algorithm: ECDSA_SHA_256, privateKey: env:C }]'))], /^The environment has no ASSAY_NO_SUCH: /],
])('%s is one sentence and exit code 2', async (_what, args, sentence) => {
  const { code, out, err } = await assay(...args())
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(sentence)
  expect(err.trimEnd()).not.toContain('\n')
})

test('a target that is not there is one sentence and exit code 3, at once', async () => {
  const startedAt = performance.now()
  const { code, err } = await assay(
    '--profile',
    SIMULATOR_PROFILE,
    '--kit',
    simulator.kitFolder,
    '--base-url',
    'https://localhost:1',
  )
  expect(code).toBe(3)
  expect(err).toMatch(/^https:\/\/localhost:1 cannot be reached \(ECONNREFUSED.*\): is it running/)
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

test('--list names checks and calls nobody, --help teaches', async () => {
  expect(await assay('--list', '--only', 'IDM-16')).toEqual({
    code: 0,
    err: '',
    out: [
      'VAL-02   T3  a valid IRIS payment is accepted and yields a redirect URL (E4)',
      'IDM-15   T3  initiate, same key and another amount: 409 (I4, 7.4.5)',
      'IDM-16   T3  that 409 carries a 3xxx code (I4)',
      '',
    ].join('\n'),
  })
  expect(await assay('--help')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('--profile FILE') })
})

test('the example profile is a valid one', async () => {
  const { code, err } = await assay('--profile', EXAMPLE_PROFILE)
  expect(code).toBe(2)
  expect(err).toMatch(/client-certificate\.pem: name one that exists|OUR_SIGNING_KEY/)
})

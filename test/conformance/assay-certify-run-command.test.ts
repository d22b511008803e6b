import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { REPORT_FILES } from '../../contracts/harness/report/report-folder.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { pollUntil } from '../support/poll-until.ts'
import { runCertifyProcess, startCertifyProcess, targetOptions } from './run-certify-child-process.ts'
import { runCertifyInProcess } from './run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

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

const here = () => targetOptions(simulator)
const unreachable = () => ['--kit', simulator.kitFolder, '--base-url', 'https://localhost:1']

const profileWith = (change: (text: string) => string): string => {
  const file = join(folder, 'profile.yaml')
  writeFileSync(file, change(readFileSync(SIMULATOR_PROFILE, 'utf8')))
  return file
}

test('a run without failures prints its counts and exits with 0', async () => {
  const junit = join(folder, 'junit.xml')
  const only = ['--only', 'tok,BRR-01', '--only', 'LIF-12']
  const { code, out, err } = await runCertifyProcess(
    '--profile',
    SIMULATOR_PROFILE,
    ...here(),
    ...only,
    '--junit',
    junit,
  )
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const [, chosen, pass, rest, all] = /^(\d+) checks: (\d+) pass; (\d+) of (\d+) were not chosen$/m.exec(out) ?? []
  expect(Number(chosen)).toBe(Number(pass))
  expect(Number(chosen) + Number(rest)).toBe(Number(all))
  expect(out).not.toContain('\u001b')
  expect(readFileSync(junit, 'utf8')).toMatch(/<testsuite name="LIF" tests="\d" failures="0"/)
})

test('a run that does not happen leaves no JUnit file, and an earlier one as it was', async () => {
  const [fresh, earlier] = [join(folder, 'fresh.xml'), join(folder, 'earlier.xml')]
  writeFileSync(earlier, 'earlier')
  for (const junit of [fresh, earlier]) {
    const { code } = await runCertifyInProcess('--profile', SIMULATOR_PROFILE, ...unreachable(), '--junit', junit)
    expect(code).toBe(3)
  }
  expect([existsSync(fresh), readFileSync(earlier, 'utf8')]).toEqual([false, 'earlier'])
})

test('a run that does not begin leaves the report of an earlier one as it was', async () => {
  const report = join(folder, 'kept')
  const options = ['--profile', SIMULATOR_PROFILE, '--only', 'IDM-08', '--report', report]
  expect((await runCertifyInProcess(...options, ...here())).code).toBe(0)
  writeFileSync(join(report, 'pending.json'), 'waits')
  const contents = () => readdirSync(report).map(name => [name, readFileSync(join(report, name), 'utf8')])
  const before = contents()
  expect(before).toHaveLength(Object.keys(REPORT_FILES).length + 1)
  for (const [wrong, expected] of [
    [unreachable(), 3],
    [[...here(), '--kit', '/nowhere'], 2],
  ] as const)
    expect((await runCertifyInProcess(...options, ...wrong)).code).toBe(expected)
  expect(contents()).toEqual(before)
})

test('a run that was killed has left what cleanup needs', async () => {
  const report = join(folder, 'killed')
  const options = ['--profile', SIMULATOR_PROFILE, ...here(), '--tier', '3', '--report', report]
  const { child, told } = startCertifyProcess(...options)
  const ledger = join(report, REPORT_FILES.ledger)
  const read = () => (existsSync(ledger) ? readFileSync(ledger, 'utf8') : '')
  await pollUntil(read, text => text.includes('"initiate"'))
  child.kill('SIGKILL')
  await told
  const { code, out } = await runCertifyInProcess('cleanup', report)
  expect([code, out]).toEqual([0, expect.stringMatching(/\d+ writes, /)])
})

test('a folder with a profile.json that is no report is not overwritten', async () => {
  const report = mkdtempSync(join(folder, 'own-'))
  writeFileSync(join(report, 'profile.json'), 'ours')
  const { code, err } = await runCertifyInProcess('--profile', SIMULATOR_PROFILE, ...here(), '--report', report)
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/has a profile\.json and neither ledger\.jsonl nor report\.json.*name another folder/),
  ])
  expect(readFileSync(join(report, 'profile.json'), 'utf8')).toBe('ours')
  writeFileSync(join(report, 'report.json'), '{}') // a report of which the ledger was not kept
  const options = ['--profile', SIMULATOR_PROFILE, ...here(), '--only', 'TOK-02', '--report', report]
  expect((await runCertifyInProcess(...options)).code).toBe(0)
})

test('a JUnit file may be in the report folder that the run creates', async () => {
  const report = join(folder, 'with-junit')
  const junit = join(report, 'results.xml')
  const options = ['--profile', SIMULATOR_PROFILE, ...here(), '--only', 'TOK-02', '--report', report, '--junit', junit]
  expect((await runCertifyInProcess(...options)).code).toBe(0)
  expect(readFileSync(junit, 'utf8')).toContain('<testsuite')
})

test('run is the default subcommand; --json prints only JSON', async () => {
  const options = ['--profile', SIMULATOR_PROFILE, ...here(), '--only', 'TOK-02', '--json']
  const [bare, said] = [await runCertifyInProcess(...options), await runCertifyInProcess('run', ...options)]
  for (const { code, out, err } of [bare, said]) {
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({ only: ['TOK-02'], checks: [{ id: 'TOK-02', verdict: 'pass' }] })
  }
})

test('what differs exits with 10, and with 1 under --strict, also when judged again', async () => {
  const lenient = await startTestSimulator({ signatureAge: 1000 * 86_400_000 })
  const profile = profileWith(text => text.replace(/^confirmed: .*$/m, 'confirmed: []'))
  const options = ['--profile', profile, ...targetOptions(lenient), '--only', 'SIG-28']
  const report = join(folder, 'strict')
  try {
    const { code, out } = await runCertifyInProcess('run', ...options)
    expect({ code, out }).toMatchObject({ code: 10, out: expect.stringContaining('1 of 2 checks differ from') })
    const strict = await runCertifyInProcess('run', ...options, '--strict', '--report', report)
    expect(strict).toMatchObject({ code: 1, out: expect.stringContaining('which --strict counts as failed') })
    expect(readFileSync(join(report, 'junit.xml'), 'utf8')).toContain('tests="2" failures="1" errors="0"')
    expect(readFileSync(join(report, 'report.html'), 'utf8')).toContain('which counts as failed')
    expect((await runCertifyInProcess('verify', report)).code).toBe(0)
    expect((await runCertifyInProcess('regrade', report)).code).toBe(1)
    await runCertifyInProcess('run', ...options, '--report', report)
    expect((await runCertifyInProcess('regrade', report)).code).toBe(10)
    expect((await runCertifyInProcess('regrade', report, '--strict')).code).toBe(1)
  } finally {
    await lenient.stop()
  }
})

test('5, D-70: the reports name disabled security layers', async () => {
  const lowered = await startTestSimulator({ layers: ['certificate', 'token'] })
  const run = (there: TestSimulator, ...more: string[]) =>
    runCertifyInProcess('--profile', SIMULATOR_PROFILE, ...targetOptions(there), '--only', 'BRR-01', ...more)
  expect((await run(lowered)).out).toContain('This deployment has layers switched off: signature=off\n')
  expect(JSON.parse((await run(lowered, '--json')).out)).toMatchObject({ layersOff: 'signature=off' })
  await lowered.stop()
  expect((await run(simulator)).out).not.toContain('switched off')
  expect(JSON.parse((await run(simulator, '--json')).out)).not.toHaveProperty('layersOff')
})

test('a failure exits with 1 and prints expected, got, the control and how to repeat it', async () => {
  const patient = await startTestSimulator({ signatureAge: 1000 * 86_400_000 })
  const { code, out } = await runCertifyInProcess(
    '--profile',
    SIMULATOR_PROFILE,
    ...targetOptions(patient),
    '--only',
    'SIG-28',
    '--patience',
    'PT20S',
    '--strict',
    '--confirm-host',
    'localhost',
  )
  await patient.stop()
  expect(code).toBe(1)
  expect(out).toContain('SIG-28   created a day ago is refused (5.2)')
  expect(out).toContain('expected  a refusal with a status of 7.1\n           got       HTTP 200')
  expect(out).toMatch(/control {3}TOK-01\n {11}beside {4}POST \/auth\/token → 200/)
  expect(out).toMatch(/there {5}signature-input: .*;created=\d+\n {11}here {6}signature-input: .*;created=\d+/)
  expect(out).toContain('| "@signature-params": service_sig=("@authority"')
  const { apiUrl, kitFolder, pagesUrl } = patient
  const options = `--base-url ${apiUrl} --kit ${kitFolder} --control ${pagesUrl} --patience PT20S --confirm-host localhost --strict`
  expect(out).toContain(`again     assay certify --profile ${SIMULATOR_PROFILE} ${options} --tier 3 --only SIG-28\n`)
})

// biome-ignore format: a table reads by its columns
test.each<[string, () => string[], RegExp]>([
  ['no profile at all',           () => [],                                                                        /^Name a profile, such as --profile \S+\.\n$/],
  ['a profile that is not there', () => ['--profile', 'nowhere.yaml'],                                             /^There is no readable file nowhere\.yaml: /],
  ['a kit that is not there',     () => ['--profile', SIMULATOR_PROFILE, '--kit', '/nowhere'],                     /^\/nowhere cannot be read: start the simulator/],
  ['an unknown option',           () => ['--nonsense'],                                                            /^Unknown option '--nonsense': "assay certify run --help"/],
  ['an unknown subcommand',       () => ['judge'],                                                                 /^There is no "judge": "assay certify --help" lists /],
  ['an operand too many',         () => ['run', 'here', '--profile', SIMULATOR_PROFILE],                           /^Write it as: assay certify run --profile FILE /],
  ['another command’s option',  () => ['list', '--tier', '3'],                                                   /^Unknown option '--tier': "assay certify list --help"/],
  ['a folder no one can write',   () => ['--profile', SIMULATOR_PROFILE, ...here(), '--report', '/dev/null/x'],    /^\/dev\/null\/x cannot be written \(/],
  ['a folder below /proc',        () => ['--profile', SIMULATOR_PROFILE, ...here(), '--report', '/proc/nowhere/x'], /^\/proc\/nowhere\/x cannot be written \(ENOENT\): name a folder that can be written to\.\n$/],
  ['a JUnit file no one can write', () => ['--profile', SIMULATOR_PROFILE, ...here(), '--only', 'TOK-02', '--junit', '/dev/null/x.xml'], /^\/dev\/null\/x\.xml cannot be written \(ENOTDIR\): name a file that can be written, in a folder that exists\.\n$/],
  ['a folder as JUnit file',      () => ['--profile', SIMULATOR_PROFILE, ...here(), '--only', 'TOK-02', '--junit', folder], /^\S+ cannot be written \(EISDIR\): name a file that can be written, in a folder that exists\.\n$/],
  ['a patch no one can write',    () => ['diff', SIMULATOR_PROFILE, ...unreachable(), '--patch', '/dev/null/x.patch'], /^\/dev\/null\/x\.patch cannot be written \(ENOTDIR\): name a file /],
  ['a folder that takes no file', () => ['explore', '--profile', SIMULATOR_PROFILE, ...here(), '--calls', '1', '--report', '/proc'], /^\/proc cannot be written \(ENOENT\): name a folder that can be written to\.\n$/],
  ['no folder to explore into',   () => ['explore', '--profile', SIMULATOR_PROFILE, ...here(), '--report', '/proc/nowhere'], /^\/proc\/nowhere cannot be written \(ENOENT\): name a folder that can be written to\.\n$/],
  ['a missing key file',          () => ['--profile', SIMULATOR_PROFILE, ...here(), '--report', folder, '--sign-key', 'nowhere.pem'], /^There is no readable file nowhere\.pem: /],
  ['a key file without an end',   () => ['--profile', SIMULATOR_PROFILE, ...here(), '--report', folder, '--sign-key', '/dev/zero'], /^\/dev\/zero is larger than 64 MB: name a smaller one\.\n$/],
  ['a signing key without report', () => ['--profile', SIMULATOR_PROFILE, ...here(), '--sign-key', 'nowhere.pem'],  /^--sign-key signs a certificate, which only --report writes: add --report DIR\.\n$/],
  ['a signing key of no regraded report', () => ['regrade', folder, '--sign-key', 'nowhere.pem'],                   /^--sign-key signs a certificate, /],
  ['a signing key of no exploration', () => ['explore', '--profile', SIMULATOR_PROFILE, ...here(), '--sign-key', 'nowhere.pem'], /^--sign-key signs a certificate, /],
  ['a signing key of an exploration without run', () => ['explore', '--profile', SIMULATOR_PROFILE, ...here(), '--report', join(folder, 'no-run'), '--sign-key', 'nowhere.pem'], /no-run holds no report of a run whose certificate --sign-key could sign: leave it out\.\n$/],
  ['a report of a sequence',      () => ['explore', '--profile', SIMULATOR_PROFILE, ...here(), '--replay', 'x.json', '--report', folder], /^--report is of no use with --replay: leave it out\.\n$/],
  ['a seed of a sequence',        () => ['explore', '--profile', SIMULATOR_PROFILE, ...here(), '--replay', 'x.json', '--seed', '7'], /^--seed is of no use with --replay: /],
  ['calls of a sequence',         () => ['explore', '--profile', SIMULATOR_PROFILE, ...here(), '--replay', 'x.json', '--calls', '7'], /^--calls is of no use with --replay: /],
  ['coverage of a sequence',      () => ['explore', '--profile', SIMULATOR_PROFILE, ...here(), '--replay', 'x.json', '--until-covered'], /^--until-covered is of no use with --replay: /],
  ['a certificate of a sequence', () => ['explore', '--profile', SIMULATOR_PROFILE, ...here(), '--replay', 'x.json', '--sign-key', 'x'], /^--sign-key is of no use with --replay: /],
  ['an unknown check',            () => ['--profile', SIMULATOR_PROFILE, ...here(), '--only', 'XYZ'],              /^There is no check "XYZ": "assay certify list" names them all\.\n$/],
  ['an --only of commas alone',   () => ['--profile', SIMULATOR_PROFILE, ...here(), '--only', ','],                /^--only "," names nothing: name at least one check, such as --only IDM-15\.\n$/],
  ['an empty --only',             () => ['list', '--only', ''],                                                    /^--only "" names nothing: name at least one check, /],
  ['an unknown tier',             () => ['--profile', SIMULATOR_PROFILE, ...here(), '--tier', '9'],                /^There is no tier "9": /],
  ['an invalid address',          () => ['--profile', SIMULATOR_PROFILE, ...here(), '--base-url', 'http://x'],     /^The base URL "http:\/\/x" is invalid: /],
  ['an address that ends early',  () => ['--profile', SIMULATOR_PROFILE, ...here(), '--base-url', 'https://['],    /^The base URL "https:\/\/\[" is invalid: give an address that begins with https:\/\/, without a user name or password and without a query, such as https:\/\/localhost:8443\.\n$/],
  ['a port that is none',         () => ['scout', '--profile', SIMULATOR_PROFILE, ...here(), '--base-url', 'https://a:99999'], /^The base URL "https:\/\/a:99999" is invalid: /],
  ['an address of no host',       () => ['diff', 'https://%', '/nowhere', '--profile', SIMULATOR_PROFILE],         /^The base URL "https:\/\/%" is invalid: /],
  ['an address with a query',     () => ['--profile', SIMULATOR_PROFILE, ...here(), '--base-url', 'https://a?b'],  /^The base URL "https:\/\/a\?b" is invalid: /],
  ['a new profile of no address', () => ['init', join(folder, 'new.yaml'), '--base-url', 'https://['],             /^Nothing was written: target\.baseUrl must be an address, such as \S+, without a user name or password, not "https:\/\/\["\.\n$/],
  ['an https address in capitals', () => ['--profile', SIMULATOR_PROFILE, ...here(), '--base-url', 'HTTPS://localhost:1'], /^The base URL "HTTPS:\/\/localhost:1" is invalid: give an address that begins with https:\/\/, /],
  ['a control address that is none', () => ['--profile', SIMULATOR_PROFILE, ...here(), '--control', 'foo'],        /^The control address "foo" is invalid: give an address that begins with http:\/\/ or https:\/\/, without a user name or password, such as http:\/\/localhost:8080\.\n$/],
  ['a misspelled line',           () => ['--profile', profileWith(text => text.replace('redirectUrl:', 'redirect:'))], /profile\.yaml:\d+: fields\.initiate\.redirect is not known here\.\n$/],
  ['an address without TLS',      () => ['--profile', profileWith(text => text.replace(/baseUrl: .*/, 'baseUrl: http://x'))], /profile\.yaml:\d+: target\.baseUrl must be an address that begins with https:\/\/, without a query, not "http:\/\/x"\.\n$/],
  ['a profile that is no YAML',   () => ['--profile', profileWith(() => 'a: [')],                                  /profile\.yaml:1: /],
  ['a secret in a profile',       () => ['--profile', profileWith(text => text.replace(/kit: .*/, 'id: a\n  processingAccountIds: [a]\n  certificate: file:a\n  privateKey: "-----BEGIN"\n  signingKeys: []'))], /must be env:NAME or file:PATH/],
  ['a secret that is not set',    () => ['--profile', profileWith(text => text.replace(/kit: .*/, 'id: a\n  processingAccountIds: [a]\n  certificate: env:ASSAY_NO_SUCH\n  privateKey: env:B\n  signingKeys: [{ keyId: k, algorithm: ECDSA_SHA_256, privateKey: env:C }]'))], /^The environment has no ASSAY_NO_SUCH: set it, or correct env:ASSAY_NO_SUCH in /],
  ['a certificate that is not there', () => ['--profile', profileWith(text => text.replace(/kit: .*/, 'id: a\n  processingAccountIds: [a]\n  certificate: file:nowhere.pem\n  privateKey: env:B\n  signingKeys: [{ keyId: k, algorithm: ECDSA_SHA_256, privateKey: env:C }]'))], /^There is no readable file \S+nowhere\.pem: correct file:nowhere\.pem in /],
  ['a profile of more than 1 MB', () => ['plan', '--profile', profileWith(text => `${text}${'#'.repeat(1_000_000)}`)], /^\S+profile\.yaml is larger than 1 MB: name a smaller one\.\n$/],
  ['a profile without an end',    () => ['plan', '--profile', '/dev/zero'],                                        /^\/dev\/zero is larger than 1 MB: name a smaller one\.\n$/],
  ['a certificate without an end', () => ['plan', '--profile', profileWith(text => text.replace(/kit: .*/, 'id: a\n  processingAccountIds: [a]\n  certificate: file:/dev/zero\n  privateKey: env:B\n  signingKeys: [{ keyId: k, algorithm: ECDSA_SHA_256, privateKey: env:C }]'))], /^\/dev\/zero is larger than 1 MB: correct file:\/dev\/zero in \S+profile\.yaml\.\n$/],
  ['a sequence without an end',   () => ['explore', '--profile', SIMULATOR_PROFILE, ...here(), '--replay', '/dev/zero'], /^\/dev\/zero is larger than 1 MB: /],
])('%s is one sentence and exit code 2', async (_what, args, sentence) => {
  const { code, out, err } = await runCertifyInProcess(...args())
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(sentence)
  expect(err.trimEnd()).not.toContain('\n')
})

/** PEM texts by name: of two kits, and some that are none or of no use. */
const pems = (): Record<string, string> => {
  const { certificate = '', privateKey = '', ca = '', signingKeys } = simulator.kit
  const weak = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const locked = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const
  return {
    certificate,
    key: privateKey,
    ca,
    signing: signingKeys[0]?.privateKey ?? '',
    locked: weak.export(locked).toString(),
    text: 'hello',
    broken: '-----BEGIN CERTIFICATE-----\nhello\n-----END CERTIFICATE-----\n',
  }
}

/** An organization or identity of a profile whose members refer to PEM files by the names of `pems`. */
const membersWith = (names: Record<string, string>) =>
  Object.fromEntries(Object.entries(names).map(([member, name]) => [member, `file:${name}.pem`]))

const organizationWith = ({ signing = 'signing', ...names }: Record<string, string>) => ({
  id: 'demo-merchant',
  processingAccountIds: ['demo-account'],
  ...membersWith({ certificate: 'certificate', privateKey: 'key', ...names }),
  signingKeys: [{ keyId: 'k', algorithm: 'ECDSA_SHA_256', privateKey: `file:${signing}.pem` }],
})

// biome-ignore format: a table reads by its columns
test.each<[string, object, RegExp]>([
  ['the signing key as the key of TLS', { organization: organizationWith({ privateKey: 'signing' }) }, /^organization\.privateKey in \S+ does not belong to organization\.certificate in \S+: give /],
  ['a certificate that is no PEM',      { organization: organizationWith({ certificate: 'text' }) },   /^file:text\.pem in \S+ leads to no PEM: /],
  ['a certificate that is broken',      { organization: organizationWith({ certificate: 'broken' }) }, /^organization\.certificate in \S+ is no certificate in PEM: /],
  ['a key in place of the certificate', { organization: organizationWith({ certificate: 'key' }) },    /^organization\.certificate in \S+ is no certificate in PEM: /],
  ['a key that is none',                { organization: organizationWith({ privateKey: 'certificate' }) }, /^organization\.privateKey in \S+ is no private key in PEM: /],
  ['an encrypted key',                  { organization: organizationWith({ privateKey: 'locked' }) },  /^organization\.privateKey in \S+ is encrypted: /],
  ['an encrypted signing key',          { organization: organizationWith({ signing: 'locked' }) },     /^Signing key k is encrypted: /],
  ['a CA that is broken',               { organization: organizationWith({ ca: 'broken' }) },          /^organization\.ca in \S+ is no certificate in PEM: /],
  ['a second organization of two keys', { secondOrganization: organizationWith({ privateKey: 'signing' }) }, /^secondOrganization\.privateKey in \S+ does not belong to secondOrganization\.certificate in /],
  ['an expired identity of two keys',   { expiredIdentity: membersWith({ certificate: 'certificate', privateKey: 'signing' }) }, /^expiredIdentity\.privateKey in \S+ does not belong to /],
  ['a revoked identity of two keys',    { revokedIdentity: membersWith({ certificate: 'certificate', privateKey: 'signing' }) }, /^revokedIdentity\.privateKey in \S+ does not belong to /],
  ['a deregistered key that is no PEM', { revokedKey: { keyId: 'k', algorithm: 'ECDSA_SHA_256', privateKey: 'file:text.pem' } }, /^file:text\.pem in \S+ leads to no PEM: /],
])('%s is one sentence and exit code 2 for all who call', async (_what, lines, sentence) => {
  const { apiUrl: baseUrl, kitFolder: kit } = simulator
  for (const [name, text] of Object.entries(pems())) writeFileSync(join(folder, `${name}.pem`), text)
  const file = join(folder, 'pems.yaml')
  const target = { baseUrl, environment: 'sandbox' }
  const fields = { initiate: { transactionId: '/transactionId' } } // without which nothing is explored
  writeFileSync(file, stringify({ name: 'Theirs', target, fields, organization: { kit }, ...lines }))
  for (const subcommand of ['run', 'scout', 'plan', 'explore', 'diff']) {
    const operands = subcommand === 'diff' ? [file] : ['--profile', file]
    const { code, out, err } = await runCertifyInProcess(subcommand, ...operands)
    expect({ subcommand, code, out }).toEqual({ subcommand, code: 2, out: '' })
    expect(err).toMatch(sentence)
    expect(err.trimEnd()).not.toContain('\n')
  }
})

test('a kit with a key that is not its own is one sentence which names the kit', async () => {
  const kit = join(folder, 'mixed.json')
  const [signing] = simulator.kit.signingKeys
  writeFileSync(kit, JSON.stringify({ ...simulator.kit, privateKey: signing?.privateKey }))
  const { code, err } = await runCertifyInProcess('--profile', SIMULATOR_PROFILE, ...here(), '--kit', kit)
  expect(code).toBe(2)
  expect(err).toMatch(/^privateKey in \S+mixed\.json does not belong to certificate in \S+mixed\.json: give .*\.\n$/)
})

test('an unreachable target is one sentence and exit code 3', async () => {
  const { code, err } = await runCertifyInProcess(
    '--profile',
    SIMULATOR_PROFILE,
    '--kit',
    simulator.kitFolder,
    '--base-url',
    'https://localhost:1',
  )
  expect(code).toBe(3)
  expect(err).toMatch(
    /^https:\/\/localhost:1 cannot be reached \(ECONNREFUSED.*\): start it, or correct --base-url\.\n$/,
  )
})

test('a target that speaks no TLS is one sentence without the words of OpenSSL', async () => {
  const plain = createServer((_, outgoing) => outgoing.end('hello')).listen(0)
  await once(plain, 'listening')
  const baseUrl = `https://localhost:${(plain.address() as AddressInfo).port}`
  const profile = profileWith(text => text.replace(/baseUrl: .*/, `baseUrl: ${baseUrl}`))
  const kit = ['--kit', simulator.kitFolder]
  const named = await runCertifyInProcess('--profile', profile, ...kit)
  const given = await runCertifyInProcess('--profile', SIMULATOR_PROFILE, ...kit, '--base-url', baseUrl)
  plain.close()
  expect([named.code, given.code]).toEqual([3, 3])
  expect(named.err).toBe(
    `${baseUrl} does not speak TLS (it looks like plain HTTP): correct target.baseUrl in ${profile}.\n`,
  )
  expect(given.err).toBe(`${baseUrl} does not speak TLS (it looks like plain HTTP): correct --base-url.\n`)
})

test('the example profile is valid', async () => {
  const { code, err } = await runCertifyInProcess('--profile', EXAMPLE_PROFILE)
  expect(code).toBe(2)
  expect(err).toMatch(/client-certificate\.pem: correct file:|OUR_SIGNING_KEY/)
})

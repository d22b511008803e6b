import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VERDICTS } from '../../contracts/harness/judge/check.ts'
import {
  signConformanceCertificate,
  verifyConformanceCertificate,
} from '../../contracts/harness/report/conformance-certificate.ts'
import { REPORT_FILES } from '../../contracts/harness/report/report-folder.ts'
import { toReportSigningKey } from '../../contracts/harness/report/report-signing-keys.ts'
import { sha256Digest } from '../../contracts/harness/report/suite-name-and-digest.ts'
import schema from '../../contracts/report.schema.json' with { type: 'json' }
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { targetOptions } from './run-certify-child-process.ts'
import { runCertifyInProcess } from './run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const root = mkdtempSync(join(tmpdir(), 'assay-report-'))
const folder = join(root, 'full')
const [privatePem, publicPem, strangerPem] = [
  join(root, 'key.pem'),
  join(root, 'public.pem'),
  join(root, 'stranger.pem'),
]
let simulator: TestSimulator

beforeAll(async () => {
  const [ours, theirs] = [1, 2].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  writeFileSync(privatePem, ours?.privateKey.export({ type: 'pkcs8', format: 'pem' }) ?? '')
  writeFileSync(publicPem, ours?.publicKey.export({ type: 'spki', format: 'pem' }) ?? '')
  writeFileSync(strangerPem, theirs?.publicKey.export({ type: 'spki', format: 'pem' }) ?? '')
  simulator = await startTestSimulator()
  const { code } = await runCertifyInProcess(
    'run',
    '--profile',
    SIMULATOR_PROFILE,
    ...targetOptions(simulator),
    '--report',
    folder,
    '--sign-key',
    privatePem,
  )
  expect(code).toBe(0)
}, 120_000)

afterAll(async () => {
  rmSync(root, { recursive: true })
  await simulator.stop()
})

const text = (name: string) => readFileSync(join(folder, name), 'utf8')
const json = (name: string) => JSON.parse(text(name))

test('the report folder holds all reports under fixed names', () => {
  expect(readdirSync(folder).sort()).toEqual(Object.values(REPORT_FILES).sort())
})

test('report.json matches its schema, and the schema refuses unknown members', () => {
  const validate = addFormats.default(new Ajv2020({ allErrors: true, strictTypes: false })).compile(schema)
  expect(validate(json(REPORT_FILES.report)) || validate.errors).toBe(true)
  expect(validate({ ...json(REPORT_FILES.report), secret: 1 })).toBe(false)
  expect(schema.$defs.verdict.enum).toEqual(VERDICTS)
})

test('the counts add up to the registry, in the report and for each clause', () => {
  const { summary, checks, suite } = json(REPORT_FILES.report)
  const counts: number[] = Object.values(summary.counts)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(summary.chosen)
  expect([summary.chosen, checks.length, suite.checks]).toEqual(Array(3).fill(summary.registered))
  const [head = '', ...rows] = text(REPORT_FILES.coverage).trimEnd().split('\r\n')
  expect(head).toMatch(/^clause,checks,pass,.*,fail,not chosen$/)
  for (const row of rows) {
    const [, all, ...parts] = row.split(',').map(Number)
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(all)
  }
  expect(rows.find(row => row.startsWith('"5.2"'))).toBeDefined()
})

test('JUnit has a suite per section and a case per check, with correct sums', () => {
  const junit = text(REPORT_FILES.junit)
  const suites = [...junit.matchAll(/<testsuite name="(\w+)" tests="(\d+)"/g)]
  expect(suites.map(([, name]) => name)).toEqual(expect.arrayContaining(['TOK', 'SIG', 'IDM']))
  const cases = [
    ...junit.matchAll(/<testcase name="([A-Z]+)-\d+ [^"]+" classname="([A-Z]+)\.[^"]+" file="[^"]+" time="[\d.]+"/g),
  ]
  expect(cases.length).toBe(json(REPORT_FILES.report).checks.length)
  expect(suites.reduce((sum, [, , tests]) => sum + Number(tests), 0)).toBe(cases.length)
  expect(cases.filter(([, area, group]) => area !== group)).toEqual([])
})

test('9: no file holds a token, a code, a secret or a private key', () => {
  const secrets = [
    simulator.credentials.identity.privateKey,
    ...simulator.credentials.signingKeys.map(({ privateKey }) =>
      String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    ),
  ].map(pem => pem.split('\n')[1] ?? '-')
  for (const name of readdirSync(folder)) {
    const content = name === REPORT_FILES.certificate ? '' : text(name)
    expect(content, name).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10}|PRIVATE KEY|whsec_/)
    expect(content, name).not.toMatch(
      /\\?"(access_token|oneTimeCode|paymentToken|secret)\\?":\s*\\?"(?!\[hidden|\\?"|\/)/,
    )
    for (const secret of secrets) expect(content, name).not.toContain(secret)
  }
})

test('10: the certificate verifies by its own key and by the signer’s public key, and by no other', async () => {
  const own = await runCertifyInProcess('verify', folder)
  expect(own).toMatchObject({ code: 0, err: '' })
  expect(own.out).toMatch(/^The certificate is good: Assay simulator, https:/)
  expect(own.out).toMatch(/Signed by a key that it brought along/)
  expect(own.out).toMatch(/^3\d\d verdicts were found again in the transcript\.$/m)
  expect(await runCertifyInProcess('verify', folder, '--key', publicPem)).toMatchObject({
    code: 0,
    out: expect.stringContaining('the key that you named'),
  })
  expect(await runCertifyInProcess('verify', folder, '--key', strangerPem)).toMatchObject({
    code: 9,
    out: '',
    err: expect.stringMatching(/^The signature of the certificate is not good: .*\.\n$/),
  })
  expect(own.out).toMatch(/^not applicable: asked of production only \(MTLS-08, MCK-24\)$/m)
  expect(own.out).toMatch(/^withheld: tier 4, and this run goes to tier 3 \(\S/m)
  expect(JSON.parse((await runCertifyInProcess('verify', folder, '--json')).out)).toMatchObject({
    keyGiven: false,
    excluded: expect.arrayContaining([
      { verdict: 'not applicable', reason: 'asked of production only', checks: ['MTLS-08', 'MCK-24'] },
    ]),
    notRejudged: [{ id: 'RSP-07' }, { id: 'EVT-03' }, { id: 'GRD-39' }, { id: 'GRD-54' }],
  })
})

const copy = join(root, 'copy')
const spoiled = async (name: string, change: (content: string) => string) => {
  mkdirSync(copy, { recursive: true })
  for (const file of Object.values(REPORT_FILES)) writeFileSync(join(copy, file), text(file))
  writeFileSync(join(copy, name), change(text(name)))
  return runCertifyInProcess('verify', copy)
}

test.each([
  [
    REPORT_FILES.report,
    (content: string) => content.replace('"verdict": "observed"', '"verdict": "pass"'),
    /report\.json is not the file that was signed/,
  ],
  [
    REPORT_FILES.transcript,
    (content: string) => content.replace('"status":409', '"status":200'),
    /transcript\.json is not the file that was signed/,
  ],
  [
    REPORT_FILES.profile,
    (content: string) => content.replace('sandbox', 'production'),
    /profile\.json is not the file that was signed/,
  ],
  [
    REPORT_FILES.page,
    (content: string) => content.replaceAll('observed', 'pass'),
    /report\.html is not the file that was/,
  ],
  [
    REPORT_FILES.junit,
    (content: string) => content.replace('<skipped', '<passed'),
    /junit\.xml is not the file that was/,
  ],
  [REPORT_FILES.coverage, (content: string) => `${content}1,1\n`, /coverage\.csv is not the file that was signed/],
  [
    REPORT_FILES.certificate,
    (content: string) => `${content.slice(0, -10)}AAAAAAAAA\n`,
    /The signature of the certificate is not good/,
  ],
  [REPORT_FILES.certificate, () => 'nonsense', /The signature of the certificate is not good/],
])('10: verify detects a changed %s, exit code 9', async (name, change, sentence) => {
  const { code, out, err } = await spoiled(name, change)
  expect({ code, out }).toEqual({ code: 9, out: '' })
  expect(err).toMatch(sentence)
})

test('10: for a certificate of another suite version, signature and digests are verified and verdicts are not', async () => {
  const { certificate } = await verifyConformanceCertificate(text(REPORT_FILES.certificate))
  const other = {
    ...certificate,
    suite: { ...certificate.suite, version: '9.9.9', catalogue: `sha-256:${'0'.repeat(64)}` },
  }
  const { code, out } = await spoiled(REPORT_FILES.certificate, () => '').then(async () => {
    writeFileSync(
      join(copy, REPORT_FILES.certificate),
      await signConformanceCertificate(other, toReportSigningKey(undefined)),
    )
    return runCertifyInProcess('verify', copy)
  })
  expect(code).toBe(5)
  expect(out).toContain('It was judged by another suite (9.9.9) than this one')
})

test('10: verify detects a signed report whose verdicts differ from its transcript', async () => {
  const { certificate } = await verifyConformanceCertificate(text(REPORT_FILES.certificate))
  await spoiled(REPORT_FILES.report, content => content.replace('"verdict": "observed"', '"verdict": "pass"'))
  const digest = sha256Digest(readFileSync(join(copy, REPORT_FILES.report)))
  const lie = { ...certificate, files: { ...certificate.files, [REPORT_FILES.report]: digest } }
  writeFileSync(
    join(copy, REPORT_FILES.certificate),
    await signConformanceCertificate(lie, toReportSigningKey(undefined)),
  )
  const { code, err } = await runCertifyInProcess('verify', copy)
  expect({ code, err }).toEqual({
    code: 9,
    err: expect.stringMatching(/ is "pass" in the report and "observed" by the transcript: /),
  })
})

test.each(['P-384', 'P-521', 'Ed25519'])(
  'a key on %s signs the certificate, and an unsuitable key is refused',
  async curve => {
    const pair = curve === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: curve })
    const { certificate } = await verifyConformanceCertificate(text(REPORT_FILES.certificate))
    const jws = await signConformanceCertificate(
      certificate,
      toReportSigningKey(JSON.stringify(pair.privateKey.export({ format: 'jwk' }))),
    )
    const known = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
    expect(await verifyConformanceCertificate(jws, known)).toMatchObject({
      certificate: { profile: 'Assay simulator' },
      ownKey: false,
    })
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString()
    expect(() => toReportSigningKey(rsa)).toThrow(/of no kind that signs here/)
    expect(() => toReportSigningKey('nonsense')).toThrow(/is no private key/)
  },
)

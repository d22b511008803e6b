import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VERDICTS } from '../../contracts/harness/judge/check.ts'
import {
  type ConformanceCertificate,
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
  expect(own.out).toMatch(/^\d{3} verdicts were found again in the transcript\.$/m)
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
    notRejudged: [{ id: 'RSP-07' }, { id: 'EVT-03' }, { id: 'GRD-39' }, { id: 'GRD-54' }, { id: 'RSP-12' }],
  })
})

const copy = join(root, 'copy')
const spoiled = async (name: string, change: (content: string) => string) => {
  mkdirSync(copy, { recursive: true })
  for (const file of Object.values(REPORT_FILES)) writeFileSync(join(copy, file), text(file))
  writeFileSync(join(copy, name), change(text(name)))
  return runCertifyInProcess('verify', copy)
}

/** Changes members of the certificate and of report.json, signs the certificate by another key, and verifies it. */
const signedAnew = async (change: object, reportChange: object = {}) => {
  await spoiled(REPORT_FILES.report, content => JSON.stringify({ ...JSON.parse(content), ...reportChange }))
  const { certificate } = await verifyConformanceCertificate(text(REPORT_FILES.certificate))
  const digest = sha256Digest(readFileSync(join(copy, REPORT_FILES.report)))
  const changed = { ...certificate, files: { ...certificate.files, [REPORT_FILES.report]: digest }, ...change }
  const jws = await signConformanceCertificate(changed, toReportSigningKey(undefined))
  writeFileSync(join(copy, REPORT_FILES.certificate), jws)
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
  const suite = { ...json(REPORT_FILES.report).suite, version: '9.9.9', catalogue: `sha-256:${'0'.repeat(64)}` }
  const { code, out } = await signedAnew({ suite }, { suite })
  expect(code).toBe(5)
  expect(out).toContain('It was judged by another suite (9.9.9) than this one')
  const target = { ...json(REPORT_FILES.report).target, region: 'EU' }
  expect(await signedAnew({ excluded: undefined, target, more: 'of a later version' })).toMatchObject({
    code: 0,
    err: '',
  })
  expect(await signedAnew({ suite }, { suite, checks: 'those of another version' })).toMatchObject({ code: 5, err: '' })
})

type Summary = ConformanceCertificate['summary']
const withCounts = (more: object, counts: object = {}): { summary: Summary } => {
  const { summary } = json(REPORT_FILES.report)
  return { summary: { ...summary, ...more, counts: { ...summary.counts, ...counts } } }
}

// biome-ignore format: a table reads by its columns
test.each<[string, () => Partial<ConformanceCertificate>, RegExp, (() => object)?]>([
  ['more passed checks',      () => withCounts({}, { pass: 999 }),           /^summary\.counts\.pass is 999 in the certificate and \d+ by report\.json: /],
  ['no withheld check',       () => withCounts({}, { withheld: 0 }),         /^summary\.counts\.withheld is 0 in the certificate and [1-9]/],
  ['other chosen checks',     () => withCounts({ chosen: 1 }),               /^summary\.chosen is 1 in the certificate and \d+ by/],
  ['more checks of a suite',  () => withCounts({ registered: 999 }),         /^summary\.registered is 999 in the certificate and \d+ by/],
  ['another exit code',       () => withCounts({ exitCode: 10 }),            /^summary\.exitCode is 10 in the certificate and 0 by/],
  ['another tier',            () => ({ tier: 5 }),                           /^tier is 5 in the certificate and 3 by report\.json: the certificate does not match the report\.\n$/],
  ['no excluded checks',      () => ({ excluded: [] }),                      /^excluded is \[\] in the certificate and \[\{"verdict":"not app/],
  ['fewer chosen names',      () => ({ only: ['SIG'] }),                     /^only is \["SIG"\] in the certificate and \[\] by/],
  ['another environment',     () => ({ target: { ...json(REPORT_FILES.report).target, environment: 'production' } }), /^target\.environment is "production" in the certificate and "sandbox" by/],
  ['another profile',         () => ({ profile: 'A bank' }),                 /^profile is "A bank" in the certificate and "Assay simulator" by/],
  ['another day',             () => ({ issuedAt: '2020-01-01T00:00:00Z' }),  /^issuedAt is "2020-01-01T00:00:00Z" in the certificate and "20/],
  ['an exploration',          () => ({ explored: { seed: 1, calls: 9, sequences: 1, visited: 1, transitions: 1, violations: [] } }), /^explored\.seed is 1 in the certificate and absent by/],
  ['another suite',           () => ({ suite: { ...json(REPORT_FILES.report).suite, version: '9' } }), /^suite\.version is "9" in the certificate and /],
  ['a report of more passed', () => withCounts({}, { pass: 999 }),           /^summary\.counts\.pass is 999 in the certificate and /, () => withCounts({}, { pass: 999 })],
  ['a wrong report',          () => ({}),                                    /^summary\.counts\.pass is 999 in report\.json and \d+ by its checks: /, () => withCounts({}, { pass: 999 })],
  ['a check that is none',    () => ({}),                                    /^XXX-01 is "pass" in the report and "not judged" by the transcript: /, () => ({ checks: [...json(REPORT_FILES.report).checks, { ...json(REPORT_FILES.report).checks[0], id: 'XXX-01' }] })],
  ['a check told twice',      () => withCounts({ chosen: json(REPORT_FILES.report).checks.length + 1 }), /^summary\.chosen is \d+ in the certificate and \d+ by/, () => ({ checks: [...json(REPORT_FILES.report).checks, json(REPORT_FILES.report).checks[0]] })],
])('10: verify detects a signed certificate that tells of %s, exit code 9', async (_what, change, sentence, report) => {
  const { code, out, err } = await signedAnew(change(), report?.())
  expect({ code, out }).toEqual({ code: 9, out: '' })
  expect(err).toMatch(sentence)
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

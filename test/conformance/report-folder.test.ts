import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCertificate, signCertificate, signingKeyOf } from '../../contracts/harness/certificate.ts'
import { VERDICTS } from '../../contracts/harness/check.ts'
import { FILES } from '../../contracts/harness/report-folder.ts'
import { digestOf } from '../../contracts/harness/suite.ts'
import schema from '../../contracts/report.schema.json' with { type: 'json' }
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { at } from './assay.ts'
import { SIMULATOR_PROFILE } from './certify.ts'
import { say } from './say.ts'

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
  const { code } = await say(
    'run',
    '--profile',
    SIMULATOR_PROFILE,
    ...at(simulator),
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

test('one folder holds all reports, by fixed names', () => {
  expect(readdirSync(folder).sort()).toEqual(Object.values(FILES).sort())
})

test('report.json is as its schema says, and the schema refuses what it does not know', () => {
  const validate = addFormats.default(new Ajv2020({ allErrors: true, strictTypes: false })).compile(schema)
  expect(validate(json(FILES.report)) || validate.errors).toBe(true)
  expect(validate({ ...json(FILES.report), secret: 1 })).toBe(false)
  expect(schema.$defs.verdict.enum).toEqual(VERDICTS)
})

test('the counts add up to the registry, in the report and for each clause', () => {
  const { summary, checks, suite } = json(FILES.report)
  const counts: number[] = Object.values(summary.counts)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(summary.chosen)
  expect([summary.chosen, checks.length, suite.checks]).toEqual(Array(3).fill(summary.registered))
  const [head = '', ...rows] = text(FILES.coverage).trimEnd().split('\r\n')
  expect(head).toMatch(/^clause,checks,pass,.*,fail,not chosen$/)
  for (const row of rows) {
    const [, all, ...parts] = row.split(',').map(Number)
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(all)
  }
  expect(rows.find(row => row.startsWith('"5.2"'))).toBeDefined()
})

test('JUnit has a suite for each section and a case for each check, and its sums are right', () => {
  const junit = text(FILES.junit)
  const suites = [...junit.matchAll(/<testsuite name="(\w+)" tests="(\d+)"/g)]
  expect(suites.map(([, name]) => name)).toEqual(expect.arrayContaining(['TOK', 'SIG', 'IDM']))
  const cases = [
    ...junit.matchAll(/<testcase name="([A-Z]+)-\d+ [^"]+" classname="([A-Z]+)\.[^"]+" file="[^"]+" time="[\d.]+"/g),
  ]
  expect(cases.length).toBe(json(FILES.report).checks.length)
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
    const content = name === FILES.certificate ? '' : text(name)
    expect(content, name).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10}|PRIVATE KEY|whsec_/)
    expect(content, name).not.toMatch(
      /\\?"(access_token|oneTimeCode|paymentToken|secret)\\?":\s*\\?"(?!\[hidden|\\?"|\/)/,
    )
    for (const secret of secrets) expect(content, name).not.toContain(secret)
  }
})

test('10: the certificate is good, by its own key and by ours, and by no other', async () => {
  const own = await say('verify', folder)
  expect(own).toMatchObject({ code: 0, err: '' })
  expect(own.out).toMatch(/^The certificate is good: Assay simulator, https:/)
  expect(own.out).toMatch(/Signed by a key that it brought along/)
  expect(own.out).toMatch(/^3\d\d verdicts were found again in the transcript\.$/m)
  expect(await say('verify', folder, '--key', publicPem)).toMatchObject({
    code: 0,
    out: expect.stringContaining('the key that you named'),
  })
  expect(await say('verify', folder, '--key', strangerPem)).toMatchObject({
    code: 9,
    out: '',
    err: expect.stringMatching(/^The signature of the certificate is not good: .*\.\n$/),
  })
  expect(JSON.parse((await say('verify', folder, '--json')).out)).toMatchObject({
    keyGiven: false,
    notRejudged: [{ id: 'RSP-07' }, { id: 'EVT-03' }],
  })
})

const copy = join(root, 'copy')
const spoiled = async (name: string, change: (content: string) => string) => {
  mkdirSync(copy, { recursive: true })
  for (const file of Object.values(FILES)) writeFileSync(join(copy, file), text(file))
  writeFileSync(join(copy, name), change(text(name)))
  return say('verify', copy)
}

test.each([
  [
    FILES.report,
    (content: string) => content.replace('"verdict": "observed"', '"verdict": "pass"'),
    /report\.json is not the file that was signed/,
  ],
  [
    FILES.transcript,
    (content: string) => content.replace('"status":409', '"status":200'),
    /transcript\.json is not the file that was signed/,
  ],
  [
    FILES.profile,
    (content: string) => content.replace('sandbox', 'production'),
    /profile\.json is not the file that was signed/,
  ],
  [
    FILES.certificate,
    (content: string) => `${content.slice(0, -10)}AAAAAAAAA\n`,
    /The signature of the certificate is not good/,
  ],
  [FILES.certificate, () => 'nonsense', /The signature of the certificate is not good/],
])('10: a change of %s is found, exit code 9', async (name, change, sentence) => {
  const { code, out, err } = await spoiled(name, change)
  expect({ code, out }).toEqual({ code: 9, out: '' })
  expect(err).toMatch(sentence)
})

test('10: of another suite’s certificate signature and digests are checked, and it is said that no verdict was', async () => {
  const { certificate } = await openCertificate(text(FILES.certificate))
  const other = {
    ...certificate,
    suite: { ...certificate.suite, version: '9.9.9', catalogue: `sha-256:${'0'.repeat(64)}` },
  }
  const { code, out } = await spoiled(FILES.certificate, () => '').then(async () => {
    writeFileSync(join(copy, FILES.certificate), await signCertificate(other, signingKeyOf(undefined)))
    return say('verify', copy)
  })
  expect(code).toBe(5)
  expect(out).toContain('It was judged by another suite (9.9.9) than this one')
})

test('10: a report that tells other verdicts than its transcript is found out, signed as it may be', async () => {
  const { certificate } = await openCertificate(text(FILES.certificate))
  await spoiled(FILES.report, content => content.replace('"verdict": "observed"', '"verdict": "pass"'))
  const digest = digestOf(readFileSync(join(copy, FILES.report)))
  const lie = { ...certificate, files: { ...certificate.files, [FILES.report]: digest } }
  writeFileSync(join(copy, FILES.certificate), await signCertificate(lie, signingKeyOf(undefined)))
  const { code, err } = await say('verify', copy)
  expect({ code, err }).toEqual({
    code: 9,
    err: expect.stringMatching(/ is told to be "pass" and the transcript makes it "observed": /),
  })
})

test.each(['P-384', 'P-521', 'Ed25519'])(
  'a key on %s signs as well, and one that cannot sign is refused',
  async curve => {
    const pair = curve === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: curve })
    const { certificate } = await openCertificate(text(FILES.certificate))
    const jws = await signCertificate(
      certificate,
      signingKeyOf(JSON.stringify(pair.privateKey.export({ format: 'jwk' }))),
    )
    const known = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
    expect(await openCertificate(jws, known)).toMatchObject({
      certificate: { profile: 'Assay simulator' },
      ownKey: false,
    })
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString()
    expect(() => signingKeyOf(rsa)).toThrow(/of no kind that signs here/)
    expect(() => signingKeyOf('nonsense')).toThrow(/is no private key/)
  },
)

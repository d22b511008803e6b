import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readProfile } from '../../../contracts/harness/profile/read-profile.ts'
import { REPORT_FILES } from '../../../contracts/harness/report/report-folder.ts'
import { startTestSimulator, type TestSimulator } from '../../support/caller-stopped-simulator.ts'
import { organizationControl } from '../../support/control-client.ts'
import { findFreePort } from '../../support/free-port.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { runCertifyInProcess } from '../run-certify-in-process.ts'
import { runSuites, SIMULATOR_PROFILE, simulatorProfileAt } from '../run-suites.ts'
import { certifyWithoutControl, writeProfileWithoutControl } from './certify-without-control.ts'

const LIMIT = 120_000
const EVENTS = ['EVT-01', 'EVT-02', 'EVT-03', 'EVT-04', 'EVT-05']
let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator({ settleAfter: 200 })
})

afterAll(() => simulator.stop())

/** Configures the simulator to call an address, as the operator of a deployment does; returns the secret's reference. */
const configure = async (url: string): Promise<string> => {
  const { body } = await organizationControl(simulator).post('webhooks', { url })
  onTestFinished(async () => void (await organizationControl(simulator).delete(`webhooks/${body.endpointId}`)))
  const file = join(temporaryFolder(), 'secret.txt')
  writeFileSync(file, body.secret)
  return `file:${file}`
}

const judge = (webhooks: Readonly<Record<string, string>>, more = {}, only = EVENTS) =>
  certifyWithoutControl(
    simulator,
    { settlement: { withinSeconds: 1 }, limits: { pollSeconds: 0.05 }, webhooks, ...more },
    only,
  )

const ONLY_CONTROL = /^untestable: nothing gives it a webhook that comes twice on demand: .* control\.url: /

test(
  'our own receiver behind a public address: content, signature, retry; a duplicate on demand is untestable',
  async () => {
    const address = `http://127.0.0.1:${await findFreePort()}`
    const secret = await configure(address)
    const told = await judge({ receiver: address, public: address, secret }, { patience: 'PT60S' })
    expect(told).toMatchObject({ 'EVT-01': 'pass', 'EVT-02': 'pass', 'EVT-03': 'pass', 'EVT-05': 'pass' })
    expect(told['EVT-04']).toMatch(ONLY_CONTROL)
  },
  LIMIT,
)

test(
  'the signature by the key set alone is judged where the profile has no secret',
  async () => {
    const address = `http://127.0.0.1:${await findFreePort()}`
    await configure(address)
    expect(await judge({ receiver: address, public: address }, {}, ['EVT-03'])).toMatchObject({ 'EVT-03': 'pass' })
  },
  LIMIT,
)

test(
  'another secret than the one of the profile does not verify',
  async () => {
    const address = `http://127.0.0.1:${await findFreePort()}`
    await configure(address)
    const file = join(temporaryFolder(), 'other.txt')
    writeFileSync(file, `whsec_${Buffer.alloc(24).toString('base64')}`)
    const told = await judge({ receiver: address, public: address, secret: `file:${file}` }, {}, ['EVT-03'])
    expect(told['EVT-03']).toMatch(
      /^fail: expected a signature that verifies, got the signature of the webhook is by none/,
    )
  },
  LIMIT,
)

/** Starts a receiver that the simulator calls and that appends each webhook to a file; returns the file. */
const startLog = async (): Promise<string> => {
  const log = join(temporaryFolder(), 'delivered.jsonl')
  writeFileSync(log, '')
  const address = `http://127.0.0.1:${await findFreePort()}`
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { url: target, headers } = request
    appendFileSync(log, `${JSON.stringify({ target, headers, body: Buffer.concat(chunks).toString() })}\n`)
    response.end()
  })
  await new Promise<void>(done => server.listen(Number(new URL(address).port), '127.0.0.1', done))
  onTestFinished(() => void server.close())
  await configure(address)
  return log
}

test(
  'a command that prints what was delivered: content and signature; what it cannot do names its line',
  async () => {
    const told = await judge({ command: `cat ${await startLog()}` })
    expect(told).toMatchObject({ 'EVT-01': 'pass', 'EVT-02': 'pass', 'EVT-03': 'pass' })
    expect(told['EVT-04']).toMatch(ONLY_CONTROL)
    expect(told['EVT-05']).toMatch(
      /^untestable: nothing gives it a receiver of this run .* the line webhooks\.public: /,
    )
  },
  LIMIT,
)

const FIELDS = readProfile(SIMULATOR_PROFILE).fields ?? {}
const UNTIED = /^untestable: .*fields\.webhook\.transactionId ties none of them to the payment/

const ANOTHER = `echo '{"headers":{},"body":"{\\"transactionId\\":\\"of another\\"}"}'`
const FIRST = 'grep $TRANSACTION_ID LOG | head -n 1'
const PATIENT = { patience: 'PT1S' }
const ELSEWHERE = { ...PATIENT, fields: { ...FIELDS, webhook: { ...FIELDS.webhook, transactionId: '/payment/id' } } }

// biome-ignore format: a table reads by its columns
const COMING: readonly (readonly [how: string, command: string, lines: object, verdicts: Record<string, RegExp>])[] = [
  ['in another order',             "sed '1!G;h;$!d' LOG",                     {},        { 'EVT-02': /^pass/, 'EVT-03': /^pass/, 'GRD-52': /^pass/, 'GRD-54': /^pass/ }],
  ['with an old one once more',    `cat LOG; ${FIRST}`,                       {},        { 'EVT-02': /^pass/, 'EVT-03': /^pass/, 'GRD-52': /^pass/ }],
  ['late',                         ANOTHER,                                   {},        { 'EVT-01': /^inconclusive: after 15 seconds there is still no webhook of the payment: say by patience in / }],
  ['later than the profile says',  ANOTHER,                                   PATIENT,   { 'EVT-01': /^fail: expected a webhook of the payment, got none within 1 s/ }],
  ['with the id in another place', 'cat LOG',                                 ELSEWHERE, { 'EVT-01': UNTIED, 'GRD-52': UNTIED }],
  ['as copies of the first one',   `for i in 1 2 3 4 5 6 7; do ${FIRST}; done`, PATIENT, { 'EVT-02': /^inconclusive: .* the beginning of the payment alone/, 'GRD-52': /^fail: .*a webhook that names the payment for this step, got none within 1 s/ }],
  ['as copies without an id',      `for i in 1 2 3 4 5 6 7; do ${FIRST} | sed 's/"webhook-id"/"x"/'; done`, PATIENT, { 'GRD-52': /^inconclusive: .*has the body of an earlier one/ }],
]

test.each(COMING)(
  '6: webhooks that come %s are judged by what the document promises',
  async (_how, command, lines, verdicts) => {
    const log = await startLog()
    const told = await judge({ command: command.replaceAll('LOG', log) }, lines, Object.keys(verdicts))
    for (const [id, verdict] of Object.entries(verdicts))
      expect(`${id} ${told[id]}`).toMatch(new RegExp(`^${id} ${verdict.source.slice(1)}`))
  },
  LIMIT,
)

const [BEARER, COOKIE, TOKEN] = ['whk_live_0123456789abcdef', 'sid=0123456789abcdef', 'tok-0123456789abcdef']

test(
  '6: what a webhook carries to the receiver of a merchant is in no file of the report and not on the terminal',
  async () => {
    const log = await startLog()
    const folder = temporaryFolder()
    const script = join(folder, 'deliver.sh')
    writeFileSync(
      script,
      `sed 's/"headers":{/"headers":{"Authorization":"Bearer ${BEARER}","cookie":"${COOKIE}",/; s/"body":"{/"body":"{\\\\"paymentToken\\\\":\\\\"${TOKEN}\\\\",/' ${log}\n`,
    )
    const more = {
      settlement: { withinSeconds: 1 },
      limits: { pollSeconds: 0.05 },
      webhooks: { command: `sh ${script}` },
    }
    const profile = writeProfileWithoutControl(simulator, more)
    const report = join(folder, 'report')
    const { code, out, err } = await runCertifyInProcess(
      ...[
        'run',
        '--profile',
        profile,
        '--only',
        'EVT,GRD-52,GRD-54',
        '--report',
        report,
        '--junit',
        join(folder, 'junit.xml'),
      ],
    )
    expect(code).toBe(1)
    expect(out).toContain('EVT-03')
    const shown = readFileSync(join(report, REPORT_FILES.transcript), 'utf8')
    expect(shown).toMatch(/"authorization\\":\\"Bearer \[hidden \d+, 25 characters\]/)
    const files = [...readdirSync(report).map(name => join(report, name)), join(folder, 'junit.xml')]
    for (const [name, text] of [['out', out], ['err', err], ...files.map(file => [file, readFileSync(file, 'utf8')])])
      for (const secret of [BEARER, COOKIE, TOKEN]) expect(text?.includes(secret), `${secret} in ${name}`).toBe(false)
    const shownLater = await runCertifyInProcess('show', report, 'EVT-03')
    for (const secret of [BEARER, COOKIE, TOKEN]) expect(shownLater.out + shownLater.err).not.toContain(secret)
  },
  LIMIT,
)

test.each([
  [
    'a receiver that nobody calls',
    { receiver: 'http://127.0.0.1:PORT', public: 'http://127.0.0.1:PORT' },
    /^inconclusive: no webhook has come within 1 s: does the service reach webhooks\.public of /,
  ],
  [
    'a receiver without a port',
    { receiver: 'http://127.0.0.1:0', public: 'https://tunnel.example.com' },
    /^untestable: webhooks\.public leads to webhooks\.receiver: give that line of \S+ a fixed port$/,
  ],
  [
    'a command that prints nothing',
    { command: 'true' },
    /^inconclusive: no webhook has come within 1 s: does the service reach webhooks\.command of /,
  ],
  ['a command that prints something else', { command: 'echo hello' }, /^blocked: webhooks\.command printed no /],
  [
    'a command that fails',
    { command: 'echo no network >&2; exit 2' },
    /^blocked: webhooks\.command ended with 2 \(no network\)/,
  ],
])(
  '%s: nothing is held against the service',
  async (_what, webhooks, reason) => {
    const port = String(await findFreePort())
    const lines = Object.fromEntries(Object.entries(webhooks).map(([name, line]) => [name, line.replace('PORT', port)]))
    expect((await judge(lines, { patience: 'PT1S' }))['EVT-01']).toMatch(reason)
  },
  LIMIT,
)

test(
  'a receiver that a simulator elsewhere does not reach names the line that says where it is',
  async () => {
    const told = { ...simulatorProfileAt(simulator), patience: 'PT1S', webhooks: { receiver: 'http://192.0.2.1:0' } }
    const { verdict, reason } = (await runSuites(told, ['EVT-05'])).find(({ id }) => id === 'EVT-05') ?? {}
    expect(verdict).toBe('inconclusive')
    expect(reason).toMatch(
      /^no webhook has come to http:\/\/192\.0\.2\.1:\d+\/webhooks: let webhooks\.receiver of \S+simulator\.yaml name an address by which the service reaches this machine, such as http:\/\/shop:0$/,
    )
  },
  LIMIT,
)

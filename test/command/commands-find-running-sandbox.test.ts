import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectSandbox, SandboxError } from '../../fixtures/connect-sandbox.ts'
import { ROOT, readSource } from '../architecture/read-source-files.ts'
import { pollUntil } from '../support/poll-until.ts'
import { startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const COMMAND = join(ROOT, 'bin/assay.js')
const environment = (more: NodeJS.ProcessEnv) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ASSAY_'))),
  ...more,
})

/** Runs a program without the machine's `ASSAY_` settings; returns its output and exit code. */
const run = (program: string, argv: readonly string[], more: NodeJS.ProcessEnv, cwd?: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>(resolve =>
    execFile(program, argv, { cwd, env: environment(more) }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ),
  )

/** Runs a command in a folder. */
const assay = (cwd: string, argv: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [COMMAND, ...argv], more, cwd)

/** Every command that calls a running sandbox, with what it says where it found it. */
const CALLS: readonly (readonly [argv: readonly string[], said: RegExp])[] = [
  [['health'], /^The simulator at .* is healthy\.\n$/],
  [
    ['kit', 'demo-merchant', '--out', 'my-kit'],
    /^The kit of demo-merchant is in my-kit\/kit\.json; it calls https:\/\/localhost:/,
  ],
  [['seed', '--days', '1', '--per-day', '1'], /^demo-shop has \d+ payments? more/],
  [['drill', '--list'], /LOST_INITIATE/],
  [['drill', '--passive'], /CND-01/],
  [['lab', '--call', '0f8fad5b-d9cb-469f-a165-70867728950e'], /has no call of this id/],
]

test('every command finds the sandbox of its folder, on whatever ports it runs', { timeout: 60_000 }, async () => {
  const cwd = temporaryFolder()
  const { pagesUrl } = await startServe(join(cwd, '.assay'))
  for (const [argv, said] of CALLS) {
    const { stdout, stderr } = await assay(cwd, argv)
    expect({ argv, said: stdout || stderr }).toEqual({ argv, said: expect.stringMatching(said) })
  }
  const elsewhere = await assay(temporaryFolder(), ['drill', '--list'], { ASSAY_DATA_DIR: join(cwd, '.assay') })
  expect(elsewhere).toMatchObject({ code: 0, stderr: '' })
  const named = await assay(cwd, ['drill', '--list'], { ASSAY_URL: 'http://127.0.0.1:2' })
  expect(named.stderr).toMatch(/^No sandbox responds at http:\/\/127\.0\.0\.1:2 /)
  const listening = spawn(process.execPath, [COMMAND, 'listen', '--forward-to', pagesUrl], {
    cwd,
    env: environment({}),
  })
  onTestFinished(() => void listening.kill('SIGKILL'))
  let said = ''
  for (const output of [listening.stdout, listening.stderr]) output.on('data', chunk => (said += chunk))
  await pollUntil(
    () => said,
    text => text.includes('\n'),
  )
  expect(said).toMatch(/^Webhooks of demo-merchant go to /)
})

test('no command asks the proxy of the environment about this machine', { timeout: 60_000 }, async () => {
  const asked: string[] = []
  const proxy = createServer((request, response) => {
    asked.push(String(request.url))
    response.writeHead(403).end()
  })
  proxy.on('connect', (request, socket) => {
    asked.push(String(request.url))
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  proxy.listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close())
  await once(proxy, 'listening')
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const proxied = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: address, HTTPS_PROXY: address, http_proxy: address }
  const cwd = temporaryFolder()
  const { pagesUrl } = await startServe(join(cwd, '.assay'))
  const told = async (argv: readonly string[], more: NodeJS.ProcessEnv) => {
    const { stdout, stderr } = await assay(cwd, argv, { ...proxied, ...more })
    return { argv, said: stdout || stderr }
  }
  for (const [argv, said] of CALLS)
    expect(await told(argv, { NO_PROXY: '', no_proxy: undefined })).toEqual({ argv, said: expect.stringMatching(said) })
  const { host } = new URL(pagesUrl)
  for (const url of [`http://${host}`, `http://${host.replace('localhost', '127.0.0.1')}`])
    expect((await told(['drill', '--list', '--url', url], { no_proxy: 'a.example' })).said).toContain('LOST_INITIATE')
  expect(asked).toEqual([])
  expect((await told(['drill', '--list', '--url', 'http://sandbox.example'], {})).said).toMatch(/^(No sandbox|http:)/)
  expect(asked).toEqual([expect.stringContaining('sandbox.example')])
})

test('where no sandbox responds, one sentence says where it was sought', { timeout: 60_000 }, async () => {
  const stale = temporaryFolder()
  mkdirSync(join(stale, '.assay'))
  writeFileSync(join(stale, '.assay/health-url'), 'http://127.0.0.1:2/health\n')
  const { stderr } = await assay(stale, ['drill', '--list'])
  expect(stderr).toMatch(/^No sandbox responds at http:\/\/localhost:2 \([^\n]+ or set ASSAY_URL\.\n$/)
  expect(stderr).toContain('; .assay/health-url names it)')
})

test('no sentence on a sandbox that does not respond tells to set ASSAY_URL where that is set or not read', {
  timeout: 60_000,
}, async () => {
  const cwd = temporaryFolder()
  const calls = [...CALLS.slice(1).map(([argv]) => argv), ['listen', '--forward-to', 'http://localhost:3000']]
  const toldOf = async (argv: readonly string[], ASSAY_URL: string) => (await assay(cwd, argv, { ASSAY_URL })).stderr
  const check = async (argv: readonly string[]) => {
    expect(await toldOf(argv, 'http://127.0.0.1:2')).toMatch(
      /^No sandbox responds at http:\/\/127\.0\.0\.1:2 \(\w+; ASSAY_URL names it\): start one [^\n]+, or correct ASSAY_URL\.\n$/,
    )
    const option = argv[0] === 'lab' ? '--control' : '--url'
    expect(await toldOf([...argv, option, 'http://127.0.0.1:2'], 'http://127.0.0.1:3')).toMatch(
      /^No sandbox responds at http:\/\/127\.0\.0\.1:2 \(\w+\): start one [^\n]+, or correct the address\.\n$/,
    )
    expect(await toldOf(argv, 'http://127.0.0.1:6000')).toContain('http://127.0.0.1:6000 (ASSAY_URL names it): fetch ')
  }
  await Promise.all(calls.map(check))
})

test('a certificate that is not trusted here is told with both cures', { timeout: 60_000 }, async () => {
  const { apiUrl } = await startScopedSimulator()
  const [cwd, untrusted] = [
    temporaryFolder(),
    `The certificate of ${apiUrl} is not trusted here (SELF_SIGNED_CERT_IN_CHAIN): give that of the pages of a sandbox, such as http://localhost:8080, or trust its authority with NODE_EXTRA_CA_CERTS.\n`,
  ]
  for (const [argv] of CALLS.slice(1)) expect((await assay(cwd, argv, { ASSAY_URL: apiUrl })).stderr).toBe(untrusted)
})

test('where folder and environment name no sandbox, none is called, whatever runs at the usual port', {
  timeout: 60_000,
}, async () => {
  const { pagesUrl } = await startScopedSimulator()
  const ASSAY_PAGES_PORT = new URL(pagesUrl).port
  const empty = temporaryFolder()
  const sentence = /^No sandbox runs in \.assay: start one with [^\n]+ ASSAY_URL=http:\/\/localhost:8080\.\n$/
  const calls = [...CALLS.slice(1).map(([argv]) => argv), ['listen', '--forward-to', 'http://localhost:3000']]
  const none = async (argv: readonly string[]) => {
    const { stdout, stderr } = await assay(empty, argv, { ASSAY_PAGES_PORT })
    expect({ argv, stdout, stderr }).toEqual({ argv, stdout: '', stderr: expect.stringMatching(sentence) })
  }
  await Promise.all(calls.map(none))
  expect(readdirSync(empty)).toEqual([])
})

test('health refuses a folder without a running sandbox, whatever runs at the usual port', {
  timeout: 60_000,
}, async () => {
  const { pagesUrl } = await startScopedSimulator()
  const ASSAY_PAGES_PORT = new URL(pagesUrl).port
  const cwd = temporaryFolder()
  const refused = (dataDir: string) => ({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(`^No sandbox runs in ${dataDir}: start one with [^\n]+.\n$`),
  })
  expect(await assay(cwd, ['health', '--data-dir', './gone'], { ASSAY_PAGES_PORT })).toEqual(refused('./gone'))
  expect(await assay(cwd, ['health'], { ASSAY_PAGES_PORT, ASSAY_DATA_DIR: './gone' })).toEqual(refused('./gone'))
  expect((await assay(cwd, ['health'], { ASSAY_PAGES_PORT })).stdout).toContain(' is healthy.')
  mkdirSync(join(cwd, '.assay'))
  expect(await assay(cwd, ['health'], { ASSAY_PAGES_PORT })).toEqual(refused('.assay'))
})

test('the health check of the image also finds a sandbox that was given another folder', async () => {
  const { pagesUrl } = await startScopedSimulator()
  const [, check = ''] = /^HEALTHCHECK .* CMD (.+)$/m.exec(readSource('Dockerfile')) ?? []
  const script = check.replaceAll('node dist/bin/assay.js', `'${process.execPath}' '${COMMAND}'`)
  const probe = (ASSAY_PAGES_PORT: string) =>
    run('sh', ['-c', script], { ASSAY_PAGES_PORT, ASSAY_DATA_DIR: temporaryFolder() })
  expect(await probe(new URL(pagesUrl).port)).toMatchObject({ code: 0 })
  expect(await probe('9')).toMatchObject({ code: 1 })
})

test.each([
  ['JSON', 200, '{"status": "UP"}', ['seed']],
  ['a page', 200, '<!doctype html><title>Hello</title>', ['drill', '--list']],
  ['an error', 404, '<h1>Not found</h1>', ['kit', 'shop', '--out', 'kit']],
])('a server that is no sandbox gets one sentence, whatever it answers: %s', async (_, status, body, argv) => {
  const server = createServer((_, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const ASSAY_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { stdout, stderr } = await assay(temporaryFolder(), argv, { ASSAY_URL })
  const sentence = new RegExp(`^${ASSAY_URL}/[^\n]* answered ${status}: is this the pages' port of a sandbox\\?\n$`)
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: expect.stringMatching(sentence) })
})

test('an address that cannot be that of the pages gets one sentence', async () => {
  const { apiUrl, pagesUrl } = await startScopedSimulator()
  for (const url of ['localhost:8080', 'nonsense', ' ', '', 'ftp://localhost', 'file:///tmp'])
    expect(() => connectSandbox({ url })).toThrow(
      new SandboxError(
        `${JSON.stringify(url)} is no address: give that of the pages of a sandbox, such as http://localhost:8080.`,
      ),
    )
  expect(await connectSandbox({ url: `${pagesUrl}/` }).organizations()).toEqual(['demo-merchant'])
  await expect(connectSandbox({ url: apiUrl }).organizations()).rejects.toThrow(
    new SandboxError(
      `The certificate of ${apiUrl} is not trusted here (SELF_SIGNED_CERT_IN_CHAIN): give that of the pages of a sandbox, such as http://localhost:8080, or trust its authority with NODE_EXTRA_CA_CERTS.`,
    ),
  )
  const { code, stdout, stderr } = await assay(temporaryFolder(), [
    'kit',
    'shop',
    '--out',
    'kit',
    '--url',
    'localhost:8080',
  ])
  expect([code, stdout, stderr.split('\n')]).toEqual([1, '', [expect.stringContaining('is no address: '), '']])
})

/** Addresses and tokens that hold a secret, and that no call can be made with. */
const WRONG_ADDRESSES = ['http://user:pw-secret@localhost:9', 'http://secret@localhost', 'http://u:s/secret@localhost']
const WRONG_TOKENS = ['abc\ndef-secret', 'żółw-secret', 'two secret']

test('an address with a password, or a token that no header carries, gets one sentence that does not show it', {
  timeout: 60_000,
}, async () => {
  const refusalOf = (run: () => unknown) => {
    try {
      return run()
    } catch (error) {
      return error
    }
  }
  const refusals = [
    ...[...WRONG_ADDRESSES, 'user:pw-secret@localhost', 'ftp://u:secret@localhost'].map(url =>
      refusalOf(() => connectSandbox({ url })),
    ),
    ...[...WRONG_TOKENS, ''].map(token => refusalOf(() => connectSandbox({ url: 'http://localhost:9', token }))),
  ]
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(SandboxError)
    expect((refusal as SandboxError).message).toMatch(/^(?!.*secret)[^\n]+\.$/)
  }
  const commands = [...CALLS.slice(1).map(([argv]) => argv), ['listen', '--forward-to', 'http://localhost:3000']]
  const environments = [
    { ASSAY_URL: WRONG_ADDRESSES[0] },
    { ASSAY_URL: 'http://127.0.0.1:2', ASSAY_CONTROL_TOKEN: WRONG_TOKENS[0] },
  ]
  const cwd = temporaryFolder()
  for (const environment of environments) {
    const told = await Promise.all(commands.map(argv => assay(cwd, argv, environment)))
    for (const { code, stdout, stderr } of told) {
      expect([1, 2]).toContain(code)
      expect({ stdout, stderr }).toEqual({
        stdout: '',
        stderr: expect.stringMatching(/^(?!.*secret)(?!No)[^\n]+\.\n$/),
      })
    }
  }
})

test('an empty ASSAY_CONTROL_TOKEN, as where CI has no such secret, is no token', async () => {
  const { pagesUrl } = await startScopedSimulator()
  const environment = { ASSAY_URL: pagesUrl, ASSAY_CONTROL_TOKEN: '' }
  expect(await assay(temporaryFolder(), ['drill', '--list'], environment)).toMatchObject({ code: 0, stderr: '' })
})

test('where control requires a token, commands and fixtures say how they take one', { timeout: 60_000 }, async () => {
  const { pagesUrl } = await startScopedSimulator({ controlToken: 'sesame' })
  const [, ...calls] = CALLS
  const cwd = temporaryFolder()
  for (const [fact, token] of [
    ['Control requires a token here', ''],
    ['This token is unknown or revoked', 'wrong'],
  ] as const) {
    const cure = `${fact}: give one that the operator gave you as --token ("token" in a test), or set ASSAY_CONTROL_TOKEN.`
    const told = await Promise.all(
      calls.map(([argv]) => assay(cwd, argv, { ASSAY_URL: pagesUrl, ASSAY_CONTROL_TOKEN: token })),
    )
    const ofLab = `${fact}: set ASSAY_CONTROL_TOKEN to one that the operator gave you.`
    expect(told.map(({ stderr }) => stderr)).toEqual(calls.map(([[name]]) => `${name === 'lab' ? ofLab : cure}\n`))
  }
})

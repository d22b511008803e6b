import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readKit } from '../../contracts/client/credentials.ts'
import { toListenError } from '../../simulator/http/listen.ts'
import { readConfig } from '../../simulator/options/read-config.ts'
import { StartError } from '../../simulator/support/start-error.ts'
import { isOverPostgres } from '../runner/postgres-exclusions.ts'
import { pollUntil } from '../support/poll-until.ts'
import { serveOptionsFor, spawnServe, startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { irisRequestOf, merchantWith } from '../support/test-scoped-simulator.ts'

const ONE_SENTENCE = /^[^\n]+: [^\n]+\.$/

/** Waits for a start that fails; returns its exit code and output. */
const failed = async (argv: readonly string[], environment?: NodeJS.ProcessEnv) => {
  const { ended, said } = spawnServe(argv, environment)
  return { code: await ended, ...said }
}

const takenPort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return String((server.address() as { port: number }).port)
}

describe('a start that cannot succeed ends with code 2 and one sentence', () => {
  test.each([
    [
      ['--api-port', 'x'],
      'The flag api-port is "x": give a number from 0 to 65535 (port of the API (HTTPS); 0 picks a free one).',
    ],
    [
      ['--settle-after', '2s'],
      'The flag settle-after is "2s": give an ISO 8601 duration of days, hours, minutes and seconds such as PT2S (time from a capture',
    ],
    [
      ['--layers', 'foo'],
      'The flag layers is "foo": give any of certificate,signature,token, or none (security layers that',
    ],
    [['--tls-min', '1.1'], 'The flag tls-min is "1.1": give 1.3|1.2'],
    [
      ['--environment', 'production', '--layers', 'none'],
      'The option layers asks for less than production: drop --layers, or drop --environment production.',
    ],
    [['--config', '/nowhere/assay.yaml'], 'There is no configuration file /nowhere/assay.yaml: check --config.'],
  ])('%j', (argv, sentence) => {
    const refused = (pattern: RegExp | string) => expect(() => readConfig(argv, {})).toThrow(pattern)
    refused(ONE_SENTENCE)
    refused(sentence)
    expect(() => readConfig(argv, {})).toThrow(StartError)
  })

  test('an option that there is not', async () => {
    const { code, stdout, stderr } = await failed(['--prot', '1'])
    const sentence = `Unknown option '--prot': "assay serve --help" lists the options.\n`
    expect([code, stdout, stderr]).toEqual([2, '', sentence])
  })

  test('a folder where the file that tells of the sandbox belongs', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'health-url'))
    const { code, stdout, stderr } = await failed(await serveOptionsFor(dataDir))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      `${dataDir}/health-url cannot be written (EISDIR): make way for it, or choose another --data-dir.\n`,
    )
  })

  test.each(['api-port', 'pages-port', 'plain-port'])('a taken %s', async option => {
    const port = await takenPort()
    const free = ['--api-port', '0', '--pages-port', '0', '--data-dir', temporaryFolder()]
    const { code, stdout, stderr } = await failed([...free, `--${option}`, port])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      `Port ${port} is taken: stop what uses it or choose another --${option} (0 picks a free one).\n`,
    )
  })

  test.skipIf(isOverPostgres)('a folder in use by another process, which goes on', async () => {
    const folder = temporaryFolder()
    const first = await startServe(folder)
    const { code, stderr } = await failed(['--data-dir', folder, '--api-port', '0', '--pages-port', '0'])
    expect(code).toBe(2)
    const there = first.pagesUrl.replace('localhost', '127.0.0.1')
    expect(stderr).toBe(
      `Another Assay is running on ${folder}, at ${there}: use that, stop it or choose another --data-dir.\n`,
    )
    expect((await fetch(`${first.pagesUrl}/ready`)).status).toBe(200)
  })

  test('a folder that cannot be written', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const { code, stderr } = await failed(['--data-dir', join(file, 'below')])
    expect([code, stderr]).toEqual([
      2,
      `${join(file, 'below')} cannot be written: make it a writable folder or choose another --data-dir.\n`,
    ])
  })

  test.each<[string, string[], NodeJS.ProcessEnv, string?]>([
    ['the flag', ['--log', 'json'], {}],
    ['the flag with =', ['--log=json'], { ASSAY_LOG: 'text' }],
    ['the environment', [], { ASSAY_LOG: 'json' }],
    ['the file', [], {}, 'log: json'],
  ])('as a JSON line with the log by %s', async (_, argv, environment, lines) => {
    const file = join(temporaryFolder(), 'assay.yaml')
    writeFileSync(file, lines ?? '')
    const options = [...argv, '--config', file]
    const { code, stdout, stderr } = await failed([...options, '--data-dir', join(file, 'below')], environment)
    expect([code, stdout, stderr.split('\n')]).toEqual([2, '', [expect.any(String), '']])
    expect(JSON.parse(stderr)).toEqual({
      level: 'fatal',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      msg: `${join(file, 'below')} cannot be written: make it a writable folder or choose another --data-dir.`,
    })
    if (lines !== undefined) return
    const wrong = await failed([...options, '--prot', '1'], environment)
    expect([wrong.code, JSON.parse(wrong.stderr).msg]).toEqual([2, expect.stringMatching(/^Unknown option '--prot'/)])
  })

  test('after a note of unknown ASSAY_ variables, as one of them may be why', async () => {
    const port = await takenPort()
    const options = ['--api-port', port, '--pages-port', '0', '--data-dir', temporaryFolder()]
    const misspelt = { ASSAY_API_PROT: '0' }
    const note = 'ASSAY_API_PROT is not an option and was ignored.'
    const sentence = `Port ${port} is taken: stop what uses it or choose another --api-port (0 picks a free one).`
    const { code, stderr } = await failed(options, misspelt)
    expect([code, stderr]).toEqual([2, `Note: ${note}\n${sentence}\n`])
    const { stderr: lines } = await failed([...options, '--log', 'json'], misspelt)
    const told = lines
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(told).toMatchObject([
      { level: 'warn', msg: note },
      { level: 'fatal', msg: sentence },
    ])
  })

  test('an address that is not of this machine', async () => {
    const free = ['--api-port', '0', '--pages-port', '0', '--data-dir', temporaryFolder()]
    const { code, stderr } = await failed([...free, '--host', '192.0.2.1'])
    expect([code, stderr]).toEqual([2, '192.0.2.1 is no address of this machine: choose another --host.\n'])
  })

  test.each(['ENOTFOUND', 'EAI_AGAIN'])('a name that does not resolve: %s', name => {
    const error = Object.assign(new Error('getaddrinfo'), { code: name })
    expect(toListenError(error, 'nowhere.example', 0, 'api-port').message).toBe(
      'nowhere.example is no address of this machine: choose another --host.',
    )
  })
})

describe('a start that succeeds', () => {
  test('prints its addresses in plain text, that it moves no real money, and nothing of disabled layers', async () => {
    const folder = temporaryFolder()
    const { said, apiUrl, pagesUrl, kitFile } = await startServe(folder)
    expect(apiUrl).toMatch(/^https:\/\/localhost:\d+$/)
    expect(pagesUrl).toMatch(/^http:\/\/localhost:\d+$/)
    expect(kitFile).toBe(join(folder, 'kit', 'demo-merchant', 'kit.json'))
    expect(said.stdout).toMatch(/^Assay is ready: a sandbox, no real money, no bank\.\n/)
    expect(said.stdout).not.toContain('\u001b')
    expect(said.stdout).not.toMatch(/^ +(Off|Plain)/m)
    expect(said.stderr).toBe('')
    expect(await (await fetch(`${pagesUrl}/health`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${pagesUrl}/ready`)).json()).toEqual({ status: 'ready' })
  })

  test('reads options from flag, environment and file, and notes unknown ASSAY_ variables', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'assay.yaml')
    writeFileSync(file, 'pages-url: http://from-file.test\napi-url: https://from-file.test\n')
    const environment = {
      ASSAY_CONFIG: file,
      ASSAY_API_URL: 'https://from-environment.test',
      ASSAY_PRT: '1',
      ASSAY_PLAIN_PORT: 'tcp://10.96.0.7:8081',
    }
    const { said } = await startServe(folder, [], environment)
    expect(said.stdout).toContain('https://from-environment.test')
    expect(said.stdout).toContain('http://from-file.test')
    await pollUntil(
      () => said.stderr,
      text => text.includes('service'),
    )
    expect(said.stdout).not.toContain('Plain')
    expect(said.stderr).toBe(
      'Note: ASSAY_PRT is not an option and was ignored.\nNote: ASSAY_PLAIN_PORT is the link of an orchestrator to a service, not a port, and was ignored.\n',
    )
  })

  test('notes options that change nothing beside the others', async () => {
    const folder = temporaryFolder()
    const unused = isOverPostgres
      ? (['--accept-loss', 'yes', '--accept-loss has no effect with --store.'] as const)
      : (['--store-connections', '20', '--store-connections has no effect without --store.'] as const)
    const { said, child, ended } = await startServe(folder, [
      ...['--environment', 'production', '--scenarios', '/no/such/folder', '--log-level', 'warn'],
      ...['--metrics-token', 'scrape', ...unused.slice(0, 2)],
    ])
    child.kill('SIGTERM')
    await ended
    expect(said.stderr.split('\n').filter(Boolean).sort()).toEqual(
      [
        '--log-level has no effect without --log json.',
        '--metrics-token has no effect without --metrics on.',
        '--scenarios has no effect with --environment production.',
        unused[2],
      ]
        .map(note => `Note: ${note}`)
        .sort(),
    )
  })
})

describe('a start on an address that others reach', () => {
  test.each([
    [
      '0.0.0.0',
      {},
      /^Note: Control and the portal are open to all who reach port \d+ of 0\.0\.0\.0: set ASSAY_CONTROL_TOKEN\.\n$/,
    ],
    ['0.0.0.0', { ASSAY_CONTROL_TOKEN: 'long-and-random' }, /^$/],
    ['127.0.0.2', {}, /^$/],
  ])('%s with %j', async (host, environment, expected) => {
    const { child, said, ended } = await startServe(temporaryFolder(), ['--host', host], environment)
    child.kill('SIGTERM')
    await ended
    expect(said.stderr).toMatch(expected)
  })
})

test('a start on :: serves IPv4 and IPv6, as the help of --host says', async () => {
  const { pagesUrl } = await startServe(temporaryFolder(), ['--host', '::'], { ASSAY_CONTROL_TOKEN: 'long-and-random' })
  const { port } = new URL(pagesUrl)
  for (const host of ['127.0.0.1', '[::1]']) expect((await fetch(`http://${host}:${port}/health`)).status).toBe(200)
})

describe('5, D-70: a start with disabled layers says so in one line', () => {
  test('for options of layers and a plain listener', async () => {
    const { said } = await startServe(temporaryFolder(), ['--layers', 'certificate,token', '--plain-port', '0'])
    const plain = /^ {2}Plain +(http:\/\/localhost:\d+)$/m.exec(said.stdout)?.[1]
    expect(said.stdout.match(/^ {2}Off .*$/gm)).toEqual([`  Off    certificate at ${plain}, signature`])
  })
})

describe('shutdown', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s ends it with code 0, also with open connections',
    async signal => {
      const { child, said, ended, pagesUrl, apiUrl } = await startServe(temporaryFolder())
      await fetch(`${pagesUrl}/health`)
      for (const url of [pagesUrl, apiUrl]) {
        const silent = connect(Number(new URL(url).port), '127.0.0.1')
        onTestFinished(() => void silent.destroy())
        silent.on('error', () => undefined)
        await once(silent, 'connect')
      }
      child.kill(signal)
      expect(await ended).toBe(0)
      expect(said.stdout).toContain(`${signal}: finishing the calls under way\n`)
      expect(said.stderr).toBe('')
    },
  )

  test('I3: under load, every acknowledged payment is stored after the next start', async () => {
    const folder = temporaryFolder()
    const first = await startServe(folder)
    const merchant = merchantWith(readKit(first.kitFile))
    await merchant.tokenFor()
    const calls = Array.from({ length: 60 }, () => merchant.request('initiate', { json: irisRequestOf(merchant) }))
    await Promise.race(calls)
    first.child.kill('SIGTERM')
    const answers = (await Promise.all(calls)).flatMap(({ response }) => (response ? [response] : []))
    expect(await first.ended).toBe(0)
    expect(answers.length).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    const again = merchantWith(readKit((await startServe(folder)).kitFile))
    for (const { body } of answers) {
      const { transactionId } = JSON.parse(body.toString()) as { transactionId: string }
      expect((await again.status(transactionId)).status).toBe(200)
    }
  })
})

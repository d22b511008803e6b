import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { main } from '../../simulator/commands/health.ts'
import { findFreePort } from '../support/free-port.ts'
import { pollUntil } from '../support/poll-until.ts'
import { spawnServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let server: Server | undefined
const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)

afterEach(() => {
  server?.close()
  server = undefined
  said.mockClear()
  printed.mockClear()
  vi.unstubAllEnvs()
})

async function listen(answer: RequestListener): Promise<string> {
  const listening = createServer(answer)
  server = listening
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
  return String((listening.address() as AddressInfo).port)
}

const answering = (status: number) =>
  listen((request, response) => response.writeHead(request.url === '/health' ? status : 404).end())

test('a healthy simulator gives exit code 0 and one line', async () => {
  const port = await answering(200)
  expect(await main(['--pages-port', port])).toBe(0)
  expect(printed.mock.calls).toEqual([[`The simulator at http://127.0.0.1:${port} is healthy.\n`]])
  expect(said).not.toHaveBeenCalled()
})

test.each([
  ['a flag', (dataDir: string, port: number) => ({ argv: ['--data-dir', dataDir, '--pages-port', String(port)] })],
  ['a file', (dataDir: string, port: number) => ({ argv: [], file: `data-dir: ${dataDir}\npages-port: ${port}\n` })],
  [
    'another host',
    (dataDir: string) => ({ argv: ['--data-dir', dataDir, '--pages-port', '0', '--host', '127.0.0.2'] }),
  ],
])('the simulator of a folder is found wherever its port was configured: %s', async (_, configured) => {
  const dataDir = temporaryFolder()
  const { argv, file }: { argv: string[]; file?: string } = configured(dataDir, await findFreePort())
  const config = join(temporaryFolder(), 'assay.yaml')
  if (file) writeFileSync(config, file)
  const { child, said, ended } = spawnServe([...argv, '--api-port', '0', ...(file ? ['--config', config] : [])])
  await pollUntil(
    () => said.stdout,
    text => text.includes('Kit '),
  )
  expect(await main(['--data-dir', dataDir])).toBe(0)
  vi.stubEnv('ASSAY_DATA_DIR', dataDir)
  expect(await main([])).toBe(0)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  vi.stubEnv('ASSAY_PAGES_PORT', await answering(200))
  expect(await main([])).toBe(1)
})

test('a link to a service in ASSAY_PAGES_PORT is no port: the usual one is asked', async () => {
  vi.stubEnv('ASSAY_DATA_DIR', '')
  vi.stubEnv('ASSAY_PAGES_PORT', 'tcp://10.96.0.7:8080')
  const before = process.cwd()
  process.chdir(temporaryFolder())
  onTestFinished(() => process.chdir(before))
  await main([])
  expect([...said.mock.calls, ...printed.mock.calls].join()).toContain('http://127.0.0.1:8080')
})

test('an unhealthy simulator gives exit code 1 and one sentence', async () => {
  const port = await answering(503)
  expect(await main(['--pages-port', port])).toBe(1)
  expect(printed).not.toHaveBeenCalled()
  expect(said.mock.calls).toEqual([
    [
      `http://127.0.0.1:${port}/health answers 503: is "assay serve" running there? Else name its --data-dir or --pages-port.\n`,
    ],
  ])
})

test('an unreachable simulator gives exit code 1', async () => {
  const port = await answering(200)
  await new Promise(resolve => server?.close(resolve))
  expect(await main(['--pages-port', port])).toBe(1)
  expect(said.mock.calls.join()).toContain('cannot be reached')
})

test.each([[['--pages-port', 'x']], [['--pages-port', '0']], [['--pages-port']], [['--port', '1']], [['now']]])(
  'wrong options %j give exit code 2 and one sentence',
  async argv => {
    expect(await main(argv)).toBe(2)
    expect(said.mock.calls).toEqual([[expect.stringMatching(/^[^\n]+: [^\n]+\.\n$/)]])
  },
)

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { initiateRequestOf, plainPool, prepareUnsigned, runLoad, sendPrepared } from '../load/http-load.ts'
import { readDemoCredentials } from '../load/read-merchant-credentials.ts'
import { formatNumber, tableRow } from '../report/format-table-row.ts'
import { readScriptArguments, readScriptNumber } from '../report/read-script-arguments.ts'

const HELP = `Calls control on a sandbox with many payments, and prints the calls with the longest turns of the event loop:
for so long everybody else waits. Turns are told in processor time, so that other programs do not count.

  npm run longest-turns -- [--payments N]     5,000 by default
`
const CONNECTIONS = 50
const SHOWN = 12
const ORGANIZATION = '/organizations/demo-merchant'

type Sandbox = { child: ChildProcess; folder: string; plainPort: number; control: string }

/** A server that accepts every webhook. */
const openReceiver = async (): Promise<{ url: string; close: () => void }> => {
  const server = createServer((request, response) => void request.resume().on('end', () => response.end()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/webhooks`, close: () => server.close() }
}

const startSandbox = async (): Promise<Sandbox> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-turns-'))
  const root = join(import.meta.dirname, '../..')
  const watch = ['--import', join(import.meta.dirname, 'report-longest-turn.ts')]
  const ports = ['--api-port', '0', '--pages-port', '0', '--plain-port', '0', '--layers', 'none']
  const command = [...watch, join(root, 'bin/assay.js'), 'serve', '--data-dir', folder, ...ports]
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  let said = ''
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += chunk
    if (/^ +Kit .*\n/m.test(said)) break
  }
  child.stdout?.resume()
  const portOf = (line: string) => Number(new RegExp(`${line} +https?://[^/\\s]*:(\\d+)\\n`).exec(said)?.[1])
  return { child, folder, plainPort: portOf('Plain'), control: `http://127.0.0.1:${portOf('Pages')}/control` }
}

const fill = async ({ folder, plainPort }: Sandbox, payments: number): Promise<void> => {
  const { processingAccountId } = readDemoCredentials(folder)
  const pool = plainPool(plainPort, CONNECTIONS)
  const requests = Array.from({ length: payments }, () => prepareUnsigned(initiateRequestOf(processingAccountId)))
  const works = (await Promise.all(requests)).map(ready => (over: typeof pool) => sendPrepared(over, ready))
  await runLoad(pool, works, CONNECTIONS)
  await pool.close()
}

/** Paths of every GET of control but streams and waits, for the demo organization; lists as long as they may be. */
const readPaths = (): string[] => {
  const { paths } = parse(readFileSync(new URL('../../simulator/control/openapi.yaml', import.meta.url), 'utf8'))
  return Object.entries<{ get?: object; parameters?: object }>(paths).flatMap(([path, { get, parameters }]) => {
    if (!get || /stream|wait|next/.test(path)) return []
    const filled = path
      .replace('/control', '')
      .replace('{organizationId}', 'demo-merchant')
      .replace(/\{\w+\}/g, 'x')
    return [JSON.stringify([get, parameters]).includes('imit') ? `${filled}?limit=99999` : filled]
  })
}

type Turn = { name: string; longestMs: number; tookMs: number; mb: number }

const measure = async (sandbox: Sandbox): Promise<Turn[]> => {
  const { child, control } = sandbox
  const turns: Turn[] = []
  const longest = async (): Promise<number> => {
    child.send('longest')
    return (await once(child, 'message'))[0] as number
  }
  const call = async (method: string, path: string, body?: string): Promise<string> => {
    process.stderr.write(`${method} ${path}\n`)
    await longest()
    const start = performance.now()
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(control + path, body === undefined ? { method } : { method, body, headers })
    const text = await response.text()
    const tookMs = performance.now() - start
    turns.push({ name: `${method} ${path}`, longestMs: await longest(), tookMs, mb: text.length / 2 ** 20 })
    return text
  }
  const snapshot = `${ORGANIZATION}/snapshots/big`
  await fetch(control) // its code is loaded at the first call
  for (const path of readPaths()) await call('GET', path)
  await call('POST', `${ORGANIZATION}/clock`, '{"advance":"P10D"}')
  for (const list of ['inbox', 'deliveries']) await call('GET', `${ORGANIZATION}/${list}?limit=99999`)
  await call('POST', `${ORGANIZATION}/deliveries/resend`, '{"state":"delivered"}')
  await call('POST', `${ORGANIZATION}/snapshots`, '{"name":"big"}')
  await call('PUT', `${ORGANIZATION}/snapshots/copy`, await call('GET', snapshot))
  await call('POST', `${snapshot}/restore`, '{}')
  await call('DELETE', `${ORGANIZATION}/inbox`)
  await call('POST', `${ORGANIZATION}/reset`, '{}')
  return turns
}

const { values } = readScriptArguments({
  options: { payments: { type: 'string', default: '5000' }, help: { type: 'boolean', short: 'h' } },
})
const payments = readScriptNumber('--payments', values.payments)
if (values.help) process.stdout.write(HELP)
else {
  const [sandbox, receiver] = await Promise.all([startSandbox(), openReceiver()])
  try {
    const body = JSON.stringify({ url: receiver.url })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${sandbox.control}${ORGANIZATION}/webhooks`, { method: 'POST', headers, body })
    process.stderr.write(`${values.payments} payments\n`)
    await fill(sandbox, payments)
    const turns = (await measure(sandbox)).toSorted((one, other) => other.longestMs - one.longestMs).slice(0, SHOWN)
    const row = ({ name, longestMs, tookMs, mb }: Turn) =>
      tableRow(
        name,
        [longestMs, tookMs, mb].map((figure, at) => [formatNumber(figure, at === 2 ? 1 : 0), 10]),
      )
    const head = tableRow(
      `${values.payments} payments`,
      ['turn, ms', 'call, ms', 'MB'].map(name => [name, 10]),
    )
    process.stdout.write(`${[head, ...turns.map(row)].join('\n')}\n`)
  } finally {
    sandbox.child.kill()
    receiver.close()
    rmSync(sandbox.folder, { recursive: true, force: true })
  }
}

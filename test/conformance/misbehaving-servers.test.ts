import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHECK_REGISTRY } from '../../contracts/commands/chosen-profile-and-checks.ts'
import { judgeDeployment } from '../../contracts/commands/judge-deployment.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { UnreachableError } from '../../contracts/harness/run/command-errors.ts'
import { startStubServer } from '../client/stub-server.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { simulatorProfileAt } from './run-suites.ts'

const LIMIT = 120_000
const root = mkdtempSync(join(tmpdir(), 'assay-hostile-'))
let simulator: TestSimulator
let good: Profile

beforeAll(async () => {
  simulator = await startTestSimulator()
  good = simulatorProfileAt(simulator)
})

afterAll(async () => {
  rmSync(root, { recursive: true })
  await simulator.stop()
})

/** The simulator profile, pointed at a server with its own CA, with small budgets. */
const towards = (baseUrl: string, ca: string): Profile => {
  const kit = join(root, `${new URL(baseUrl).port}.json`)
  writeFileSync(kit, JSON.stringify({ ...simulator.kit, ca }))
  return {
    ...good,
    target: { ...good.target, baseUrl },
    organization: { kit },
    budgets: { seconds: 15, callSeconds: 1 },
  }
}

const judged = (profile: Profile) =>
  judgeDeployment({ profile, tier: 3, only: [], chosen: new Set(CHECK_REGISTRY.keys()) })

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void

const forever = (outgoing: ServerResponse, piece: string, everyMs: number): void => {
  const timer = setInterval(() => outgoing.writable && outgoing.write(piece), everyMs)
  outgoing.on('close', () => clearInterval(timer))
}

// biome-ignore format: a table reads by its columns
const MISBEHAVING: [string, Handler][] = [
  ['drops every call',             incoming => incoming.socket.destroy()],
  ['never answers',                () => undefined],
  ['speaks no HTTP',               incoming => incoming.socket.end('220 mail.example ready\r\n')],
  ['promises more than it sends',  (_, outgoing) => outgoing.writeHead(200, { 'content-length': '1000' }).end('{}', () => outgoing.destroy())],
  ['drips',                        (_, outgoing) => forever(outgoing.writeHead(200), ' ', 50)],
  ['never ends its answer',        (_, outgoing) => forever(outgoing.writeHead(200), 'x'.repeat(256 * 1024), 1)],
  ['never ends its headers',       incoming => incoming.socket.write(`HTTP/1.1 200 OK\r\n${'x-more: and more\r\n'.repeat(10_000)}`)],
  ['answers with pages',           (_, outgoing) => outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Welcome')],
  ['answers with broken JSON',     (_, outgoing) => outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":')],
  ['answers with zeros',           (_, outgoing) => outgoing.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(5000))],
  ['answers 503',                  (_, outgoing) => outgoing.writeHead(503, { 'retry-after': '86400' }).end()],
  ['answers 429',                  (_, outgoing) => outgoing.writeHead(429, { 'retry-after': '86400' }).end()],
]

test.concurrent.each(MISBEHAVING)(
  'a target that %s gets a verdict on every check within the budget, and passes none',
  async (_what, misbehave) => {
    const stub = await startStubServer((incoming, outgoing) => {
      if (incoming.url?.endsWith('jwks.json') && !asked.has(incoming.socket)) outgoing.writeHead(200).end('{"keys":[]}')
      else misbehave(incoming, outgoing)
      asked.add(incoming.socket)
    })
    const asked = new WeakSet<Socket>()
    const { report } = await judged(towards(stub.url, stub.ca))
    await stub.stop()
    const { counts, chosen, exitCode } = report.summary
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(chosen)
    expect(chosen).toBe(CHECK_REGISTRY.size)
    expect([1, 3, 5]).toContain(exitCode)
    expect(counts['harness error']).toBe(0)
    const passed = report.checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)
    expect(passed.filter(id => !/^MTLS-/.test(id))).toEqual([])
    const observed = report.checks.filter(({ verdict }) => verdict === 'observed')
    expect(observed.filter(({ reason }) => !/none|refused/.test(reason ?? '')).map(({ id }) => id)).toEqual([])
  },
  LIMIT,
)

test(
  'redirects are not followed, so that no secret is sent elsewhere',
  async () => {
    const heard: string[] = []
    const thief = await startStubServer((incoming, outgoing) => {
      heard.push(`${incoming.method} ${incoming.url}`)
      outgoing.end()
    })
    const stub = await startStubServer((incoming, outgoing) => {
      if (incoming.url?.endsWith('jwks.json')) return outgoing.writeHead(200).end('{"keys":[]}')
      outgoing.writeHead(307, { location: `${thief.url}${incoming.url}` }).end()
    })
    const { report } = await judged(towards(stub.url, stub.ca))
    await Promise.all([stub.stop(), thief.stop()])
    expect(heard).toEqual([])
    expect(report.summary.exitCode).toBeGreaterThan(0)
  },
  LIMIT,
)

test.each([
  ['of another CA', (url: string, ca: string) => towards(url, ca.length > 0 ? (simulator.kit.ca ?? '') : '')],
  ['of another name', (url: string, ca: string) => towards(url.replace('localhost', '127.0.0.1'), ca)],
])('a server certificate %s ends the run before any request', async (_what, profile) => {
  let calls = 0
  const stub = await startStubServer((_, outgoing) => {
    calls += 1
    outgoing.end()
  })
  await expect(judged(profile(stub.url, stub.ca))).rejects.toThrow(UnreachableError)
  await stub.stop()
  expect(calls).toBe(0)
})

/** Starts a TCP proxy that stops forwarding after a number of chunks. */
const fallingSilent = async (to: number, after: number) => {
  let pieces = 0
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const service = connect(to, 'localhost')
    for (const socket of [client, service]) sockets.add(socket.on('error', () => undefined))
    const pass = (from: Socket, onward: Socket) =>
      from.on('data', piece => {
        pieces += 1
        if (pieces < after) onward.write(piece)
      })
    pass(client, service)
    pass(service, client)
    for (const socket of [client, service]) socket.on('close', () => [client, service].map(each => each.destroy()))
  }).listen(0)
  await new Promise(resolve => server.once('listening', resolve))
  return {
    port: (server.address() as { port: number }).port,
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test(
  'a service that stops responding ends the run; earlier verdicts remain',
  async () => {
    const proxy = await fallingSilent(Number(new URL(simulator.apiUrl).port), 300)
    const baseUrl = `https://localhost:${proxy.port}`
    const { report } = await judged({
      ...good,
      target: { ...good.target, baseUrl },
      budgets: { seconds: 90, callSeconds: 1 },
    })
    proxy.stop()
    expect(report.stopped?.reason).toMatch(/^5 calls in a row got no response in time: \S+ no longer responds$/)
    expect(report.summary.exitCode).toBe(5)
    expect(report.summary.counts.pass).toBeGreaterThan(10)
    expect(report.summary.counts.inconclusive).toBeGreaterThan(50)
    expect(report.summary.counts.fail).toBe(0)
  },
  LIMIT,
)

test(
  'budgets.seconds ends a run against a slow service',
  async () => {
    const profile = { ...good, budgets: { seconds: 1, callsPerSecond: 20 } }
    const { report } = await judged(profile)
    expect(report.stopped).toEqual({ reason: 'budgets.seconds of the profile is spent: 1' })
    expect(report.summary.exitCode).toBe(5)
    expect(report.checks).toHaveLength(CHECK_REGISTRY.size)
  },
  LIMIT,
)

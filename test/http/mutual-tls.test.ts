import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClock } from '../../simulator/support/clock.ts'
import { expectRefusal, expectServed, statusAndCode } from '../support/api-response-checks.ts'
import { type RawRequest, serializeRequest } from '../support/create-signed-raw-request.ts'
import {
  type ExchangeOptions,
  exchangeRaw,
  openConnection,
  readResponses,
  type TlsIdentity,
} from '../support/raw-http.ts'
import { identityOf, irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'
import { createUntrustedCertificate } from '../support/untrusted-certificate.ts'

const DAY = 86_400_000
const HELLO = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')

let sandbox: RawSandbox
let payment: RawRequest

beforeAll(async () => {
  sandbox = await openRawSandbox()
  payment = await sandbox.sign({ body: irisInitiateBody() })
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const refusedCertificate = async (identity: TlsIdentity | null) =>
  expectRefusal(await sandbox.send(payment, { identity }), sandbox.keySet, '400/4980')

test.skipIf(spawnSync('openssl', ['version']).status !== 0)(
  'D-86: the handshake names no authority, as clients such as Java keep a certificate of another one back',
  async () => {
    const child = spawn('openssl', ['s_client', '-connect', `127.0.0.1:${sandbox.apiPort}`])
    child.stdin.end()
    const [told] = await Promise.all([text(child.stdout), once(child, 'close')])
    expect(told).toContain('No client certificate CA names sent')
  },
)

test('a call without client certificate is refused with 400/4980', async () => {
  expect((await refusedCertificate(null)).statusInfo.message).toContain('There is no client certificate')
})

test.each([
  ['signed by itself', 'CN=somebody', {}],
  ['signed by itself, without a subject', '', {}],
  ['with the names of our merchant and another key', 'CN=demo-merchant,O=demo-merchant', {}],
  ['of another authority with the same name', 'CN=demo-merchant', { byAuthority: true }],
])('a client certificate %s is refused', async (_case, subject, options) => {
  const { statusInfo } = await refusedCertificate(await createUntrustedCertificate(subject, options))
  expect(statusInfo.message).toContain('not trusted')
})

test('a certificate outside its validity is refused, also on an open connection', async () => {
  let now = Date.now()
  const start = now
  const own = await openRawSandbox({ clock: createClock(() => now) })
  const sayAt = async (instant: number, socket?: Socket) => {
    now = instant
    const message = await own.sign({ target: '/payments/x/status' })
    if (!socket) return own.send(message)
    socket.write(serializeRequest(message))
    const [answer] = (await readResponses(socket.resume(), { keep: true })).answers
    if (!answer) throw new Error('There is no answer.')
    return answer
  }
  const socket = openConnection(own.apiPort, { identity: identityOf(own.demo.kit) })
  try {
    await expectRefusal(await sayAt(start + 364 * DAY, socket), own.keySet, '401/4061')
    await expectRefusal(await sayAt(start + 366 * DAY, socket), own.keySet, '400/4980')
    await expectRefusal(await sayAt(start + 366 * DAY), own.keySet, '400/4980')
    await expectRefusal(await sayAt(start - 2 * DAY), own.keySet, '400/4980')
  } finally {
    socket.destroy()
    await own.close()
  }
})

test('TLS 1.2 is refused', async () => {
  const { answers, error } = await exchangeRaw(sandbox.apiPort, HELLO, { tls: { maxVersion: 'TLSv1.2' } })
  expect(answers).toEqual([])
  expect(error?.message).toMatch(/protocol version/)
})

test('TLS 1.2 is served with tls-min 1.2, TLS 1.1 never', async () => {
  const lenient = await openRawSandbox({ config: { tlsMin: '1.2' } })
  try {
    const tls = { maxVersion: 'TLSv1.2', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    await expectServed(
      await lenient.send(await lenient.sign({ body: irisInitiateBody() }), {
        tls,
        identity: identityOf(lenient.demo.kit),
      }),
      lenient.keySet,
    )
    const session = await sessionOf(lenient, identityOf(lenient.demo.kit), tls)
    expect(await resume(lenient, { identity: null, tls: { ...tls, session } })).toBe('400/4980')
    const old = { ...tls, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } as const
    expect((await exchangeRaw(lenient.apiPort, HELLO, { tls: old })).answers).toEqual([])
  } finally {
    await lenient.close()
  }
})

/** TLS session that the server offers on a connection with a certificate. */
const sessionOf = async ({ apiPort }: RawSandbox, identity: TlsIdentity | null, tls = {}): Promise<Buffer> => {
  const socket = openConnection(apiPort, { identity, tls }) as TLSSocket
  let session: Buffer | undefined
  socket.on('session', offered => {
    session = offered
  })
  socket.write(HELLO)
  await readResponses(socket)
  const last = session ?? socket.getSession()
  if (!last) throw new Error('There is no session to resume.')
  return last
}

/** Status and reason code of a payment over a connection that tries to resume a session. */
const resume = async ({ send, sign }: RawSandbox, conversation: ExchangeOptions): Promise<string> =>
  statusAndCode(await send(await sign({ body: irisInitiateBody() }), conversation))

test('resuming a session does not carry over a client certificate', async () => {
  const [demo, other] = [identityOf(sandbox.demo.kit), identityOf(sandbox.other.kit)]
  const after = async (first: TlsIdentity | null, second: TlsIdentity | null) =>
    resume(sandbox, { identity: second, tls: { session: await sessionOf(sandbox, first) } })
  expect(await after(demo, demo)).toBe('200/-1')
  expect(await after(demo, null)).toBe('400/4980')
  expect(await after(null, null)).toBe('400/4980')
  expect(await after(null, demo)).toBe('200/-1')
  expect(await after(demo, other)).toBe('401/4992')
})

test('many incomplete handshakes do not block other clients', async () => {
  const openings = Array.from({ length: 300 }, () => openConnection(sandbox.apiPort, { plain: true }))
  await Promise.all(openings.map(socket => once(socket, 'connect')))
  for (const socket of openings) socket.write(Buffer.from([0x16, 0x03, 0x01]))
  await expectServed(await sandbox.send(await sandbox.sign({ body: irisInitiateBody() })), sandbox.keySet)
  for (const socket of openings) socket.destroy()
})

test.each([
  ['plain HTTP', HELLO, [400]],
  ['rubbish', Buffer.alloc(64, 'x'), []],
  ['a broken TLS record', Buffer.from('160301ffff0100', 'hex'), []],
])('%s to the TLS port ends only that connection', async (_case, bytes, statuses) => {
  const socket = openConnection(sandbox.apiPort, { plain: true })
  socket.end(bytes)
  expect((await readResponses(socket)).answers.map(({ status }) => status)).toEqual(statuses)
  await expectServed(await sandbox.send(await sandbox.sign({ body: irisInitiateBody() })), sandbox.keySet)
})

test('TLS to the pages port reaches the API with all its layers, and no page', async () => {
  const [answer] = (await exchangeRaw(sandbox.pagesPort, payment)).answers
  if (!answer) throw new Error('There is no answer.')
  await expectRefusal(answer, sandbox.keySet, '400/4980')
  const identity = identityOf(sandbox.demo.kit)
  const [served] = (await exchangeRaw(sandbox.pagesPort, payment, { identity })).answers
  if (!served) throw new Error('There is no answer.')
  await expectServed(served, sandbox.keySet)
  const [page] = (await exchangeRaw(sandbox.pagesPort, HELLO, { plain: true })).answers
  expect(page?.status).toBe(200)
})

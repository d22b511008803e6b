import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClock } from '../../simulator/clock.ts'
import { strangersCertificate } from './certificates.ts'
import { codeOf, expectRefusal, expectServed } from './judge.ts'
import { type Message, render } from './message.ts'
import { identityOf, irisPayment, openSandbox, type Sandbox } from './sandbox.ts'
import { type Conversation, type Identity, listen, open, talk } from './talk.ts'

const DAY = 86_400_000
const HELLO = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')

let sandbox: Sandbox
let payment: Message

beforeAll(async () => {
  sandbox = await openSandbox()
  payment = await sandbox.sign({ body: irisPayment() })
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const refusedCertificate = async (identity: Identity | null) =>
  expectRefusal(await sandbox.send(payment, { identity }), sandbox.keySet, '400/4980')

test('no client certificate', async () => {
  expect((await refusedCertificate(null)).statusInfo.message).toContain('There is no client certificate')
})

test.each([
  ['signed by itself', 'CN=somebody', {}],
  ['signed by itself, without a subject', '', {}],
  ['with the names of our merchant and another key', 'CN=demo-merchant,O=demo-merchant', {}],
  ['of another authority that bears the name of ours', 'CN=demo-merchant', { byAuthority: true }],
])('a client certificate %s', async (_case, subject, options) => {
  const { statusInfo } = await refusedCertificate(await strangersCertificate(subject, options))
  expect(statusInfo.message).toContain('not trusted')
})

test('a certificate outside its dates is refused, also over a connection that was good before', async () => {
  let now = Date.now()
  const start = now
  const own = await openSandbox({ clock: createClock(() => now) })
  const sayAt = async (instant: number, socket?: Socket) => {
    now = instant
    const message = await own.sign({ target: '/payments/x/status' })
    if (!socket) return own.send(message)
    socket.write(render(message))
    const [answer] = (await listen(socket.resume(), { keep: true })).answers
    if (!answer) throw new Error('There is no answer.')
    return answer
  }
  const socket = open(own.apiPort, { identity: identityOf(own.demo.kit) })
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
  const { answers, error } = await talk(sandbox.apiPort, HELLO, { tls: { maxVersion: 'TLSv1.2' } })
  expect(answers).toEqual([])
  expect(error?.message).toMatch(/protocol version/)
})

test('TLS 1.2 is served where the option says so, 1.1 never', async () => {
  const lenient = await openSandbox({ config: { tlsMin: '1.2' } })
  try {
    const tls = { maxVersion: 'TLSv1.2', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    await expectServed(
      await lenient.send(await lenient.sign({ body: irisPayment() }), { tls, identity: identityOf(lenient.demo.kit) }),
      lenient.keySet,
    )
    const session = await sessionOf(lenient, identityOf(lenient.demo.kit), tls)
    expect(await resume(lenient, { identity: null, tls: { ...tls, session } })).toBe('400/4980')
    const old = { ...tls, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } as const
    expect((await talk(lenient.apiPort, HELLO, { tls: old })).answers).toEqual([])
  } finally {
    await lenient.close()
  }
})

/** A session that the server offered over a connection with this certificate. */
const sessionOf = async ({ apiPort }: Sandbox, identity: Identity | null, tls = {}): Promise<Buffer> => {
  const socket = open(apiPort, { identity, tls }) as TLSSocket
  let session: Buffer | undefined
  socket.on('session', offered => {
    session = offered
  })
  socket.write(HELLO)
  await listen(socket)
  const last = session ?? socket.getSession()
  if (!last) throw new Error('There is no session to resume.')
  return last
}

/** What a payment is answered over a connection that tries to resume a session. */
const resume = async ({ send, sign }: Sandbox, conversation: Conversation): Promise<string> =>
  codeOf(await send(await sign({ body: irisPayment() }), conversation))

test('a resumed session brings along no certificate that this connection did not present', async () => {
  const [demo, other] = [identityOf(sandbox.demo.kit), identityOf(sandbox.other.kit)]
  const after = async (first: Identity | null, second: Identity | null) =>
    resume(sandbox, { identity: second, tls: { session: await sessionOf(sandbox, first) } })
  expect(await after(demo, demo)).toBe('200/-1')
  expect(await after(demo, null)).toBe('400/4980')
  expect(await after(null, null)).toBe('400/4980')
  expect(await after(null, demo)).toBe('200/-1')
  expect(await after(demo, other)).toBe('401/4992')
})

test('many half-open connections keep nobody out', async () => {
  const openings = Array.from({ length: 300 }, () => open(sandbox.apiPort, { plain: true }))
  await Promise.all(openings.map(socket => once(socket, 'connect')))
  for (const socket of openings) socket.write(Buffer.from([0x16, 0x03, 0x01]))
  await expectServed(await sandbox.send(await sandbox.sign({ body: irisPayment() })), sandbox.keySet)
  for (const socket of openings) socket.destroy()
})

test.each([
  ['plain HTTP', HELLO],
  ['rubbish', Buffer.alloc(64, 'x')],
  ['a broken TLS record', Buffer.from('160301ffff0100', 'hex')],
])('%s to the TLS port ends the connection and nothing else', async (_case, bytes) => {
  const socket = open(sandbox.apiPort, { plain: true })
  socket.end(bytes)
  expect((await listen(socket)).answers).toEqual([])
  await expectServed(await sandbox.send(await sandbox.sign({ body: irisPayment() })), sandbox.keySet)
})

test('TLS to the pages port ends the connection and nothing else', async () => {
  expect((await talk(sandbox.pagesPort, HELLO)).answers).toEqual([])
  const [page] = (await talk(sandbox.pagesPort, HELLO, { plain: true })).answers
  expect(page?.status).toBe(200)
})

import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { expectRefusal, expectServed, signatureErrorOf } from '../support/api-response-checks.ts'
import { serializeRequest, withHeader } from '../support/create-signed-raw-request.ts'
import { pollUntil } from '../support/poll-until.ts'
import { exchangeRaw, openConnection, readResponses } from '../support/raw-http.ts'
import { identityOf, irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox()
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const bytes = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1')
const get = (target: string, more = '') => bytes(`GET ${target} HTTP/1.1\nHost: localhost\n${more}\n`)
const post = (more: string, body: string) => bytes(`POST /x HTTP/1.1\nHost: localhost\n${more}\n\n${body}`)

const UNREADABLE: [string, Buffer][] = [
  ['no Host', bytes('GET /x HTTP/1.1\n\n')],
  ['no Host in HTTP/1.0', bytes('GET /x HTTP/1.0\n\n')],
  ['an empty Host', bytes('GET /x HTTP/1.1\nHost:\n\n')],
  ['two Hosts', bytes('GET /x HTTP/1.1\nHost: localhost\nHost: localhost\n\n')],
  ['a Host with a user', bytes('GET /x HTTP/1.1\nHost: a@localhost\n\n')],
  ['a Host with a space', bytes('GET /x HTTP/1.1\nHost: a b\n\n')],
  ['a Host with a path', bytes('GET /x HTTP/1.1\nHost: localhost/y\n\n')],
  ['a Host with a port that is none', bytes('GET /x HTTP/1.1\nHost: localhost:99999\n\n')],
  ['no version', bytes('GET /x\n\n')],
  ['the preface of HTTP/2', bytes('PRI * HTTP/2.0\n\nSM\n\n')],
  ['an asterisk for a target', bytes('OPTIONS * HTTP/1.1\nHost: localhost\n\n')],
  ['a broken absolute target', get('https://[/x')],
  ['an absolute target with a user', get('https://user@localhost/x')],
  ['a target without a slash', get('x')],
  ['a backslash in the path', get('/a\\b')],
  ['a space in the target', get('/a b')],
  ['a NUL in the target', get('/a\0b')],
  ['Latin-1 in the target', get('/é')],
  ['a target of 8,193 octets', get(`/${'x'.repeat(8_192)}`)],
  ['a target of 20,000 octets', get(`/${'x'.repeat(20_000)}`)],
  ['a header of 20,000 octets', get('/x', `X: ${'x'.repeat(20_000)}\n`)],
  ['a header that never ends', bytes(`GET /x HTTP/1.1\nHost: localhost\nX: ${'x'.repeat(2_000_000)}`)],
  ['3,000 headers', get('/x', 'a: b\n'.repeat(3_000))],
  ['two lengths', post('Content-Length: 2\nContent-Length: 2', '{}')],
  ['two lengths in one header', post('Content-Length: 2, 2', '{}')],
  ['a negative length', post('Content-Length: -2', '{}')],
  ['a length with a sign', post('Content-Length: +2', '{}')],
  ['a length of 24 digits', post(`Content-Length: ${'9'.repeat(24)}`, '{}')],
  ['a length that is no number', post('Content-Length: two', '{}')],
  ['a length and chunks', post('Content-Length: 2\nTransfer-Encoding: chunked', '0\n\n')],
  ['an unknown encoding', post('Transfer-Encoding: gzip', '{}')],
  ['chunks in chunks', post('Transfer-Encoding: chunked, chunked', '0\n\n')],
  ['a chunk that is none', post('Transfer-Encoding: chunked', 'zz\n{}\n0\n\n')],
  ['a chunk extension of 20,000 octets', post('Transfer-Encoding: chunked', `2;${'x'.repeat(20_000)}\n{}\n0\n\n`)],
  ['a folded header', get('/x', 'X: a\n b\n')],
  ['line feeds alone', Buffer.from('GET /x HTTP/1.1\nHost: localhost\n\n')],
  ['a carriage return in a header', get('/x', 'X: a\rb\n')],
  ['a NUL in a header', get('/x', 'X: a\0b\n')],
  ['a space before the colon', get('/x', 'X : a\n')],
  ['a header without a name', get('/x', ': a\n')],
  ['a header without a colon', get('/x', 'X\n')],
  ['an unknown method', bytes('CAKE /x HTTP/1.1\nHost: localhost\n\n')],
  ['a method in lower case', bytes('get /x HTTP/1.1\nHost: localhost\n\n')],
  ['CONNECT', bytes('CONNECT localhost:443 HTTP/1.1\nHost: localhost\n\n')],
  ['rubbish', bytes('\x16\x03\x01 rubbish\n\n')],
]

test.each(UNREADABLE)('%s gets a signed 400 with the error envelope', async (_case, request) => {
  await expectRefusal(await sandbox.send(request), sandbox.keySet, '400/4000')
  await expectServed(await sandbox.send(get('/.well-known/jwks.json')), sandbox.keySet)
})

const BOTH = 'it has both Content-Length and Transfer-Encoding'

test.each([
  ['no Host', bytes('GET /x HTTP/1.1\n\n'), 'Host is missing'],
  ['a Host with a user', bytes('GET /x HTTP/1.1\nHost: a@localhost\n\n'), 'its Host is not a host name'],
  ['a Host with a space', bytes('GET /x HTTP/1.1\nHost: a b\n\n'), 'its Host is not a host name'],
  ['a Host with a path', bytes('GET /x HTTP/1.1\nHost: localhost/y\n\n'), 'its Host is not a host name'],
  ['a port that is none', bytes('GET /x HTTP/1.1\nHost: localhost:99999\n\n'), 'its Host is not a host name'],
  ['an asterisk', bytes('OPTIONS * HTTP/1.1\nHost: localhost\n\n'), 'its address does not begin with a slash'],
  ['a broken absolute target', get('https://[/x'), 'its Host is not a host name'],
  ['a length, then chunks', post('Content-Length: 2\nTransfer-Encoding: chunked', '0\n\n'), BOTH],
  ['chunks, then a length', post('Transfer-Encoding: chunked\nContent-Length: 2', '0\n\n'), BOTH],
  ['two lengths', post('Content-Length: 2\nContent-Length: 3', '{}'), 'it has more than one Content-Length'],
  ['a length of letters', post('Content-Length: two', '{}'), 'its Content-Length is no number or too large'],
  [
    'too large a length',
    post(`Content-Length: ${'9'.repeat(24)}`, '{}'),
    'its Content-Length is no number or too large',
  ],
  ['chunks in chunks', post('Transfer-Encoding: chunked, chunked', '0\n\n'), 'its Transfer-Encoding is not one'],
])('%s is refused with what is wrong', async (_case, request, fact) => {
  const { statusInfo } = await expectRefusal(await sandbox.send(request), sandbox.keySet, '400/4000')
  expect(statusInfo.message).toContain(`The request cannot be read as HTTP: ${fact}`)
})

test('D-67: a target of the maximum length is served, a longer one is refused with the limit', async () => {
  const answer = async (length: number, more = '') =>
    sandbox.send(get(`/.well-known/jwks.json?${'x'.repeat(length - '/.well-known/jwks.json?'.length)}`, more))
  await expectServed(await answer(8_192), sandbox.keySet)
  const tooLong = await expectRefusal(await answer(8_193), sandbox.keySet, '400/4000')
  expect(tooLong.statusInfo.message).toBe('The path with its query is longer than 8192 characters.')
  const tooMuch = await expectRefusal(await answer(8_192, `X: ${'x'.repeat(8_192)}\n`), sandbox.keySet, '400/4000')
  expect(tooMuch.statusInfo.message).toContain('longer than 16384 bytes')
})

test('a chunked body is refused, since it has no content length to sign', async () => {
  const chunked = post('Transfer-Encoding: chunked', '2\n{}\n0\n\n')
  await expectRefusal(await sandbox.send(chunked), sandbox.keySet, '400/4990')
})

test('a compressed body is refused with the cure, whatever is in it', async () => {
  const plain = withHeader(await sandbox.sign({ body: irisInitiateBody() }), 'Content-Encoding', 'identity')
  await expectServed(await sandbox.send(plain), sandbox.keySet)
  const zipped = gzipSync(JSON.stringify(irisInitiateBody()))
  for (const body of [zipped, JSON.stringify(irisInitiateBody())]) {
    const message = withHeader(await sandbox.sign({ body }), 'Content-Encoding', 'gzip')
    const { statusInfo } = await expectRefusal(await sandbox.send(message), sandbox.keySet, '400/4000')
    expect(statusInfo.message).toBe('Content-Encoding is gzip: send the body as it is, without Content-Encoding.')
  }
})

test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'GET'])(
  'the method %s on a path of another method is 404',
  async method => {
    const message = await sandbox.sign({ method, target: '/payments/initiate' })
    await expectRefusal(await sandbox.send(message), sandbox.keySet, '404/4000')
  },
)

test.each([
  '/',
  '/payments',
  '/payments/',
  '/payments/x/status/',
  '/PAYMENTS/x/status',
  '//payments/x/status',
  '/x?y#z',
])('the unknown path %s is 404', async target => {
  await expectRefusal(await sandbox.send(await sandbox.sign({ target })), sandbox.keySet, '404/4000')
})

test.each([
  ['GET', '/payments/initiate', 'There is no GET /payments/initiate: its method is POST.'],
  [
    'POST',
    '/payments/initate',
    'There is no POST /payments/initate: openapi.yaml, which the pages serve, lists the operations.',
  ],
])('%s %s is refused with its cure', async (method, target, sentence) => {
  const answer = await sandbox.send(await sandbox.sign({ method, target }))
  const { statusInfo } = await expectRefusal(answer, sandbox.keySet, '404/4000')
  expect(statusInfo.message).toBe(sentence)
})

test.each(['/payments/x/status', '/auth/token', '/.well-known/jwks.json', '/nowhere'])(
  'HEAD %s gets a signed response without a body',
  async target => {
    const answer = await sandbox.send(await sandbox.sign({ method: 'HEAD', target }), { head: true })
    expect(answer.status).toBe(target.includes('jwks') ? 200 : 404)
    expect(await signatureErrorOf(answer, sandbox.keySet)).toBeUndefined()
  },
)

test('a body of a million brackets is refused before it is parsed', async () => {
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const message = await sandbox.sign({ target: '/payments/initiate', method: 'POST', body: '['.repeat(1_000_000) })
  const { statusInfo } = await expectRefusal(await sandbox.send(message), sandbox.keySet, '400/4000')
  expect(statusInfo.message).toContain('nested deeper than 32 levels')
  expect(parse.mock.calls.filter(([parsed]) => parsed.length > 100_000)).toEqual([])
})

test('an invalid percent-encoding in an id is an unknown payment: 404', async () => {
  for (const id of ['%zz', '%', '%00', '%E0%A4%A', '%2e%2e%2f', '..%2f..', '%ff']) {
    const message = await sandbox.sign({ target: `/payments/${id}/status` })
    await expectRefusal(await sandbox.send(message), sandbox.keySet, '404/4001')
  }
})

test.each([
  ['Expect: 100-continue', 'Expect', '100-continue'],
  ['an unknown expectation', 'Expect', 'cake'],
  ['an upgrade to a web socket', 'Upgrade', 'websocket'],
  ['an upgrade to HTTP/2', 'Upgrade', 'h2c'],
  ['a header named __proto__', '__proto__', 'x'],
  ['a header named constructor', 'constructor', 'x'],
  ['a cookie', 'Cookie', 'a=b; c'],
])('%s does not affect the call', async (_case, name, value) => {
  const message = withHeader(await sandbox.sign({ body: irisInitiateBody() }), name, value)
  const answer = await sandbox.send(withHeader(message, 'Connection', 'Upgrade'))
  await expectServed(answer, sandbox.keySet)
})

test('pipelined requests get their responses in order', async () => {
  const orders = ['first', 'second', 'third']
  const messages = await Promise.all(
    orders.map(clientTransactionId => sandbox.sign({ body: irisInitiateBody({ clientTransactionId }) })),
  )
  const identity = identityOf(sandbox.demo.kit)
  const { answers } = await exchangeRaw(sandbox.apiPort, messages, { identity, answers: 3 })
  const bodies = await Promise.all(answers.map(answer => expectServed(answer, sandbox.keySet)))
  expect(bodies.map(({ clientTransactionId }) => clientTransactionId)).toEqual(orders)
})

test('garbage after a request does not affect its response', async () => {
  const said = Buffer.concat([
    serializeRequest(await sandbox.sign({ body: irisInitiateBody() })),
    Buffer.from('rubbish\r\n\r\n'),
  ])
  const { answers } = await exchangeRaw(sandbox.apiPort, said, { identity: identityOf(sandbox.demo.kit), answers: 2 })
  const [payment, rubbish] = answers
  if (!payment || !rubbish) throw new Error(`There are ${answers.length} answers instead of 2.`)
  await expectServed(payment, sandbox.keySet)
  await expectRefusal(rubbish, sandbox.keySet, '400/4000')
})

test('a client that reads only after sending garbage gets one 400', async () => {
  const socket = openConnection(sandbox.apiPort, { identity: identityOf(sandbox.demo.kit) }).pause()
  await new Promise((resolve, reject) =>
    socket.on('error', reject).write(Buffer.alloc(8_000_000, 'x'), () => resolve(undefined)),
  )
  const { answers, closed } = await readResponses(socket.resume(), { untilClosed: true })
  expect({ count: answers.length, closed }).toEqual({ count: 1, closed: true })
  for (const answer of answers) await expectRefusal(answer, sandbox.keySet, '400/4000')
})

test('a client that disconnected before the response gets it by a replay under its key', async () => {
  const key = 'gone-before-the-answer'
  const message = await sandbox.sign({ body: irisInitiateBody(), key })
  const socket = openConnection(sandbox.apiPort, { identity: identityOf(sandbox.demo.kit) })
  await new Promise<void>(resolve => socket.write(serializeRequest(message), () => resolve()))
  socket.destroy()
  const recorded = () => sandbox.simulator.controlPlane.journal.latest('demo-merchant', 5)
  await pollUntil(recorded, calls => calls.some(({ request }) => request.headers['idempotency-key'] === key))
  const answer = await sandbox.send(message)
  await expectServed(answer, sandbox.keySet)
  expect(answer.header('idempotency-replayed')).toBe('true')
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTransport, type Transport } from '../../contracts/client/transport.ts'
import { startStubServer } from './stub-server.ts'

let stub: Awaited<ReturnType<typeof startStubServer>>
let transport: Transport
const sockets = new Set<unknown>()

beforeAll(async () => {
  stub = await startStubServer((incoming, outgoing) => {
    sockets.add(incoming.socket)
    switch (incoming.url) {
      case '/endless':
        outgoing.on('drain', () => outgoing.write(Buffer.alloc(65_536)))
        return void outgoing.write(Buffer.alloc(65_536))
      case '/silent':
        return
      case '/dribble':
        return void outgoing.write('{')
      case '/drop':
        return void incoming.socket.destroy()
      case '/away':
        return void outgoing.writeHead(302, { location: '/' }).end()
      default:
        outgoing.setHeader('x-twice', ['one', 'two'])
        return void incoming.pipe(outgoing)
    }
  })
  transport = createTransport({ ca: stub.ca, timeoutMs: 300, maxResponseBytes: 1_000_000 })
})

afterAll(async () => {
  transport.close()
  await stub.stop()
})

const get = (path: string) => transport.exchange({ method: 'GET', url: `${stub.url}${path}`, headers: {} })

test('an exchange holds request and response byte for byte', async () => {
  const body = Buffer.from('{"a": "ż"}')
  const request = { method: 'POST', url: `${stub.url}/echo?x=1`, headers: { 'content-type': 'text/plain' }, body }
  const exchange = await transport.exchange(request)
  expect(exchange.request).toEqual(request)
  expect(exchange.response).toMatchObject({ status: 200, headers: { 'x-twice': 'one, two' } })
  expect(exchange.response?.body.equals(body)).toBe(true)
  expect(exchange.tls).toBe('TLSv1.3')
  expect(exchange.durationMs).toBeGreaterThan(0)
})

test('one connection serves successive calls', async () => {
  sockets.clear()
  for (const _call of [1, 2, 3]) await get('/')
  expect(sockets.size).toBeLessThanOrEqual(1)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['/endless', 'ANSWER_TOO_LONG'],
  ['/silent',  'TIMEOUT'],
  ['/dribble', 'TIMEOUT'],
  ['/drop',    'ECONNRESET'],
])('%s gives the fault %s and no response', async (path, code) => {
  const { response, transportError } = await get(path)
  expect(response).toBeUndefined()
  expect(transportError?.code).toBe(code)
})

test('a redirect is returned and not followed', async () => {
  expect((await get('/away')).response?.status).toBe(302)
})

test('a server with an untrusted certificate gets no request', async () => {
  const untrusted = await startStubServer((_incoming, outgoing) => void outgoing.end('secret'))
  const exchange = await transport.exchange({ method: 'GET', url: untrusted.url, headers: {} })
  await untrusted.stop()
  expect(exchange.response).toBeUndefined()
  expect(exchange.transportError?.code).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
})

test('an unreachable server is a fault', async () => {
  const gone = await startStubServer(() => undefined)
  await gone.stop()
  const exchange = await transport.exchange({ method: 'GET', url: gone.url, headers: {} })
  expect(exchange.transportError?.code).toBe('ECONNREFUSED')
})

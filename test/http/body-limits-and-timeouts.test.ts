import { request } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen as listenHttp } from '../../simulator/http/listen.ts'
import { expectRefusal, expectServed } from '../support/api-response-checks.ts'
import { type RawRequest, serializeRequest, withHeader } from '../support/create-signed-raw-request.ts'
import { exchangeRaw, openConnection, readResponses } from '../support/raw-http.ts'
import { identityOf, irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

const LIMIT = 1_048_576
const ANY_PORT = { host: '127.0.0.1', port: 0, option: 'api-port', bodyLimit: LIMIT }

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox()
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

/** Signed initiate request padded with spaces to a body length. */
const ofLength = (length: number): Promise<RawRequest> => {
  const text = JSON.stringify(irisInitiateBody())
  return sandbox.sign({ body: `${text}${' '.repeat(length - text.length)}` })
}

const connect = (): Socket => openConnection(sandbox.apiPort, { identity: identityOf(sandbox.demo.kit) })

const write = (socket: Socket, bytes: Buffer): Promise<unknown> =>
  new Promise((resolve, reject) => socket.write(bytes, error => (error ? reject(error) : resolve(undefined))))

test('a body at the limit is served, one byte more is 413', async () => {
  await expectServed(await sandbox.send(await ofLength(LIMIT)), sandbox.keySet)
  const { answers, closed } = await exchangeRaw(sandbox.apiPort, await ofLength(LIMIT + 1), {
    identity: identityOf(sandbox.demo.kit),
    untilClosed: true,
  })
  expect(closed).toBe(true)
  for (const answer of answers) await expectRefusal(answer, sandbox.keySet, '413/4130')
  expect(answers).toHaveLength(1)
})

test.each(['Content-Encoding', 'Content-Language'])('D-61: %s sent twice is refused', async name => {
  const message = withHeader(await sandbox.sign({ body: irisInitiateBody() }), name, 'gzip', 'br')
  await expectRefusal(await sandbox.send(message), sandbox.keySet, '400/4000')
})

test('a client that reads only after sending gets the 413', async () => {
  const socket = connect().pause()
  await write(socket, serializeRequest(await ofLength(8 * LIMIT)))
  const [answer] = (await readResponses(socket.resume())).answers
  if (!answer) throw new Error('There is no answer.')
  await expectRefusal(answer, sandbox.keySet, '413/4130')
})

test('an endless body is cut off', async () => {
  const socket = connect()
  socket.write('POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n')
  const chunk = Buffer.alloc(LIMIT)
  const heard = readResponses(socket, { untilClosed: true })
  let written = 0
  while (!socket.destroyed && written < 200 * LIMIT) {
    await write(socket, chunk).catch(() => socket.destroy())
    written += LIMIT
  }
  const { answers, closed } = await heard
  expect(closed).toBe(true)
  expect(written).toBeLessThan(100 * LIMIT)
  for (const answer of answers) await expectRefusal(answer, sandbox.keySet, '413/4130')
})

test('a body sent in small pieces is served', async () => {
  const socket = connect()
  const bytes = serializeRequest(await sandbox.sign({ body: irisInitiateBody() }))
  for (const octet of bytes.subarray(0, 200)) await write(socket, Buffer.from([octet]))
  for (let at = 200; at < bytes.length; at += 7) await write(socket, bytes.subarray(at, at + 7))
  const [answer] = (await readResponses(socket)).answers
  if (!answer) throw new Error('There is no answer.')
  await expectServed(answer, sandbox.keySet)
})

test('a client that disconnects within its body leaves no journal entry', async () => {
  const sockets = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const bytes = serializeRequest(await sandbox.sign({ body: irisInitiateBody() }))
      const socket = connect()
      await write(socket, bytes.subarray(0, bytes.length - 20))
      return socket
    }),
  )
  for (const socket of sockets) socket.destroy()
  await expectServed(await sandbox.send(await sandbox.sign({ body: irisInitiateBody() })), sandbox.keySet)
  await expect.poll(() => sandbox.simulator.controlPlane.journal.latest('demo-merchant', 100).length).toBeLessThan(10)
})

test('bytes after the content length are parsed as the next request', async () => {
  const message = await sandbox.sign({ body: irisInitiateBody() })
  const said = Buffer.concat([serializeRequest(message), Buffer.from(' and more\r\n\r\n')])
  const { answers } = await exchangeRaw(sandbox.apiPort, said, { identity: identityOf(sandbox.demo.kit), answers: 2 })
  expect(answers.map(({ status }) => status)).toEqual([200, 400])
})

test.each([
  ['headers that stop', 'GET /x HTTP/1.1\r\nHost: loc'],
  ['a body that stops', 'POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc'],
  ['a connection that says nothing', ''],
])('%s: the request times out with a response and the connection is closed', async (_case, said) => {
  const codes: string[] = []
  const server = await listenHttp({ ...ANY_PORT, timeoutMilliseconds: 200 })
  server.serve({
    onRequest: (_incoming, outgoing) => outgoing.end(),
    onMalformedHttp: (socket, code) => {
      codes.push(code)
      socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')
    },
  })
  try {
    const { answers, closed } = await exchangeRaw(server.port, Buffer.from(said), { plain: true, untilClosed: true })
    expect({ statuses: answers.map(({ status }) => status), closed, codes }).toEqual({
      statuses: [400],
      closed: true,
      codes: ['ERR_HTTP_REQUEST_TIMEOUT'],
    })
  } finally {
    await server.close()
  }
})

test('a request that arrives while the simulator starts waits until it can be served', async () => {
  const server = await listenHttp(ANY_PORT)
  try {
    const exchange = exchangeRaw(server.port, Buffer.from('GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n'), {
      plain: true,
    })
    await setTimeout(100)
    server.serve({ onRequest: (_incoming, outgoing) => outgoing.writeHead(204).end() })
    expect((await exchange).answers.map(({ status }) => status)).toEqual([204])
  } finally {
    await server.close()
  }
})

test('closing the server ends idle connections and finishes calls in progress', async () => {
  let answerNow = () => {}
  const arrived = new Promise<void>(resolve => {
    answerNow = resolve
  })
  let finish = () => {}
  const server = await listenHttp(ANY_PORT)
  server.serve({
    onRequest: (_incoming, outgoing) => {
      finish = () => outgoing.end('done')
      answerNow()
    },
  })
  const [silent, begun] = [openConnection(server.port, { plain: true }), openConnection(server.port, { plain: true })]
  for (const socket of [silent, begun]) socket.on('error', () => {})
  await write(begun, Buffer.from('POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc'))
  const answer = new Promise<number | undefined>((resolve, reject) => {
    const call = request({ port: server.port, host: '127.0.0.1' }, response => resolve(response.statusCode))
    call.on('error', reject).end()
  })
  await arrived
  const closed = server.close()
  finish()
  expect(await answer).toBe(200)
  await closed
})

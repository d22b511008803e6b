import { request } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen as listenHttp } from '../../simulator/http/listen.ts'
import { expectRefusal, expectServed } from './judge.ts'
import { type Message, render } from './message.ts'
import { identityOf, irisPayment, openSandbox, type Sandbox } from './sandbox.ts'
import { listen, open, talk } from './talk.ts'

const LIMIT = 1_048_576

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await openSandbox()
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

/** A payment blown up by blanks to a body of this length. */
const ofLength = (length: number): Promise<Message> => {
  const text = JSON.stringify(irisPayment())
  return sandbox.sign({ body: `${text}${' '.repeat(length - text.length)}` })
}

const connect = (): Socket => open(sandbox.apiPort, { identity: identityOf(sandbox.demo.kit) })

const write = (socket: Socket, bytes: Buffer): Promise<unknown> =>
  new Promise((resolve, reject) => socket.write(bytes, error => (error ? reject(error) : resolve(undefined))))

test('a body at the limit is served, one octet more is too large', async () => {
  await expectServed(await sandbox.send(await ofLength(LIMIT)), sandbox.keySet)
  const { answers, closed } = await talk(sandbox.apiPort, await ofLength(LIMIT + 1), {
    identity: identityOf(sandbox.demo.kit),
    untilClosed: true,
  })
  expect(closed).toBe(true)
  for (const answer of answers) await expectRefusal(answer, sandbox.keySet, '413/4130')
  expect(answers).toHaveLength(1)
})

test('a client that listens only when it has spoken hears that its body was too large', async () => {
  const socket = connect().pause()
  await write(socket, render(await ofLength(8 * LIMIT)))
  const [answer] = (await listen(socket.resume())).answers
  if (!answer) throw new Error('There is no answer.')
  await expectRefusal(answer, sandbox.keySet, '413/4130')
})

test('a body without an end is cut off with an answer, and never held', async () => {
  const socket = connect()
  socket.write('POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n')
  const before = process.memoryUsage().arrayBuffers
  const chunk = Buffer.alloc(LIMIT)
  const heard = listen(socket, { untilClosed: true })
  let written = 0
  while (!socket.destroyed && written < 200 * LIMIT) {
    await write(socket, chunk).catch(() => socket.destroy())
    written += LIMIT
  }
  const { answers, closed } = await heard
  expect(closed).toBe(true)
  expect(written).toBeLessThan(100 * LIMIT)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * LIMIT)
  for (const answer of answers) await expectRefusal(answer, sandbox.keySet, '413/4130')
})

test('a body that comes octet by octet is the same body', async () => {
  const socket = connect()
  const bytes = render(await sandbox.sign({ body: irisPayment() }))
  for (const octet of bytes.subarray(0, 200)) await write(socket, Buffer.from([octet]))
  for (let at = 200; at < bytes.length; at += 7) await write(socket, bytes.subarray(at, at + 7))
  const [answer] = (await listen(socket)).answers
  if (!answer) throw new Error('There is no answer.')
  await expectServed(answer, sandbox.keySet)
})

test('a client that goes away within its body leaves nothing behind', async () => {
  const sockets = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const bytes = render(await sandbox.sign({ body: irisPayment() }))
      const socket = connect()
      await write(socket, bytes.subarray(0, bytes.length - 20))
      return socket
    }),
  )
  for (const socket of sockets) socket.destroy()
  await expectServed(await sandbox.send(await sandbox.sign({ body: irisPayment() })), sandbox.keySet)
  await expect.poll(() => sandbox.simulator.operator.journal('demo-merchant', 100).length).toBeLessThan(10)
})

test('more octets than the length says are the next request', async () => {
  const message = await sandbox.sign({ body: irisPayment() })
  const said = Buffer.concat([render(message), Buffer.from(' and more\r\n\r\n')])
  const { answers } = await talk(sandbox.apiPort, said, { identity: identityOf(sandbox.demo.kit), answers: 2 })
  expect(answers.map(({ status }) => status)).toEqual([200, 400])
})

test.each([
  ['headers that stop', 'GET /x HTTP/1.1\r\nHost: loc'],
  ['a body that stops', 'POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc'],
  ['a connection that says nothing', ''],
])('%s: patience ends, the client is told so and let go', async (_case, said) => {
  const codes: string[] = []
  const server = await listenHttp((_incoming, outgoing) => outgoing.end(), {
    host: '127.0.0.1',
    port: 0,
    option: 'api-port',
    bodyLimit: LIMIT,
    patience: 200,
    onUnreadable: (socket, code) => {
      codes.push(code)
      socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')
    },
  })
  try {
    const { answers, closed } = await talk(server.port, Buffer.from(said), { plain: true, untilClosed: true })
    expect({ statuses: answers.map(({ status }) => status), closed, codes }).toEqual({
      statuses: [400],
      closed: true,
      codes: ['ERR_HTTP_REQUEST_TIMEOUT'],
    })
  } finally {
    await server.close()
  }
})

test('a server closes over connections that only stand open, and finishes the calls under way', async () => {
  let answerNow = () => {}
  const arrived = new Promise<void>(resolve => {
    answerNow = resolve
  })
  let finish = () => {}
  const server = await listenHttp(
    (_incoming, outgoing) => {
      finish = () => outgoing.end('done')
      answerNow()
    },
    { host: '127.0.0.1', port: 0, option: 'api-port', bodyLimit: LIMIT },
  )
  const [silent, begun] = [open(server.port, { plain: true }), open(server.port, { plain: true })]
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

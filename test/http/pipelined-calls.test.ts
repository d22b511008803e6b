import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createEventLoopTurns } from '../../simulator/http/event-loop-turns.ts'
import { listen } from '../../simulator/http/listen.ts'
import {
  createPipelinedRequestQueue,
  markJustSecured,
  markKnown,
} from '../../simulator/http/pipelined-request-queue.ts'
import { pollUntil } from '../support/poll-until.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const CALLS = 3_000

/** A server whose calls wait until they are let go, and a connection to it that has pipelined many. */
const withPipelinedCalls = async (text = 'GET /NTH HTTP/1.1\r\nHost: x\r\n\r\n') => {
  const server = await listen({ host: '127.0.0.1', port: 0, option: 'pages-port', bodyLimit: 1_000 })
  const started: { incoming: IncomingMessage & { rawBody?: Buffer }; outgoing: ServerResponse }[] = []
  server.serve({
    onRequest: (incoming, outgoing) => started.push({ incoming, outgoing }),
  })
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(async () => {
    for (const { outgoing } of started) outgoing.destroy()
    socket.destroy()
    await server.close()
  })
  await once(socket, 'connect')
  socket.write(Array.from({ length: CALLS }, (_, nth) => text.replace('NTH', String(nth))).join(''))
  await pollUntil(
    () => started.length,
    count => count > 0,
  )
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
  return { started, socket }
}

test('a connection has one call in progress, and each of its calls is answered in order', async () => {
  const { started, socket } = await withPipelinedCalls()
  expect(started).toHaveLength(1)
  let heard = ''
  socket.on('data', bytes => {
    heard += bytes
  })
  for (let nth = 0; nth < CALLS; nth += 1) {
    while (started.length <= nth) await nextTurn()
    expect(started).toHaveLength(nth + 1)
    started[nth]?.outgoing.end(started[nth]?.incoming.url)
  }
  await pollUntil(
    () => heard,
    text => text.includes(`/${CALLS - 1}`),
  )
  expect([...heard.matchAll(/^\/(\d+)/gm)].map(([, nth]) => Number(nth))).toEqual([...Array(CALLS).keys()])
})

test('of the bytes that have arrived, only a few are made into requests that wait', async () => {
  let made = 0
  const count = (): void => {
    made += 1
  }
  subscribe('http.server.request.start', count)
  await withPipelinedCalls()
  unsubscribe('http.server.request.start', count)
  expect(made).toBeLessThan(60)
})

test('of what a client with a certificate has sent, a few hundred requests are made at most', async () => {
  const { kit } = await startScopedSimulator()
  const identity = { key: kit.privateKey, cert: kit.certificate, ca: kit.ca }
  const tls = { ...identity, requestCert: true, rejectUnauthorized: false, isKnownClient: () => true }
  const server = await listen({ host: '127.0.0.1', port: 0, option: 'api-port', bodyLimit: 1_000, tls })
  const started: ServerResponse[] = []
  server.serve({ onRequest: (_, outgoing) => started.push(outgoing) })
  const socket = connectTls({ ...identity, host: '127.0.0.1', port: server.port, rejectUnauthorized: false })
  socket.on('error', () => undefined)
  let made = 0
  const count = (): void => {
    made += 1
  }
  onTestFinished(async () => {
    unsubscribe('http.server.request.start', count)
    for (const outgoing of started) outgoing.destroy()
    socket.destroy()
    await server.close()
  })
  await once(socket, 'secureConnect')
  subscribe('http.server.request.start', count)
  socket.write('GET /x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(40_000))
  await pollUntil(
    () => started.length,
    length => length > 0,
  )
  for (let turn = 0; turn < 500; turn += 1) await nextTurn()
  expect(started).toHaveLength(1)
  expect(made).toBeLessThan(3_000)
})

test('calls that wait on a connection that closes are dropped', async () => {
  const { started, socket } = await withPipelinedCalls()
  const closed = once(started[0]?.outgoing as ServerResponse, 'close')
  socket.destroy()
  await closed
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
  expect(started).toHaveLength(1)
})

test('the bodies of pipelined calls are their own, however they are cut', async () => {
  const body = 'x'.repeat(900)
  const { started, socket } = await withPipelinedCalls(
    `POST /NTH HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n${body}`,
  )
  socket.resume()
  for (let nth = 0; nth < 300; nth += 1) {
    while (started.length <= nth) await nextTurn()
    expect([started[nth]?.incoming.url, String(started[nth]?.incoming.rawBody)]).toEqual([`/${nth}`, body])
    started[nth]?.outgoing.end()
  }
})

test('a body in chunks of one byte is read a little in each turn, and is whole, also where its sender ends', async () => {
  const server = await listen({ host: '127.0.0.1', port: 0, option: 'pages-port', bodyLimit: 20_000 })
  let body: Buffer | undefined
  let turns = 0
  server.serve({
    onRequest: (incoming: IncomingMessage & { rawBody?: Buffer }, outgoing) => {
      body = incoming.rawBody
      outgoing.end()
    },
  })
  const socket = connect(server.port, '127.0.0.1').resume()
  onTestFinished(async () => {
    socket.destroy()
    await server.close()
  })
  await once(socket, 'connect')
  const text = Array.from({ length: 10_000 }, (_, at) => String(at % 10))
  const chunks = text.map(letter => `1\r\n${letter}\r\n`).join('')
  socket.end(`POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)
  for (; !body; turns += 1) await nextTurn()
  expect(body.toString()).toBe(text.join(''))
  expect(turns).toBeGreaterThanOrEqual(6)
})

/** A queue of turns on a virtual stopwatch, work that takes some of its milliseconds, and the names of what was done. */
const turnsOnVirtualTime = () => {
  let milliseconds = 0
  const takeTurn = createEventLoopTurns(() => {
    const began = milliseconds
    return () => milliseconds - began
  })
  const done: string[] = []
  const work = (name: string, cost: number): void => {
    done.push(name)
    milliseconds += cost
  }
  return { takeTurn, work, done }
}

test('each turn of the event loop works until its time is over, first come first served', async () => {
  const { takeTurn, work, done } = turnsOnVirtualTime()
  const takeTurnFor = (name: string, cost: number) => takeTurn(() => work(name, cost))
  for (const name of ['a', 'b', 'c']) takeTurnFor(name, 0)
  expect(done).toEqual([])
  await nextTurn()
  expect(done).toEqual(['a', 'b', 'c'])
  for (const name of ['d', 'e', 'f']) takeTurnFor(name, 5)
  for (let turn = 1; turn <= 3; turn += 1) {
    await nextTurn()
    expect(done.length).toBeLessThanOrEqual(3 + turn)
  }
  await nextTurn()
  expect(done.join('')).toBe('abcdef')
})

test('work that queues more work at once waits behind what was queued before it', async () => {
  const { takeTurn, work, done } = turnsOnVirtualTime()
  const takeTurnAgain = (name: string): void =>
    takeTurn(() => {
      work(name, 5)
      takeTurnAgain(name)
    })
  for (const name of ['a', 'b', 'c']) takeTurnAgain(name)
  while (done.length < 9) await nextTurn()
  expect(done.join('')).toBe('abcabcabc')
})

test('a client whose certificate was verified does not wait behind strangers', async () => {
  const waiting: (() => void)[] = []
  const enqueue = createPipelinedRequestQueue(act => void waiting.push(act))
  const started: string[] = []
  const call = (socket: object, name: string) => {
    const outgoing = Object.assign(new EventEmitter(), { req: { socket } })
    enqueue(outgoing as unknown as ServerResponse, () => void started.push(name))
    return outgoing
  }
  const known = {}
  markKnown(known as Socket)
  const first = call(known, 'first')
  call(known, 'second')
  call({}, 'stranger')
  expect(started).toEqual(['first'])
  first.emit('close')
  await nextTurn()
  expect(started).toEqual(['first', 'second'])
  for (const act of waiting) act()
  expect(started).toEqual(['first', 'second', 'stranger'])
})

test('a call that came with the last message of a TLS handshake starts at once, and one in a later turn waits', async () => {
  const waiting: (() => void)[] = []
  const enqueue = createPipelinedRequestQueue(act => void waiting.push(act))
  const sockets = [{}, {}] as [Socket, Socket]
  const started: Socket[] = []
  const call = (socket: Socket) =>
    enqueue(
      Object.assign(new EventEmitter(), { req: { socket } }) as unknown as ServerResponse,
      () => void started.push(socket),
    )
  for (const socket of sockets) markJustSecured(socket)
  call(sockets[0])
  await nextTurn()
  call(sockets[1])
  expect(started).toEqual([sockets[0]])
  expect(waiting).toHaveLength(1)
})

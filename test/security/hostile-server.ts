import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { startStubServer } from '../client/stub-server.ts'

/** Answers the nth call of a hostile deployment. */
type Misbehaviour = (outgoing: ServerResponse, socket: Socket, nth: number) => void

const JSON_TYPE = { 'content-type': 'application/json' }

/** A token response with further members, so that the calls after it are answered too. */
const token = (nth: number, more: object = {}): string =>
  JSON.stringify({
    access_token: `token-${nth}-`.padEnd(40, 'x'),
    expires_in: 7200,
    refresh_expires_in: 0,
    token_type: 'Bearer',
    scope: 'payments:read payments:process data:reports',
    ...more,
  })

const json =
  (bodyOf: (nth: number) => string | Buffer, headers: Record<string, string> = {}): Misbehaviour =>
  (outgoing, _socket, nth) =>
    void outgoing.writeHead(200, { ...JSON_TYPE, ...headers }).end(bodyOf(nth))

/** Writes these bytes instead of a response. */
const bytes =
  (textOf: (nth: number) => string): Misbehaviour =>
  (_outgoing, socket, nth) =>
    void socket.write(textOf(nth))

/** Sends a byte of a header each while, and never the last one. */
const drip: Misbehaviour = (_outgoing, socket) => {
  socket.write('HTTP/1.1 200 OK\r\nx-drip: ')
  const dripping = setInterval(() => socket.write('x'), 100)
  socket.once('close', () => clearInterval(dripping))
}

const SECRETS = 20_000
const whole = (nth: number): string => {
  const body = token(nth)
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}
const ZEROS = gzipSync(Buffer.alloc(64 * 1024 * 1024))

/** What a deployment may do to whoever judges it. */
// biome-ignore format: a table reads by its columns
export const MISBEHAVIOURS: Readonly<Record<string, Misbehaviour>> = {
  'names 20,000 secrets':                   json(nth => token(nth, { list: Array.from({ length: SECRETS }, (_, at) => ({ secret: `${nth}-${at}-`.padEnd(24, 'x') })) })),
  'answers with 4 MiB':                     json(nth => token(nth, { more: 'x'.repeat(4 * 1024 * 1024 - 500) })),
  'answers with zeros after JSON':          json(nth => Buffer.concat([Buffer.from(token(nth)), Buffer.alloc(60_000)])),
  'answers with 20,000 members':            json(nth => token(nth, Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`m${at}`, at])))),
  'nests its JSON 30,000 deep':             json(nth => `${token(nth).slice(0, -1)},"more":${'['.repeat(30_000)}${']'.repeat(30_000)}}`),
  'opens two million brackets':             json(() => '['.repeat(2_000_000)),
  'sends 1,500 headers':                    json(token, Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`x-${at}`, 'y']))),
  'sends a gzip bomb':                      json(() => ZEROS, { 'content-encoding': 'gzip' }),
  'writes to the terminal':                 json(nth => token(nth, { statusInfo: { reasonCode: '\u001b]0;owned\u0007', message: '##vso[x]\n::error::\u202e' } })),
  'sends more than it says':                bytes(nth => `${whole(nth)}${'x'.repeat(100_000)}`),
  'answers a call twice':                   bytes(nth => `${whole(nth)}${whole(nth)}`),
  'says two lengths':                       bytes(nth => whole(nth).replace('content-length', 'content-length: 5\r\ncontent-length')),
  'goes on for ever':                       bytes(() => 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(5_000)),
  'switches protocols':                     bytes(() => 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
  'sends endless chunk extensions':         bytes(() => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(100_000)}`),
  'gives tokens that no header carries':   json(nth => token(nth, { access_token: 'a\u001b[31m\n##vso[x]' })),
  'drips for ever':                         drip,
  'never answers':                          () => undefined,
  'redirects to itself':                    outgoing => void outgoing.writeHead(307, { location: '/' }).end(),
  'stops at the nth byte of its nth answer': bytes(nth => whole(nth).slice(0, (nth * 7) % (whole(nth).length + 20))),
}

/**
 * Starts a hostile deployment for security tests, which gives its key set first, if it is nice then, and only misbehaves
 * afterwards; `calls` counts what it was asked.
 */
export const startHostileServer = async (misbehave: Misbehaviour | undefined, isNiceFirst = true) => {
  const told = { calls: 0 }
  const stub = await startStubServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    told.calls += 1
    if (told.calls === 1 && isNiceFirst) return void outgoing.writeHead(200, JSON_TYPE).end('{"keys":[]}')
    misbehave?.(outgoing, incoming.socket, told.calls)
  })
  return { ...stub, told }
}

/**
 * Starts a TCP proxy for security tests that forwards only the first bytes of what a server sends on each connection,
 * then nothing.
 */
export const startSilencedServer = async (port: number, bytesPassed: number) => {
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const service = connect(port, 'localhost')
    for (const socket of [client, service]) sockets.add(socket.on('error', () => undefined))
    let left = bytesPassed
    client.pipe(service)
    service.on('data', piece => {
      client.write(piece.subarray(0, left))
      left = Math.max(0, left - piece.length)
    })
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

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { StartError } from '../support/start-error.ts'
import type { ApiTlsOptions } from './api-tls-options.ts'
import { type CollectedRequest, collectBody } from './collect-body.ts'
import { addReadingGate } from './connection-reading-gate.ts'
import { createEventLoopTurns, type TakeTurn } from './event-loop-turns.ts'
import { createPipelinedRequestQueue, markJustSecured, markKnown } from './pipelined-request-queue.ts'
import { splitTlsConnections } from './split-tls-connections.ts'
import { type TrackedConnections, trackConnections } from './track-connections.ts'

/** A request that the HTTP parser rejected, as far as it is known: all but its body, or its first line. */
export type MalformedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>

/** Functions that an HTTP server calls with its requests, well-formed or malformed. */
export type RequestHandlers = {
  /** Called with every request once its body has been read. */
  onRequest(incoming: IncomingMessage, outgoing: ServerResponse): unknown
  /** Sends the response when the HTTP parser rejects the bytes before there is a request; by default a bare 400. */
  onMalformedHttp?(socket: Socket, code: string, incoming?: MalformedRequest): void
}

/** An HTTP server of the simulator whose port is open; its requests wait until `serve` gives it the handlers. */
export type OpenServer = {
  port: number
  serve(handlers: RequestHandlers): void
  /** Serves a connection that another port accepted. */
  accept(socket: Socket): void
  /** Uses other TLS settings from the next handshake on. */
  setTls(tls: ApiTlsOptions): void
  close(): Promise<void>
}

type ListenOptions = {
  host: string
  port: number
  /** Name of the option that chose the port, for the error message when the port is taken. */
  option: string
  /** Largest request body to read, in bytes. */
  bodyLimit: number | ((incoming: IncomingMessage) => number)
  tls?: ApiTlsOptions
  /** Receives the connections to a port of plain HTTP that begin with TLS; without it they are malformed HTTP. */
  onTls?: (socket: Socket) => void
  /** The turns in which calls of strangers start, shared with other ports; its own where left out. */
  takeTurn?: TakeTurn
  /** Timeout in milliseconds of a TLS handshake, of a request, of a response that nobody reads, and of keep-alive. */
  timeoutMilliseconds?: number
}

const REQUEST_TIMEOUT = 30_000
/** Limit of request line and headers together, in bytes (D-67). */
export const MAX_HEADER_BYTES = 16_384
/** Milliseconds that the connection of a rejected request stays open, so that the client can read the response. */
const LINGER = 2_000

/** Creates an HTTP or HTTPS server and opens its port; its requests wait until it is given their handlers. */
export const listen = async (options: ListenOptions): Promise<OpenServer> => {
  const server = createHttpServer(options)
  const connections = trackConnections(server)
  const { promise: handlers, resolve: serve } = Promise.withResolvers<RequestHandlers>()
  handleRequests(server, connections, handlers, options)
  const { onTls, timeoutMilliseconds = REQUEST_TIMEOUT } = options
  const endUndecided = onTls && splitTlsConnections(server, onTls, timeoutMilliseconds)
  await openPort(server, options)
  return {
    port: (server.address() as AddressInfo).port,
    serve,
    accept: socket => void server.emit('connection', socket),
    setTls: tls => (server as SecureServer).setSecureContext(tls),
    close: () => {
      endUndecided?.()
      return connections.close()
    },
  }
}

const createHttpServer = ({ tls, timeoutMilliseconds: timeout = REQUEST_TIMEOUT }: ListenOptions): Server => {
  const limits = {
    requestTimeout: timeout,
    headersTimeout: timeout,
    keepAliveTimeout: timeout,
    connectionsCheckingInterval: timeout / 10,
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false, // the API refuses its absence with its own error body
  }
  if (!tls) return createServer(limits).on('connection', addReadingGate)
  return createSecureServer({ ...limits, handshakeTimeout: timeout, ...tls }).on('secureConnection', socket => {
    markJustSecured(socket)
    if (tls.isKnownClient(socket)) markKnown(socket)
    else addReadingGate(socket)
  })
}

/** Passes each request with its body, and each malformed one, to the handlers. */
const handleRequests = (
  server: Server,
  connections: TrackedConnections,
  handlers: Promise<RequestHandlers>,
  { bodyLimit, takeTurn = createEventLoopTurns(), timeoutMilliseconds = REQUEST_TIMEOUT }: ListenOptions,
): void => {
  const enqueue = createPipelinedRequestQueue(takeTurn)
  const limitOf = typeof bodyLimit === 'number' ? () => bodyLimit : bodyLimit
  const refused = new WeakSet<Socket>()
  const refuse = (socket: Socket, code: string, incoming?: MalformedRequest) => {
    refused.add(socket)
    connections.afterAnswers(socket, async () => {
      setTimeout(() => socket.destroy(), LINGER).unref()
      const { onMalformedHttp = sendBadRequest } = await handlers
      onMalformedHttp(socket, code, incoming)
    })
  }
  const collect = (incoming: CollectedRequest, outgoing: ServerResponse) => {
    if (refused.has(incoming.socket)) return // requests after a rejected one are ignored
    const fault = framingFault(incoming)
    if (fault) return refuse(incoming.socket, fault, incoming)
    connections.begin(outgoing)
    outgoing.setTimeout(timeoutMilliseconds, endUnread)
    incoming.reset = connections.reset
    enqueue(outgoing, () =>
      collectBody(incoming, limitOf(incoming), async () => (await handlers).onRequest(incoming, outgoing)),
    )
  }
  server.on('request', collect).on('checkExpectation', collect)
  server.on('connect', (incoming, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    refuse(socket, 'CONNECT', incoming)
  })
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (refused.has(socket)) return
    if (error.code === 'ERR_SSL_HTTP_REQUEST') sayThatItIsTls(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else refuse(socket, codeOf(error), firstLineOf(error.rawPacket))
  })
}

/** Ends the connection of a response of which nobody has read anything for long; one that waits for its data goes on. */
function endUnread(this: ServerResponse): void {
  if (this.socket && this.socket.writableLength > 0) this.socket.destroy()
}

type ParserError = NodeJS.ErrnoException & { reason?: string; rawPacket?: Buffer }

/** The parser has no code for a length together with an encoding: only its reason tells them from an invalid one. */
const codeOf = ({ code = '', reason = '' }: ParserError): string =>
  / present with /.test(reason) ? 'LENGTH_AND_ENCODING' : code

/** The method and the target of bytes that the parser rejected, where they begin with a request line. */
const firstLineOf = (bytes: Buffer | undefined): MalformedRequest | undefined => {
  const line = bytes?.toString('latin1', 0, MAX_HEADER_BYTES)
  const [, method, url] = /^([A-Z]+) (\S+) HTTP\//.exec(line ?? '') ?? []
  return method && url ? { method, url, headers: {}, rawHeaders: [] } : undefined
}

/**
 * Error code of a request that Node's parser accepts and a proxy may read differently (RFC 9112 2.3, 3.2.1, 6.1):
 * an unknown HTTP version, a path that normalizes to another one and so evades a proxy's rules, or an ambiguous
 * Transfer-Encoding (request smuggling).
 */
const framingFault = ({ httpVersion, headers, url = '' }: IncomingMessage): string | undefined => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'HPE_INVALID_VERSION'
  if (LEADS_ELSEWHERE.test(url)) return 'LEADS_ELSEWHERE'
  const encoding = headers['transfer-encoding']
  const isRead = encoding === undefined || (httpVersion === '1.1' && /^chunked$/i.test(encoding))
  return isRead ? undefined : 'HPE_INVALID_TRANSFER_ENCODING'
}

/** A path with a dot segment (encoded or not), a backslash, a fragment or a percent-encoded letter, digit, - or _. */
const LEADS_ELSEWHERE = /^[^?]*(?:\/(?:\.|%2e){1,2}(?:[/?]|$)|[\\#]|%(?:2d|3\d|[46][1-9a-f]|[57][\da]|5f))/i

const sendBadRequest = (socket: Socket): void =>
  void socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')

const TLS_ONLY = 'This port takes HTTPS only: call it by https:// in place of http://.\n'

/** Answers plain HTTP on a port of TLS. Only Node's own field leads to the connection beneath; without it, it just ends. */
const sayThatItIsTls = (socket: Socket & { _parent?: Socket }): void =>
  void socket._parent?.write(
    `HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${TLS_ONLY.length}\r\n\r\n${TLS_ONLY}`,
  )

const openPort = (server: Server, { host, port, option }: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, host, port, option)))
    server.listen(port, host, resolve)
  })

/** Converts an error of opening a port: a StartError that names the option to change, or the error itself. */
export const toListenError = (error: NodeJS.ErrnoException, host: string, port: number, option: string): Error => {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} is taken: stop what uses it or choose another --${option} (0 picks a free one).`,
      )
    case 'EACCES':
      return new StartError(`Port ${port} may not be used by this user: choose another --${option}.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(`${host} is no address of this machine: choose another --host.`)
    default:
      return error
  }
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { StartError } from '../start-error.ts'
import { type Collected, collectBody } from './collect-body.ts'
import { trackConnections } from './connections.ts'

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown

export type Listening = { port: number; close(): Promise<void> }

export type ListenOptions = {
  host: string
  port: number
  /** Name of the option that chose the port, for the sentence that says it is taken. */
  option: string
  /** Largest body to collect, in bytes. */
  bodyLimit: number | ((incoming: IncomingMessage) => number)
  tls?: ServerOptions
  /** Answers what the HTTP parser refused before there was a request. */
  onUnreadable?: (socket: Socket, code: string) => void
  /** Milliseconds that a handshake, a request or a pause between two may take. */
  patience?: number
}

const REQUEST_TIMEOUT = 30_000
/** Bytes of request line and headers together (D-67). */
export const HEAD_LIMIT = 16_384
/** A connection that was refused stays open this long at most, so that the client can read why. */
const FAREWELL = 2_000

/** Listens, and hands every request on with its body collected. */
export const listen = async (listener: Listener, options: ListenOptions): Promise<Listening> => {
  const { bodyLimit, tls, onUnreadable = sayBadRequest, patience = REQUEST_TIMEOUT } = options
  const limits = {
    requestTimeout: patience,
    headersTimeout: patience,
    keepAliveTimeout: patience,
    connectionsCheckingInterval: patience / 10,
    maxHeaderSize: HEAD_LIMIT,
    requireHostHeader: false, // its absence is for the listener to answer, not for Node
  }
  const server = tls ? createSecureServer({ ...limits, handshakeTimeout: patience, ...tls }) : createServer(limits)
  const connections = trackConnections(server)
  const limitOf = typeof bodyLimit === 'number' ? () => bodyLimit : bodyLimit
  const collect = (incoming: Collected, outgoing: ServerResponse) => {
    if (refused.has(incoming.socket)) return // what follows a request that was refused is nobody's
    const fault = framingFault(incoming)
    if (fault) return refuse(incoming.socket, fault)
    connections.begin(outgoing)
    incoming.reset = connections.reset
    collectBody(incoming, limitOf(incoming), () => listener(incoming, outgoing))
  }
  const refused = new WeakSet<Socket>()
  const refuse = (socket: Socket, code: string) => {
    refused.add(socket)
    connections.afterAnswers(socket, () => {
      setTimeout(() => socket.destroy(), FAREWELL).unref()
      onUnreadable(socket, code)
    })
  }
  server.on('request', collect).on('checkExpectation', collect)
  server.on('connect', (_incoming, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    refuse(socket, 'CONNECT')
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (refused.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else refuse(socket, error.code ?? '')
  })
  await opened(server, options)
  return { port: (server.address() as AddressInfo).port, close: connections.close }
}

/**
 * What Node's parser lets pass, and another server in front may read otherwise (RFC 9112 2.3, 3.2.1, 6.1): a version of
 * HTTP that is none of these, a path that leads elsewhere once it is tidied up, past what a proxy keeps closed, and a
 * body whose end is told in a way that only one of the two understands.
 */
const framingFault = ({ httpVersion, headers, url = '' }: IncomingMessage): string | undefined => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'HPE_INVALID_VERSION'
  if (LEADS_ELSEWHERE.test(url)) return 'LEADS_ELSEWHERE'
  const encoding = headers['transfer-encoding']
  const isRead = encoding === undefined || (httpVersion === '1.1' && /^chunked$/i.test(encoding))
  return isRead ? undefined : 'HPE_INVALID_TRANSFER_ENCODING'
}

/** A segment of dots, however written, a backslash or a fragment in the path, or what nobody has to encode: letters, digits, - and _. */
const LEADS_ELSEWHERE = /^[^?]*(?:\/(?:\.|%2e){1,2}(?:[/?]|$)|[\\#]|%(?:2d|3\d|[46][1-9a-f]|[57][\da]|5f))/i

const sayBadRequest = (socket: Socket): void =>
  void socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')

const opened = (server: Server, { host, port, option }: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port, option)))
    server.listen(port, host, resolve)
  })

/** Why a port could not be opened, in one sentence with its cure where it is a thing of the options. */
export const listenError = (error: NodeJS.ErrnoException, host: string, port: number, option: string): Error => {
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

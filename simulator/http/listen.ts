import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { StartError } from '../start-error.ts'

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown

export type Listening = { port: number; close(): Promise<void> }

export type ListenOptions = {
  host: string
  port: number
  /** Name of the option that chose the port, for the sentence that says it is taken. */
  option: string
  /** Largest body to collect, in bytes. */
  bodyLimit: number
  tls?: ServerOptions
  /** Answers what the HTTP parser refused before there was a request. */
  onUnreadable?: (socket: Socket, code: string) => void
}

const REQUEST_TIMEOUT = 30_000

/** Listens, and hands every request on with its body collected once: limit, digest and parsers share the same bytes. */
export const listen = async (listener: Listener, options: ListenOptions): Promise<Listening> => {
  const collecting = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    collect(incoming, outgoing, options.bodyLimit, listener)
  const limits = { requestTimeout: REQUEST_TIMEOUT, headersTimeout: REQUEST_TIMEOUT, keepAliveTimeout: REQUEST_TIMEOUT }
  const server = options.tls
    ? createSecureServer({ ...limits, ...options.tls }, collecting)
    : createServer(limits, collecting)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (options.onUnreadable) options.onUnreadable(socket, error.code ?? '')
    else socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')
  })
  await opened(server, options)
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) }
}

const opened = (server: Server, { host, port, option }: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port, option)))
    server.listen(port, host, resolve)
  })

const listenError = (error: NodeJS.ErrnoException, host: string, port: number, option: string): Error => {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} is taken: stop what uses it or choose another --${option} (0 picks a free one).`,
      )
    case 'EACCES':
      return new StartError(`Port ${port} may not be used by this user: choose another --${option}.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`${host} is no address of this machine: choose another --host.`)
    default:
      return error
  }
}

/** Lets calls under way finish and idle connections go. */
const closed = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })

type Collected = IncomingMessage & { rawBody?: Buffer; bodyTooLarge?: boolean }

const collect = (incoming: Collected, outgoing: ServerResponse, limit: number, listener: Listener): void => {
  const chunks: Buffer[] = []
  let size = 0
  const finish = (body: Buffer) => {
    incoming.rawBody = body
    listener(incoming, outgoing)
  }
  const onData = (chunk: Buffer) => {
    size += chunk.length
    if (size <= limit) return void chunks.push(chunk)
    incoming.off('data', onData).off('end', onEnd).resume()
    incoming.bodyTooLarge = true
    finish(Buffer.alloc(0))
  }
  const onEnd = () => finish(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
  incoming.on('data', onData).on('end', onEnd)
}

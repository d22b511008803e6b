import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Calls under way get this long to finish when the server closes. */
const GRACE = 5_000

/**
 * The connections of a server and the calls under way on them. Closing waits for calls that came in whole, and for
 * nothing else: browsers and half-open handshakes hold connections that would keep a server from ever closing.
 */
export const trackConnections = (server: Server) => {
  const sockets = new Set<Socket>()
  const known = new WeakSet<Socket>()
  const calls = new Set<ServerResponse>()
  let onQuiet: (() => void) | undefined

  const due = (): ServerResponse[] => [...calls].filter(({ req }) => req.complete)
  const end = (outgoing: ServerResponse): void => {
    calls.delete(outgoing)
    if (onQuiet && due().length === 0) onQuiet()
  }
  const endAll = (socket: Socket): void => {
    for (const outgoing of calls) if (outgoing.req.socket === socket) end(outgoing)
  }
  const quiet = (): Promise<void> =>
    new Promise(resolve => {
      if (due().length === 0) return resolve()
      onQuiet = resolve
      setTimeout(resolve, GRACE).unref()
    })

  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const begin = (outgoing: ServerResponse): void => {
    const { socket } = outgoing.req
    if (!known.has(socket)) socket.once('close', () => endAll(socket))
    known.add(socket)
    calls.add(outgoing)
    outgoing.once('close', () => end(outgoing))
  }

  return {
    /** A call begins to come in; it lasts until it is answered or its connection is gone. */
    begin,
    /** Does something once all that came in whole over this connection is answered; never where it breaks before. */
    afterAnswers: (socket: Socket, act: () => void): void => {
      const last = due().findLast(({ req }) => req.socket === socket)
      if (last) last.once('close', act)
      else act()
    },
    /** Breaks a connection off with a TCP RST: under TLS that is for the socket below to do. */
    reset: ({ remoteAddress, remotePort }: Socket): void => {
      for (const socket of sockets)
        if (socket.remotePort === remotePort && socket.remoteAddress === remoteAddress) socket.resetAndDestroy()
    },
    close: async (): Promise<void> => {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeIdleConnections()
      await quiet()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

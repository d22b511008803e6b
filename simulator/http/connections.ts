import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Calls under way get this long to finish when the server closes. */
const GRACE = 5_000

/**
 * The connections of a server and the calls under way on them. Closing waits for calls that came in whole, and for
 * nothing else: browsers and half-open handshakes hold connections that would keep a server from ever closing.
 *
 * Calls stand in lists, and no closure of a call is kept at it: a Set that calls come into and leave grows anew all the
 * time, and V8 ties every table that it leaves behind to the next one, so that the young generation hands on every call.
 */
export const trackConnections = (server: Server) => {
  const sockets = new Set<Socket>()
  const calls = new Map<Socket, ServerResponse[]>()
  let onQuiet: (() => void) | undefined

  const due = (): ServerResponse[] => [...calls.values()].flat().filter(({ req }) => req.complete)
  const lessToDo = (): void => {
    if (onQuiet && due().length === 0) onQuiet()
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
  const callsOf = (socket: Socket): ServerResponse[] => {
    const known = calls.get(socket)
    if (known) return known
    const its: ServerResponse[] = []
    calls.set(socket, its)
    socket.once('close', () => {
      calls.delete(socket)
      lessToDo()
    })
    return its
  }
  const begin = (outgoing: ServerResponse): void => {
    const its = callsOf(outgoing.req.socket)
    its.push(outgoing)
    outgoing.once('close', () => {
      its.splice(its.indexOf(outgoing), 1)
      lessToDo()
    })
  }

  return {
    /** A call begins to come in; it lasts until it is answered or its connection is gone. */
    begin,
    /** Does something once all that came in whole over this connection is answered; never where it breaks before. */
    afterAnswers: (socket: Socket, act: () => void): void => {
      const last = calls.get(socket)?.findLast(({ req }) => req.complete)
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

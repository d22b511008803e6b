import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds that requests in progress have to finish when the server closes. */
const GRACE_PERIOD = 5_000

/**
 * Creates the tracker of an HTTP server's connections and the requests in progress on them, for a graceful close.
 * Closing waits only for requests that were received completely: idle browser connections and half-open handshakes are
 * destroyed. Arrays hold them: a Set that grows and shrinks makes V8 promote requests
 * (bench/memory/measure-request-object-survival.ts).
 */
export const trackConnections = (server: Server) => {
  const sockets = new Set<Socket>()
  const calls = new Map<Socket, ServerResponse[]>()
  let onIdle: (() => void) | undefined
  let isChecking = false

  const isIdle = (): boolean => {
    for (const open of calls.values()) if (open.some(({ req }) => req.complete)) return false
    return true
  }
  /** Looks once in a turn of the event loop, as a hundred thousand pipelined calls may end in one. */
  const checkIdle = (): void => {
    if (!onIdle || isChecking) return
    isChecking = true
    setImmediate(() => {
      isChecking = false
      if (isIdle()) onIdle?.()
    })
  }
  const untilIdle = (): Promise<void> =>
    new Promise(resolve => {
      if (isIdle()) return resolve()
      onIdle = resolve
      setTimeout(resolve, GRACE_PERIOD).unref()
    })

  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const callsOf = (socket: Socket): ServerResponse[] => {
    const known = calls.get(socket)
    if (known) return known
    const added: ServerResponse[] = []
    calls.set(socket, added)
    socket.once('close', () => {
      calls.delete(socket)
      checkIdle()
    })
    return added
  }
  const begin = (outgoing: ServerResponse): void => {
    const open = callsOf(outgoing.req.socket)
    open.push(outgoing)
    outgoing.once('close', () => {
      open.splice(open.indexOf(outgoing), 1)
      checkIdle()
    })
  }

  return {
    /** Registers a request that has begun to arrive; it counts until its response or its connection closes. */
    begin,
    /** Calls `act` once every complete request on this connection has its response; never if the connection breaks. */
    afterAnswers: (socket: Socket, act: () => void): void => {
      const last = calls.get(socket)?.findLast(({ req }) => req.complete)
      if (last) last.once('close', act)
      else act()
    },
    /** Closes a connection with a TCP RST; under TLS it resets the underlying TCP socket, found by remote address. */
    reset: ({ remoteAddress, remotePort }: Socket): void => {
      for (const socket of sockets)
        if (socket.remotePort === remotePort && socket.remoteAddress === remoteAddress) socket.resetAndDestroy()
    },
    close: async (): Promise<void> => {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeIdleConnections()
      await untilIdle()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

export type TrackedConnections = ReturnType<typeof trackConnections>

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** First byte of a TLS connection: the record type of a handshake message (RFC 8446 5.1). No HTTP request begins with it. */
const HANDSHAKE = 0x16

/**
 * Lets a server of plain HTTP hand connections that begin with TLS to another server, so that one mapped port of a
 * container reaches both. Returns what ends the connections that have not said which they are.
 */
export const splitTlsConnections = (server: Server, onTls: (socket: Socket) => void, timeout: number) => {
  const serve = server.listeners('connection')
  const undecided = new Set<Socket>()
  const give = (socket: Socket, first: Buffer): void => {
    socket.pause()
    if (first[0] === HANDSHAKE) {
      socket.unshift(first)
      onTls(socket)
    } else {
      for (const listener of serve) listener.call(server, socket)
      process.nextTick(() => {
        socket.resume()
        socket.push(first)
      })
    }
  }
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    undecided.add(socket)
    const leave = (): void => {
      undecided.delete(socket)
      socket.setTimeout(0).off('timeout', end).off('end', end).off('error', end).off('close', leave).off('data', decide)
    }
    const decide = (first: Buffer): void => {
      leave()
      give(socket, first)
    }
    const end = (): void => void socket.destroy()
    socket.setTimeout(timeout).on('timeout', end).on('end', end).on('error', end).on('close', leave).on('data', decide)
  })
  return (): void => {
    for (const socket of undecided) socket.destroy()
  }
}

import type { Socket } from 'node:net'
import { SECOND } from '../support/duration.ts'
import type { TrustedProxies } from './client-certificate-from-tls-or-proxy.ts'

/** A function that stops reading from a connection for a number of seconds. */
export type PauseConnection = (socket: Socket, seconds: number) => void

/**
 * Creates the function that pauses the connection of a rate-limited client, as back-pressure: it is not read for as
 * long as Retry-After says, so that calls sent too early stay in network buffers (8, D-115). Connections of trusted
 * proxies, shared by many clients, are not paused.
 */
export const createPauseConnection = (proxies: TrustedProxies): PauseConnection => {
  const pausedSockets = new WeakSet<Socket>()
  return (socket, seconds) => {
    if (pausedSockets.has(socket) || proxies.include(socket)) return
    pausedSockets.add(socket)
    socket.pause()
    setTimeout(() => {
      pausedSockets.delete(socket)
      socket.resume()
    }, seconds * SECOND).unref()
  }
}

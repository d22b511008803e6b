import type { Socket } from 'node:net'
import { SECOND } from '../duration.ts'
import type { Proxies } from './proxies.ts'

/** Reads nothing more from a connection for so many seconds. */
export type HoldBack = (socket: Socket, seconds: number) => void

/**
 * Who is told to wait is not heard before: the next call of a client that does not heed Retry-After stays in the network,
 * where it costs nothing (8, D-115). A proxy that ends TLS carries many clients over one connection: it goes on.
 */
export const createHoldBack = (proxies: Proxies): HoldBack => {
  const held = new WeakSet<Socket>()
  return (socket, seconds) => {
    if (held.has(socket) || proxies.include(socket)) return
    held.add(socket)
    socket.pause()
    setTimeout(() => {
      held.delete(socket)
      socket.resume()
    }, seconds * SECOND).unref()
  }
}

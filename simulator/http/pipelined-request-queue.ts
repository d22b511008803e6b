import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addReadingGate, readingGateOf } from './connection-reading-gate.ts'
import type { TakeTurn } from './event-loop-turns.ts'

/** Requests that wait on one connection for the response of another before it is not read any further. */
const MAX_WAITING = 8

type Waiting = { outgoing: ServerResponse; start: () => void }

/**
 * Creates the queue of pipelined API requests: a connection has one call in progress and is not read while some wait,
 * and what waits on one that closes is dropped. Calls of a connection with a reading gate take turns with those of
 * others. One without gets a gate as soon as it sends more. Without one the first starts at once, and over TLS too: Node loses the response where a request that came
 * with the last message of the handshake waits for a turn (fuzz target tls, seed 1).
 */
export const createPipelinedRequestQueue = (takeTurn: TakeTurn) => {
  const busy = new WeakMap<Socket, Waiting[]>()
  const begin = (socket: Socket, { outgoing, start }: Waiting, turn: TakeTurn): void => {
    outgoing.once('close', () => startNext(socket))
    turn(() => {
      if (!socket.destroyed) start()
    })
  }
  const startNext = (socket: Socket): void => {
    const waiting = busy.get(socket)
    const next = waiting?.shift()
    if (!next || socket.destroyed) busy.delete(socket)
    else begin(socket, next, takeTurn)
    if (!waiting?.length) readingGateOf(socket)?.release()
  }
  /** Starts a call when those before it on its connection have their responses. */
  return (outgoing: ServerResponse, start: () => void): void => {
    const { socket } = outgoing.req
    const gate = readingGateOf(socket)
    const waiting = busy.get(socket)
    if (!waiting) {
      busy.set(socket, [])
      begin(socket, { outgoing, start }, gate && !('encrypted' in socket) ? takeTurn : atOnce)
    } else if (waiting.push({ outgoing, start }) >= MAX_WAITING) (gate ?? addReadingGate(socket)).hold()
  }
}

const atOnce: TakeTurn = act => act()

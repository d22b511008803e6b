import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addReadingGate, readingGateOf } from './connection-reading-gate.ts'
import { createEventLoopTurns, type TakeTurn } from './event-loop-turns.ts'

/** Requests that wait on one connection for the response of another before it is not read any further. */
const MAX_WAITING = 8

type Waiting = { outgoing: ServerResponse; start: () => void }

/** TLS connections of clients with a certificate of the sandbox's authority. */
const known = new WeakSet<Socket>()

/** Marks a TLS connection as one of a known client. */
export const markKnown = (socket: Socket): void => void known.add(socket)

/** TLS connections whose handshake ended in this turn of the event loop. */
const justSecured = new WeakSet<Socket>()

/** Marks a TLS connection as new until the next turn of the event loop. */
export const markJustSecured = (socket: Socket): void => {
  justSecured.add(socket)
  setImmediate(() => justSecured.delete(socket))
}

/**
 * Creates the queue of pipelined API requests: a connection has one call in progress and is not read while some wait,
 * and what waits on one that closes is dropped. Calls of strangers take turns with each other. The first of a client
 * whose certificate was verified starts at once, and those that it pipelines take turns with such calls alone.
 */
export const createPipelinedRequestQueue = (takeTurnOfStranger: TakeTurn) => {
  const takeTurnOfKnown = createEventLoopTurns()
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
    else begin(socket, next, known.has(socket) ? takeTurnOfKnown : takeTurnOfStranger)
    if (!waiting?.length) readingGateOf(socket)?.release()
  }
  /** Starts a call when those before it on its connection have their responses. */
  return (outgoing: ServerResponse, start: () => void): void => {
    const { socket } = outgoing.req
    const gate = readingGateOf(socket)
    const waiting = busy.get(socket)
    if (!waiting) {
      busy.set(socket, [])
      begin(socket, { outgoing, start }, known.has(socket) || justSecured.has(socket) ? atOnce : takeTurnOfStranger)
    } else if (waiting.push({ outgoing, start }) >= MAX_WAITING) (gate ?? addReadingGate(socket)).hold()
  }
}

/**
 * Also for a request that came with the last message of a TLS handshake: Node loses the response where that waits for
 * a turn (fuzz target tls, seed 1).
 */
const atOnce: TakeTurn = act => act()

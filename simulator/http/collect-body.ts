import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** A request whose body was collected, or was too large to be. */
export type Collected = IncomingMessage & {
  rawBody?: Buffer
  bodyTooLarge?: boolean
  /** Breaks its connection off: TCP RST, nothing more. One function for all: see connections.ts. */
  reset?: (socket: Socket) => void
}

/** What exceeds the limit is read and dropped up to this many times the limit: clients listen when they have spoken. */
const HEARD_OUT = 16

/** Collects a body once: limit, digest and parsers share the same bytes. */
export const collectBody = (incoming: Collected, limit: number, whenCollected: () => void): void => {
  let chunks: Buffer[] = []
  let size = 0
  const finish = () => {
    incoming.off('data', onData).off('end', finish).resume()
    incoming.bodyTooLarge = size > limit
    incoming.rawBody = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
    whenCollected()
  }
  const onData = (chunk: Buffer) => {
    size += chunk.length
    if (size <= limit) return void chunks.push(chunk)
    chunks = []
    if (size > limit * HEARD_OUT) finish()
  }
  incoming.on('data', onData).on('end', finish)
}

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** A Node request whose body was read into memory before the API handles it, or was larger than the limit. */
export type CollectedRequest = IncomingMessage & {
  rawBody?: Buffer
  bodyTooLarge?: boolean
  /** Closes its connection with a TCP RST. One function is shared by all requests, see trackConnections. */
  reset?: (socket: Socket) => void
}

/** A body beyond the limit is discarded up to this many times the limit: many clients read only after sending. */
const DISCARD_FACTOR = 16

/** Reads a request body into `rawBody`, or sets `bodyTooLarge` if it exceeds `limit` bytes; then calls back. */
export const collectBody = (incoming: CollectedRequest, limit: number, whenCollected: () => void): void => {
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
    if (size > limit * DISCARD_FACTOR) finish()
  }
  incoming.on('data', onData).on('end', finish)
}

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

/** Chunks that are joined as soon as there are so many: a client may send each byte in one, which takes 300 as an object. */
const JOINED = 1024

/** Reads a request body into `rawBody`, or sets `bodyTooLarge` if it exceeds `limit` bytes; then calls back. */
export const collectBody = (incoming: CollectedRequest, limit: number, whenCollected: () => void): void => {
  const joined: Buffer[] = []
  let chunks: Buffer[] = []
  let size = 0
  const finish = () => {
    incoming.off('data', onData).off('end', finish).resume()
    incoming.bodyTooLarge = size > limit
    const all = [...joined, ...chunks]
    incoming.rawBody = all.length === 1 && all[0] ? all[0] : Buffer.concat(all)
    whenCollected()
  }
  const onData = (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) {
      joined.length = 0
      chunks = []
      if (size > limit * DISCARD_FACTOR) finish()
    } else if (chunks.push(chunk) === JOINED) {
      joined.push(Buffer.concat(chunks))
      chunks = []
    }
  }
  incoming.on('data', onData).on('end', finish)
}

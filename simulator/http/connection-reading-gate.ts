import type { Socket } from 'node:net'

/** Bytes of a connection that the HTTP parser gets at once: a few requests. */
const SLICE_BYTES = 1024
/** Reads of at most 64 KiB that are kept while the gate is held: only who reads notices that the connection closes. */
const MAX_KEPT = 4

type Gate = { hold(): void; release(): void }
const gates = new WeakMap<Socket, Gate>()

/**
 * Returns the reading gate of a connection, which can pause its reading; undefined where it has none and is read as
 * fast as it sends.
 */
export const readingGateOf = (socket: Socket): Gate | undefined => gates.get(socket)

/**
 * Puts a reading gate before the HTTP parser of a connection, which gets its bytes in small slices. Without one, the
 * parser makes requests of all that has arrived, up to 64 KiB, even where the first of them pauses the connection;
 * behind a gate that is held, they stay bytes.
 */
export const addReadingGate = (socket: Socket): void => {
  const push = socket.push.bind(socket)
  const kept: Uint8Array[] = []
  let isHeld = false
  const pass = (): boolean => {
    let takesMore = true
    while (!isHeld && kept.length > 0) {
      const [first = new Uint8Array()] = kept
      if (first.length > SLICE_BYTES) kept[0] = first.subarray(SLICE_BYTES)
      else kept.shift()
      takesMore = push(first.subarray(0, SLICE_BYTES))
    }
    return isHeld ? kept.length < MAX_KEPT : takesMore
  }
  socket.push = (chunk: unknown): boolean => {
    if (chunk === null) {
      if (kept.length === 0) return push(null)
      socket.destroy() // who closes does not wait for responses
      return false
    }
    kept.push(chunk as Uint8Array)
    return pass()
  }
  // With a listener, the parser reads what is pushed; else it would read the operating system's buffer by itself.
  socket.on('data', () => undefined)
  gates.set(socket, {
    hold: () => {
      isHeld = true
    },
    release: () => {
      isHeld = false
      if (!socket.destroyed) pass()
    },
  })
}

import type { Socket } from 'node:net'

/** Bytes of a connection that the HTTP parser gets at once: a few requests. */
const SLICE_BYTES = 1024
/** Slices that it gets in one turn of the event loop. */
const SLICES = 8
/** Reads of at most 64 KiB that are kept while the gate is held: only who reads notices that the connection closes. */
const MAX_KEPT = 4

/** Holds the bytes of a connection back from the HTTP parser, and lets them pass again. */
export type ReadingGate = { hold(): void; release(): void }
const gates = new WeakMap<Socket, ReadingGate>()

/**
 * Returns the reading gate of a connection, which can pause its reading; undefined where it has none and is read as
 * fast as it sends.
 */
export const readingGateOf = (socket: Socket): ReadingGate | undefined => gates.get(socket)

/**
 * Puts a reading gate before the HTTP parser of a connection, which gets its bytes in small slices, a few in each turn
 * of the event loop. Without one, the parser makes requests and chunks of all that has arrived, up to 64 KiB, even where
 * the first of them pauses the connection; behind a gate that is held, they stay bytes.
 */
export const addReadingGate = (socket: Socket): ReadingGate => {
  const push = socket.push.bind(socket)
  const kept: Uint8Array[] = []
  let [isHeld, isWaiting, isEnded] = [false, false, false]
  const passSlice = (): boolean => {
    const [first = new Uint8Array()] = kept
    if (first.length > SLICE_BYTES) kept[0] = first.subarray(SLICE_BYTES)
    else kept.shift()
    return push(first.subarray(0, SLICE_BYTES))
  }
  /** What is pushed while the socket is paused would all be parsed in the turn in which it resumes. */
  const isStopped = (): boolean => isHeld || socket.isPaused()
  const passInNextTurn = (): void => {
    if (isWaiting) return
    isWaiting = true
    setImmediate(() => {
      isWaiting = false
      if (!socket.destroyed) pass()
    })
  }
  const pass = (): boolean => {
    if (isWaiting) return kept.length < MAX_KEPT
    let takesMore = true
    for (let slices = 0; !isStopped() && kept.length > 0 && slices < SLICES; slices += 1) takesMore = passSlice()
    if (kept.length === 0) return isEnded ? push(null) : takesMore
    if (!isStopped()) passInNextTurn()
    return kept.length < MAX_KEPT
  }
  socket.push = (chunk: unknown): boolean => {
    if (chunk !== null) {
      kept.push(chunk as Uint8Array)
      return pass()
    }
    if (kept.length === 0) return push(null)
    isEnded = true
    if (isHeld) socket.destroy() // who closes does not wait for responses
    return false
  }
  // With a listener, the parser reads what is pushed; else it would read the operating system's buffer by itself.
  socket.on('data', () => undefined)
  socket.on('resume', () => pass())
  const gate = {
    hold: () => {
      isHeld = true
    },
    release: () => {
      isHeld = false
      if (!socket.destroyed) pass()
    },
  }
  gates.set(socket, gate)
  return gate
}

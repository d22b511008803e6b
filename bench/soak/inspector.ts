import { setTimeout as pause } from 'node:timers/promises'

/** Client of Node's inspector that reads heap and handles of the running process in a soak run. */
export type Inspector = {
  /** Heap in use after a garbage collection, in MB. */
  heapMb(): Promise<number>
  /** Number of active resources of Node: sockets, timers, requests. */
  handles(): Promise<number>
  /** Sends any command of the protocol and returns its result. */
  ask(method: string, params?: object): Promise<Record<string, unknown>>
  close(): void
}

type Answer = { id: number; result?: Record<string, unknown>; error?: { message: string } }

const LOOKS = 200
const LOOK_MS = 25

/** Connects to a process that was started with `--inspect=127.0.0.1:port`. */
export const connectInspector = async (port: number): Promise<Inspector> => {
  const socket = new WebSocket(await addressAt(port))
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('The inspector of the process cannot be reached.')))
  })
  let last = 0
  const ask = async (method: string, params: object = {}) => {
    last += 1
    const answered = new Promise<Answer>(resolve => waiting.set(last, resolve))
    socket.send(JSON.stringify({ id: last, method, params }))
    const { result, error } = await answered
    if (error) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }
  return {
    heapMb: async () => {
      await ask('HeapProfiler.collectGarbage')
      return Number((await ask('Runtime.getHeapUsage')).usedSize) / 2 ** 20
    },
    handles: async () => {
      const expression = 'process.getActiveResourcesInfo().length'
      const { result } = await ask('Runtime.evaluate', { expression, returnByValue: true })
      return Number((result as { value: unknown }).value)
    },
    ask,
    close: () => socket.close(),
  }
}

const addressAt = async (port: number): Promise<string> => {
  for (let look = 0; look < LOOKS; look += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined)
    const [target] = answer ? ((await answer.json()) as { webSocketDebuggerUrl: string }[]) : []
    if (target) return target.webSocketDebuggerUrl
    await pause(LOOK_MS)
  }
  throw new Error(`No inspector listens on port ${port}.`)
}

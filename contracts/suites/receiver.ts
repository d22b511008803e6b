import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Exchange } from '../client/exchange.ts'

/** A server that webhooks can be sent to; it keeps every call with the answer that it gave. */
export type Receiver = {
  url: string
  /** The nth call, from 1, as soon as it has come; undefined where it does not come in time. */
  call(nth: number, withinMs?: number): Promise<Exchange | undefined>
  close(): void
}

const A_WHILE_MS = 5_000
const LOOK_AGAIN_MS = 20

/** Listens at the address by which the service reaches us; answers the nth call with the nth status, the last for all others. */
export const openReceiver = async (address: string, statuses: readonly number[]): Promise<Receiver> => {
  const calls: Exchange[] = []
  const { hostname, port } = new URL(address)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const status = statuses[calls.length] ?? statuses.at(-1) ?? 200
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    calls.push({
      request: { method: request.method ?? '', url: request.url ?? '', headers, body: Buffer.concat(chunks) },
      answer: { status, headers: {}, body: Buffer.alloc(0) },
      durationMs: 0,
    })
    response.writeHead(status).end()
  })
  const loopback = hostname === '127.0.0.1' ? { host: hostname } : {}
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port: Number(port || 80), ...loopback }, resolve)
  })
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}/webhooks`,
    call: async (nth, withinMs = A_WHILE_MS) => {
      for (let left = withinMs; calls.length < nth && left > 0; left -= LOOK_AGAIN_MS)
        await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN_MS))
      return calls[nth - 1]
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Exchange } from '../../client/http-exchange.ts'

/** An HTTP server that receives webhooks and records every call with the response that it gave. */
export type WebhookReceiver = {
  url: string
  /** Waits for the nth call, from 1; undefined where it does not come in time. */
  call(nth: number, withinMs?: number): Promise<Exchange | undefined>
  close(): void
}

const DEFAULT_WAIT_MS = 5_000
const POLLING_INTERVAL_MS = 20

/** Opens a webhook receiver at an address; the nth call gets the nth status, later ones the last. */
export const openWebhookReceiver = async (address: string, statuses: readonly number[]): Promise<WebhookReceiver> => {
  const calls: Exchange[] = []
  const { hostname, port } = new URL(address)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const status = statuses[calls.length] ?? statuses.at(-1) ?? 200
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    calls.push({
      request: { method: request.method ?? '', url: request.url ?? '', headers, body: Buffer.concat(chunks) },
      response: { status, headers: {}, body: Buffer.alloc(0) },
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
    call: async (nth, withinMs = DEFAULT_WAIT_MS) => {
      for (let left = withinMs; calls.length < nth && left > 0; left -= POLLING_INTERVAL_MS)
        await new Promise(resolve => setTimeout(resolve, POLLING_INTERVAL_MS))
      return calls[nth - 1]
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Exchange } from '../../client/http-exchange.ts'

/** HTTP server of the checks that receives webhooks and records every call with the response that it gave. */
export type WebhookReceiver = { url: string; calls: readonly Exchange[]; close(): void }

/**
 * Opens the webhook receiver of the checks at an address; `statusOf` chooses the response to a call by the calls before
 * it.
 */
export const openWebhookReceiver = async (
  address: string,
  statusOf: (call: Exchange['request'], earlier: readonly Exchange[]) => number = () => 204,
): Promise<WebhookReceiver> => {
  const calls: Exchange[] = []
  const { hostname, port } = new URL(address)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const call = { method: request.method ?? '', url: request.url ?? '', headers, body: Buffer.concat(chunks) }
    const status = statusOf(call, calls)
    calls.push({ request: call, response: { status, headers: {}, body: Buffer.alloc(0) }, durationMs: 0 })
    response.writeHead(status).end()
  })
  const loopback = hostname === '127.0.0.1' ? { host: hostname } : {}
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port: Number(port || 80), ...loopback }, resolve)
  })
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}/webhooks`,
    calls,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

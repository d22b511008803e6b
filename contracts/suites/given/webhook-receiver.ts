import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Exchange } from '../../client/http-exchange.ts'
import { nowIso } from '../../client/wall-clock.ts'

/** Largest body of a webhook that is read, in bytes. */
const MOST_BYTES = 1024 * 1024

/** HTTP server of the checks that receives webhooks and records every call with the response that it gave. */
export type WebhookReceiver = { url: string; calls: readonly Exchange[]; close(): void }

/**
 * Opens the webhook receiver of the checks at an address; `statusOf` chooses the response to a call by the calls before
 * it, and `ended` closes it. A request that can be no webhook, such as a health check, is answered and not recorded.
 */
export const openWebhookReceiver = async (
  address: string,
  statusOf: (call: Exchange['request'], earlier: readonly Exchange[]) => number = () => 204,
  ended?: AbortSignal,
): Promise<WebhookReceiver> => {
  const calls: Exchange[] = []
  const { hostname, port } = new URL(address)
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [chunks, at] = [[] as Buffer[], nowIso()]
    let bytes = 0
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MOST_BYTES) return void response.writeHead(413, { connection: 'close' }).end()
      chunks.push(chunk)
    }
    if (request.method !== 'POST' || bytes === 0) return void response.writeHead(204).end()
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const call = { method: request.method ?? '', url: request.url ?? '', headers, body: Buffer.concat(chunks) }
    const status = statusOf(call, calls)
    calls.push({ at, request: call, response: { status, headers: {}, body: Buffer.alloc(0) }, durationMs: 0 })
    response.writeHead(status).end()
  }
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy()) // its caller hung up: no webhook came
  })
  const loopback = hostname === '127.0.0.1' ? { host: hostname } : {}
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port: Number(port || 80), ...loopback }, resolve)
  })
  const url = `http://${hostname}:${(server.address() as AddressInfo).port}/webhooks`
  const close = (): void => {
    ended?.removeEventListener('abort', close)
    server.closeAllConnections()
    server.close()
  }
  ended?.addEventListener('abort', close)
  if (ended?.aborted) close()
  return { url, calls, close }
}

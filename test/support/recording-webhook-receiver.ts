import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type RecordedWebhook = {
  target: string
  headers: IncomingHttpHeaders
  body: Buffer
  json: Record<string, unknown>
}
type Reply = { status?: number; headers?: Record<string, string>; body?: string; silent?: boolean }

/**
 * Opens a webhook receiver for tests that records its requests; `reply` gives the response to the nth one, 200 by
 * default.
 */
export const openWebhookReceiver = async (
  reply: (nth: number, received: RecordedWebhook) => Reply | Promise<Reply> = () => ({}),
) => {
  const received: RecordedWebhook[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const got = { target: request.url ?? '', headers: request.headers, body, json: JSON.parse(body.toString()) }
    received.push(got)
    const { status = 200, headers = {}, body: text = '', silent } = await reply(received.length, got)
    if (!silent) response.writeHead(status, headers).end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  onTestFinished(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?shop=1`, received, close }
}

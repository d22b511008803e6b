import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Opens a webhook receiver that counts webhooks and responds to every seventh with 500, so that it is retried. */
export const openWebhookCounter = async () => {
  const counted = { webhooks: 0 }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      counted.webhooks += 1
      response.writeHead(counted.webhooks % 7 === 0 ? 500 : 204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/webhooks`, counted, close }
}

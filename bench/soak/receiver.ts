import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A merchant's server: it takes webhooks, and fails for every seventh, which is tried again. */
export const openReceiver = async () => {
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

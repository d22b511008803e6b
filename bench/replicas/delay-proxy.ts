import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

type DelayProxy = { port: number; delay(milliseconds: number): void; close(): void }

/**
 * Opens a TCP proxy to a local port that delays each chunk on its way there. A call takes one delay longer for each
 * round trip, so the added time counts its round trips.
 */
export const openDelayProxy = async (to: number): Promise<DelayProxy> => {
  let milliseconds = 0
  const server = createServer({ noDelay: true }, near => {
    const far = connect({ port: to, host: '127.0.0.1', noDelay: true })
    near.on('data', chunk => void setTimeout(() => far.write(chunk), milliseconds))
    far.pipe(near)
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('close', end).on('error', end)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    delay: wanted => {
      milliseconds = wanted
    },
    close: () => void server.close(),
  }
}

import { randomInt } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'

/** Finds a free TCP port below the range of ephemeral ports, so that no outgoing connection takes it meanwhile. */
export const findFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    const listen = () => server.listen(randomInt(10_000, 32_000), '127.0.0.1')
    const isTaken = (error: NodeJS.ErrnoException) => error.code === 'EADDRINUSE'
    server
      .on('error', error => (isTaken(error) ? listen() : reject(error)))
      .once('listening', () => {
        const { port } = server.address() as AddressInfo
        server.close(() => resolve(port))
      })
    listen()
  })

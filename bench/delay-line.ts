import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export type DelayLine = { port: number; delay(milliseconds: number): void; close(): void }

/**
 * A line to a port of this machine on which all that goes there takes so much longer. What is sent in one go is late by
 * one delay, so that a call is later by one for each time that it waits for an answer: its round trips.
 */
export const openDelayLine = async (to: number): Promise<DelayLine> => {
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

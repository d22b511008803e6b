import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { addReadingGate, readingGateOf } from '../../simulator/http/connection-reading-gate.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
const FLOOD = REQUEST.repeat(2_000)

test('what arrives while a connection is paused is parsed in slices once it resumes', async () => {
  let [parsed, paused] = [0, undefined as Socket | undefined]
  const server = createServer(({ socket }) => {
    parsed += 1
    if (paused) return
    const gate = readingGateOf(socket)
    gate?.hold()
    paused = socket
    // As a refusal does: the connection pauses, and what waited on it has its response.
    globalThis.setImmediate(() => {
      socket.pause()
      gate?.release()
    })
  }).on('connection', addReadingGate)
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined)
  client.write(FLOOD)
  await expect.poll(() => paused).toBeDefined()
  await expect.poll(() => client.bytesWritten).toBe(FLOOD.length)
  for (let turn = 0; turn < 50; turn += 1) await setImmediate()
  const before = parsed
  paused?.resume()
  await setImmediate()
  expect(parsed - before).toBeLessThan(500)
  await expect.poll(() => parsed).toBe(2_000) // nothing is lost
  client.destroy()
})

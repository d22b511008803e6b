import { EventEmitter } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { trackConnections } from '../../simulator/http/track-connections.ts'

test('closing looks at the calls in progress once in a turn, however many of them end in it', async () => {
  let looks = 0
  const server = Object.assign(new EventEmitter(), {
    close: (closed: () => void) => setImmediate(closed),
    closeIdleConnections: () => undefined,
  }) as unknown as Server
  const connections = trackConnections(server)
  const calls = Array.from({ length: 20 }, () =>
    Object.assign(new EventEmitter(), { destroy: () => undefined }),
  ).flatMap(socket => {
    server.emit('connection', socket as unknown as Socket)
    return Array.from({ length: 100 }, () => {
      const req = {
        socket,
        get complete() {
          looks += 1
          return true
        },
      }
      return Object.assign(new EventEmitter(), { req }) as unknown as ServerResponse
    })
  })
  for (const call of calls) connections.begin(call)
  const closing = connections.close()
  for (const call of calls) call.emit('close')
  await closing
  expect(looks).toBeGreaterThan(0)
  expect(looks).toBeLessThan(calls.length)
})

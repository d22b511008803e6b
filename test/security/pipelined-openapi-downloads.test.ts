import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const PATIENCE_MS = 10_000

test.each(['openapi.json', 'openapi.yaml'])(
  '64 KiB of pipelined GET /control/%s without a token hold nobody up',
  { timeout: 300_000 },
  async name => {
    const { pagesUrl } = await startScopedSimulator({ controlToken: 'hush' })
    const request = `GET /control/${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const socket = connect(Number(new URL(pagesUrl).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write(request.repeat(Math.ceil(65_536 / request.length)))
    socket.resume()
    const began = performance.now()
    await once(socket, 'data')
    expect((await fetch(`${pagesUrl}/health`)).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(PATIENCE_MS)
  },
)

import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serveReady } from '../support/serve.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { canLimit, setCrowded } from './conditions.ts'

vi.setConfig({ testTimeout: 90_000 })

test.skipIf(!canLimit)(
  'control and pages that could not be loaded at the first call are loaded at the next',
  async () => {
    const { child, said, pagesUrl } = await serveReady(temporaryFolder())
    const agent = new Agent({ keepAlive: true, maxSockets: 1 }) // a connection is a file: no other can be opened meanwhile
    onTestFinished(() => agent.destroy())
    const ask = async (path: string) => {
      const [answer] = (await once(get(`${pagesUrl}${path}`, { agent }), 'response')) as [IncomingMessage]
      return { status: answer.statusCode, body: await text(answer) }
    }
    const failed = { status: 500, body: 'The service failed unexpectedly.\n' }
    expect(await ask('/health')).toMatchObject({ status: 200 })

    setCrowded(child.pid, true)
    expect([await ask('/'), await ask('/control/organizations')]).toEqual([failed, failed])
    expect(await ask('/health')).toMatchObject({ status: 200 })
    await expect.poll(() => said.stderr).toContain('EMFILE')

    setCrowded(child.pid, false)
    expect(await ask('/')).toEqual({ status: 200, body: expect.stringContaining('demo-merchant') })
    expect(await ask('/control/organizations')).toEqual({ status: 200, body: expect.stringContaining('demo-merchant') })
  },
)

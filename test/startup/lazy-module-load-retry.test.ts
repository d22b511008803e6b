import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { canSetLimits, forbidOpeningFiles } from '../support/limit-process-resources.ts'
import { startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

vi.setConfig({ testTimeout: 90_000 })

test.skipIf(!canSetLimits)(
  'control and pages whose modules failed to load at the first call are loaded at the next',
  async () => {
    const { child, said, pagesUrl } = await startServe(temporaryFolder())
    const agent = new Agent({ keepAlive: true, maxSockets: 1 }) // a connection uses a file descriptor, and no other can be opened meanwhile
    onTestFinished(() => agent.destroy())
    const ask = async (path: string) => {
      const [answer] = (await once(get(`${pagesUrl}${path}`, { agent }), 'response')) as [IncomingMessage]
      return { status: answer.statusCode, body: await text(answer) }
    }
    const sentence = 'The service failed unexpectedly: its output says why. Try again later.'
    expect(await ask('/health')).toMatchObject({ status: 200 })

    forbidOpeningFiles(child.pid, true)
    expect([await ask('/'), await ask('/control/organizations')]).toEqual([
      { status: 500, body: `${sentence}\n` },
      { status: 500, body: JSON.stringify({ error: sentence }) },
    ])
    expect(await ask('/health')).toMatchObject({ status: 200 })
    await expect.poll(() => said.stderr).toContain('EMFILE')

    forbidOpeningFiles(child.pid, false)
    expect(await ask('/')).toEqual({ status: 200, body: expect.stringContaining('demo-merchant') })
    expect(await ask('/control/organizations')).toEqual({ status: 200, body: expect.stringContaining('demo-merchant') })
  },
)

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connectSandbox } from '@assay-sandbox/assay/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../architecture/read-source-files.ts'
import { freePort } from '../support/free-port.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'
import { paymentForDrill } from './example-shop-driver.ts'

// biome-ignore format: a table reads by its columns
const SHOPS: readonly [where: string, portAfter: (port: number) => number | Promise<number>][] = [
  ['its port',     port => port],
  ['another port', freePort],
]

test.each(SHOPS)(
  'a shop that was killed and started again on %s passes a drill',
  { timeout: 60_000 },
  async (_, portAfter) => {
    const { pagesUrl } = await startScopedSimulator({ webhookTimeout: 1000 })
    const organization = await connectSandbox({ url: pagesUrl }).organization('demo-merchant')
    let port = await freePort()
    let shop: ChildProcess | undefined
    const start = async (): Promise<void> => {
      const env = { ...process.env, ASSAY_URL: pagesUrl }
      shop = spawn(process.execPath, ['examples/shop/main.ts', String(port)], { cwd: ROOT, env })
      if (shop.stdout) await once(shop.stdout, 'data')
    }
    const kill = async (): Promise<void> => {
      if (!shop) return
      const ended = once(shop, 'exit')
      shop.kill('SIGKILL')
      await ended
      shop = undefined
    }
    onTestFinished(kill)
    for (const _restart of [1, 2]) {
      await start()
      await kill()
      port = await portAfter(port)
    }
    await start()

    const control = async <Body>(path: string, body?: object): Promise<Body> => {
      const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
      return (await fetch(`${pagesUrl}/control/organizations/demo-merchant${path}`, init)).json() as Body
    }
    const { since } = await control<{ since: string }>('/drills/PLAIN_PAYMENT/begin', {})
    await paymentForDrill('PLAIN_PAYMENT')(`http://127.0.0.1:${port}`, organization, control)
    await organization.clock.drain()
    const { rules } = await control<{ rules: { id: string; verdict: string }[] }>('/drills/PLAIN_PAYMENT/end', {
      since,
    })
    expect(rules.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    expect(rules.find(({ id }) => id === 'CND-13')?.verdict).toBe('pass')
  },
)

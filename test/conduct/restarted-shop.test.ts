import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connectSandbox } from '@assay-sandbox/assay/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../architecture/read-source-files.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { organizationControl } from '../support/control-client.ts'
import { findFreePort } from '../support/free-port.ts'
import { pollUntil } from '../support/poll-until.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'
import { paymentForDrill, startExampleShop } from './example-shop-driver.ts'

test('a shop whose process was killed and started again passes a drill', { timeout: 60_000 }, async () => {
  const { pagesUrl } = await startScopedSimulator()
  const organization = await connectSandbox({ url: pagesUrl }).organization('demo-merchant')
  const port = await findFreePort()
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
  }
  await start()

  const control = async <Body>(path: string, body?: object): Promise<Body> => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    return (await fetch(`${pagesUrl}/control/organizations/demo-merchant${path}`, init)).json() as Body
  }
  const { since } = await control<{ since: string }>('/drills/PLAIN_PAYMENT/begin', {})
  await paymentForDrill('PLAIN_PAYMENT')(`http://127.0.0.1:${port}`, organization, control)
  await organization.clock.drain()
  const { rules } = await control<{ rules: { id: string; verdict: string }[] }>('/drills/PLAIN_PAYMENT/end', { since })
  expect(rules.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  expect(rules.find(({ id }) => id === 'CND-13')?.verdict).toBe('pass')
})

test('the order of a payment by IRIS whose first responses failed leads to the bank later', async () => {
  const simulator = await startTestSimulator()
  const shop = await startExampleShop(simulator)
  onTestFinished(async () => {
    shop.close()
    await simulator.stop()
  })
  const { faults } = shop.organization
  await faults.next({ operation: 'initiate', kind: 'internal', times: 50 })
  const { headers } = await fetch(`${shop.url}/pay/iris`, { method: 'POST', redirect: 'manual' })
  const order = `${shop.url}${headers.get('location')}`
  await faults.none()
  const page = async () => (await fetch(order)).text()
  const waiting = await pollUntil(page, text => text.includes('data-state="waiting"'))
  expect(waiting).toMatch(/<a class="button" href="http[^"]+" data-testid="shop-bank">/)
})

test('a webhook to a port that a shop has left behind is no breach, one to a port in use is', async () => {
  const simulator = await startScopedSimulator()
  const { webhooks, clock } = await connectSandbox({ url: simulator.pagesUrl }).organization('demo-merchant')
  const verdict = async () => {
    await initiateIris(merchantOf(simulator))
    await clock.drain()
    const { body } = await organizationControl(simulator).get('conduct')
    return body.rules.find(({ id }: { id: string }) => id === 'CND-13')?.verdict
  }
  const { url } = await openWebhookReceiver(() => ({ status: 204 }))
  const address = new URL('/webhooks', url)
  await webhooks.sendTo(`http://127.0.0.1:${await findFreePort()}/webhooks`)
  await webhooks.sendTo(address.href)
  expect(await verdict()).toBe('pass')
  await webhooks.sendTo(`http://127.0.0.1:${await findFreePort()}/webhooks`)
  expect(await verdict()).toBe('fail')
})

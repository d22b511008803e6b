import { expect, onTestFinished, test } from 'vitest'
import { connectSandbox } from '../../fixtures/connect-sandbox.ts'
import { controlClient, organizationControl } from '../support/control-client.ts'
import { pollUntil } from '../support/poll-until.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const TYPES = ['PAYMENT_CAPTURE']

test('6: a shop that registers its address at each start keeps its endpoint and its secret', async () => {
  const { get, post } = organizationControl(await startScopedSimulator())
  const first = await post('webhooks', { url: 'http://127.0.0.1:3000/webhooks', types: TYPES })
  expect(first.status).toBe(201)
  for (let restart = 0; restart < 25; restart += 1) {
    const again = await post('webhooks', { url: 'http://127.0.0.1:3000/webhooks', types: TYPES })
    expect(again).toEqual({ status: 200, body: first.body })
  }
  expect((await post('webhooks', { url: 'http://127.0.0.1:3001/webhooks' })).status).toBe(201)
  expect((await get('webhooks')).body.webhooks).toHaveLength(2)
})

test('6: the endpoint of an address takes the types of the last registration, its newest secret, and is enabled', async () => {
  const simulator = await startScopedSimulator()
  const { get, post } = organizationControl(simulator)
  const patch = (path: string, body: unknown) =>
    controlClient(simulator)('PATCH', `organizations/demo-merchant/${path}`, body)
  const { body: first } = await post('webhooks', { url: 'http://127.0.0.1:3000', types: TYPES })
  const { body: rotated } = await post(`webhooks/${first.endpointId}/rotate`)
  await patch(`webhooks/${first.endpointId}`, { enabled: false })
  const { body } = await post('webhooks', { url: 'http://127.0.0.1:3000/' })
  expect(body).toMatchObject({ endpointId: first.endpointId, secret: rotated.secret, enabled: true })
  expect(body).not.toHaveProperty('types')
  expect((await get('webhooks')).body.webhooks).toHaveLength(1)
})

test('6: two shops that register one address at the same time share an endpoint', async () => {
  const { get, post } = organizationControl(await startScopedSimulator())
  const both = await Promise.all([1, 2].map(() => post('webhooks', { url: 'http://127.0.0.1:3000' })))
  expect(new Set(both.map(({ body }) => body.secret)).size).toBe(1)
  expect((await get('webhooks')).body.webhooks).toHaveLength(1)
})

test('6: a shop whose process ended 25 times listens on, and each webhook reaches it once', async () => {
  const simulator = await startScopedSimulator()
  const organization = await connectSandbox({ url: simulator.pagesUrl }).organization('demo-merchant')
  const receiver = await openWebhookReceiver()
  const secrets = new Set<string | undefined>()
  for (let restart = 0; restart < 25; restart += 1)
    secrets.add((await organization.webhooks.sendTo(`listen+${receiver.url}`)).secret)
  const { secret, stop } = await organization.webhooks.forwardTo(receiver.url)
  expect(secrets).toEqual(new Set([secret]))
  const transactionId = await initiateIris(merchantOf(simulator))
  await organization.webhooks.waitFor('PAYMENT_INITIATE', { transactionId })
  await pollUntil(
    () => receiver.received.length,
    count => count > 0,
  )
  await organization.clock.drain()
  await stop()
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(ids.length)
})

const at = (port: number, rest = '/webhooks', host = '127.0.0.1') => ({ url: `http://${host}:${port}${rest}` })

test.each(['', 'listen+'])(
  '6: a shop that starts 25 times, each time on another port, works on: %shttp',
  async kind => {
    const simulator = await startScopedSimulator()
    const { get, post } = organizationControl(simulator)
    const organization = await connectSandbox({ url: simulator.pagesUrl }).organization('demo-merchant')
    for (let restart = 0; restart < 25; restart += 1) {
      const { status, body } = await post('webhooks', { url: `${kind}${at(20_000 + restart).url}` })
      expect({ restart, status }).toEqual({ restart, status: 201 })
      expect(body).toMatchObject({
        url: `${kind}${at(20_000 + restart).url}`,
        secret: expect.stringContaining('whsec_'),
      })
    }
    const receiver = await openWebhookReceiver()
    const url = new URL('/webhooks', receiver.url).href
    if (kind === '') await organization.webhooks.sendTo(url)
    else onTestFinished((await organization.webhooks.forwardTo(url)).stop)
    const transactionId = await initiateIris(merchantOf(simulator))
    await pollUntil(
      () => receiver.received.map(({ json }) => json?.transactionId),
      ids => ids.includes(transactionId),
    )
    const urls = (await get('webhooks')).body.webhooks.map((one: { url: string }) => one.url)
    expect(urls).toHaveLength(20)
    expect(urls).toEqual(expect.arrayContaining([`${kind}${at(20_024).url}`, `${kind}${at(20_006).url}`]))
  },
)

test('6: an endpoint that answered its last webhook, or that is elsewhere, gives way to no other port', async () => {
  const simulator = await startScopedSimulator({ webhookTimeout: 500 })
  const { get, post, advance } = organizationControl(simulator)
  const shop = await openWebhookReceiver()
  await post('webhooks', { url: shop.url })
  for (const [nth, host] of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '127.0.0.2', '[::1]', 'localhost'].entries())
    for (const rest of ['/a', '/b', '/c']) await post('webhooks', at(3_000 + nth, rest, host))
  await post('webhooks', { url: `listen+${shop.url}` })
  const before = (await get('webhooks')).body.webhooks
  expect(before).toHaveLength(20)
  await initiateIris(merchantOf(simulator))
  await pollUntil(
    () => shop.received.length,
    count => count > 0,
  )
  await advance('PT0S')
  const rest = shop.url.replace(/^.*:\d+/, '')
  for (const refused of [at(4_000, rest), at(4_000, '/a', '203.0.113.1'), at(4_000, '/d', 'localhost')])
    expect(await post('webhooks', refused)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('20') },
    })
  expect((await get('webhooks')).body.webhooks).toEqual(before)
  expect(await post('webhooks', at(4_000, '/a', 'localhost'))).toMatchObject({ status: 201 })
})

import { expect, test } from 'vitest'
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

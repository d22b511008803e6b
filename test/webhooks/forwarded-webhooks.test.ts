import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectSandbox } from '../../fixtures/connect-sandbox.ts'
import { lineOf } from '../../fixtures/listen/command.ts'
import { ROOT } from '../architecture/read-source-files.ts'
import { controlClient, organizationControl } from '../support/control-client.ts'
import { pollUntil } from '../support/poll-until.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

/** A sandbox that may call no private address, as one in a container cannot reach a shop beside it. */
const sandboxApart = async () => {
  const simulator = await startScopedSimulator({ webhookPrivate: [], webhookTimeout: 10_000 })
  const organization = await connectSandbox({ url: simulator.pagesUrl }).organization('demo-merchant')
  return { simulator, organization, control: organizationControl(simulator) }
}

test('6: a listener makes the deliveries of its endpoint, signed for its address and repeated by the schedule', async () => {
  const { simulator, organization, control } = await sandboxApart()
  const receiver = await openWebhookReceiver(nth => ({
    status: nth === 1 ? 500 : 204,
    headers: { 'x-shop': String(nth) },
  }))
  const { secret = '', stop, url } = await organization.webhooks.forwardTo(receiver.url)
  expect(url).toBe(`listen+${receiver.url}`)
  const merchant = merchantOf(simulator)
  const id = await initiateIris(merchant)
  const firstDelivery = async () => (await control.get('deliveries')).body.deliveries.at(-1)
  await pollUntil(firstDelivery, delivery => delivery?.attempts.length === 1)
  await control.advance('PT1H')
  const delivery = await pollUntil(firstDelivery, ({ state }) => state === 'delivered')
  expect(delivery.attempts).toMatchObject([
    { response: { status: 500, headers: { 'x-shop': '1' } }, request: { url: receiver.url } },
    { response: { status: 204 } },
  ])
  const [, again] = receiver.received
  expect(again?.json).toMatchObject({ transactionId: id })
  const header = (name: string) => again?.headers[name]
  const webhook = { method: 'POST', target: again?.target ?? '', header, body: again?.body ?? Buffer.of() } as const
  expect(await merchant.verifyWebhook(webhook as never, [secret])).toMatchObject({ ok: true })
  await stop()
  expect((await control.get('webhooks')).body.webhooks).toEqual([])
})

test('7.2: a listener posts to the address that it was given, whatever the endpoint names by now', async () => {
  const { simulator, organization, control } = await sandboxApart()
  const [mine, elsewhere] = [await openWebhookReceiver(), await openWebhookReceiver()]
  const { stop, endpointId } = await organization.webhooks.forwardTo(mine.url)
  const endpoint = `${simulator.pagesUrl}/control/organizations/demo-merchant/webhooks/${endpointId}`
  await fetch(endpoint, { method: 'PATCH', body: JSON.stringify({ url: `listen+${elsewhere.url}` }) })
  await initiateIris(merchantOf(simulator))
  const { attempts } = await pollUntil(
    async () => (await control.get('deliveries')).body.deliveries.at(-1),
    delivery => delivery?.attempts.length === 1,
  )
  expect(attempts[0].error).toBe(
    `The listener forwards to ${mine.url} alone, and the endpoint names another address by now.`,
  )
  expect([mine.received, elsewhere.received]).toEqual([[], []])
  await stop()
})

test('6: what a listener cannot deliver, and what nobody fetches, are failed attempts with their reason', async () => {
  const { simulator, organization, control } = await sandboxApart()
  const receiver = await openWebhookReceiver()
  await receiver.close()
  const { stop } = await organization.webhooks.forwardTo(receiver.url)
  await initiateIris(merchantOf(simulator))
  const attempts = async () => (await control.get('deliveries')).body.deliveries.flatMap((one: Told) => one.attempts)
  const [refused] = await pollUntil(attempts, told => told.length === 1)
  expect(refused.error).toContain('ECONNREFUSED')
  await stop()
  const impatient = await startScopedSimulator({ webhookTimeout: 50 })
  const other = organizationControl(impatient)
  const { body } = await other.post('webhooks', { url: 'listen+http://localhost:3000' })
  expect(body.url).toBe('listen+http://localhost:3000/')
  await initiateIris(merchantOf(impatient))
  const [unheard] = await pollUntil(
    async () => (await other.get('deliveries')).body.deliveries[0]?.attempts ?? [],
    told => told.length === 1,
  )
  expect(unheard.error).toBe('No listener answered within 0.05 s: is "assay listen" running?')
  await initiateIris(merchantOf(impatient))
  const taken = await other.get(`webhooks/${body.endpointId}/listen`)
  expect(taken.body).toMatchObject({ timeoutMilliseconds: 50 })
  const [untold] = await pollUntil(
    async () => (await other.get('deliveries')).body.deliveries[0]?.attempts ?? [],
    told => told.length === 1,
  )
  expect(untold.error).toBe(
    'No response within 0.05 s: "assay listen" took the webhook, and its address did not respond.',
  )
  const late = await other.post(`webhooks/${body.endpointId}/listen/none`, { response: { status: 200 } })
  expect([late.status, late.body.error]).toEqual([404, expect.stringContaining('came too late')])
  for (const wrong of [
    {},
    { response: { status: '200' } },
    { error: 'x', response: { status: 200 } },
    { response: { status: 200, headers: { a: 1 } } },
  ])
    expect((await other.post(`webhooks/${body.endpointId}/listen/none`, wrong)).status).toBe(400)
})

test('6: no listener fetches the webhooks of an endpoint that the sandbox calls itself', async () => {
  const { simulator, control } = await sandboxApart()
  const { endpointId } = (await control.post('webhooks', { url: 'http://127.0.0.1:9/hooks' })).body
  const refused = {
    status: 409,
    body: {
      error:
        'The sandbox calls http://127.0.0.1:9/hooks itself: register listen+http://127.0.0.1:9/hooks to fetch its webhooks here.',
    },
  }
  expect(await control.get(`webhooks/${endpointId}/listen`)).toEqual(refused)
  await controlClient(simulator)('PATCH', `organizations/demo-merchant/webhooks/${endpointId}`, { enabled: false })
  expect(await control.get(`webhooks/${endpointId}/listen`)).toEqual(refused)
})

test('a listener tells the beginning of a long response, and each attempt is made once', async () => {
  const { simulator, organization, control } = await sandboxApart()
  const receiver = await openWebhookReceiver(() => ({ body: '\0'.repeat(100_000) }))
  const { stop } = await organization.webhooks.forwardTo(receiver.url)
  await initiateIris(merchantOf(simulator))
  const first = async () => (await control.get('deliveries')).body.deliveries.at(-1)
  const { attempts } = await pollUntil(first, delivery => delivery?.attempts.length > 0)
  expect(attempts).toMatchObject([{ response: { status: 200, body: '\0'.repeat(4_096) } }])
  expect(receiver.received).toHaveLength(1)
  await stop()
})

test('a listener prints the type and the payment of a webhook, whatever the dialect', async () => {
  const { simulator, organization, control } = await sandboxApart()
  const lines: string[] = []
  const receiver = await openWebhookReceiver()
  const { stop } = await organization.webhooks.forwardTo(receiver.url, undefined, told => lines.push(lineOf(told)))
  await control.put('dialect', { profile: "naming: snake_case\nmembers: { webhook: { '': /data } }\n" })
  const { pagesUrl: url } = simulator
  const merchant = (await connectSandbox({ url }).organization('demo-merchant')).merchant()
  onTestFinished(() => merchant.close())
  const id = await initiateIris(merchant)
  await pollUntil(
    () => lines,
    ({ length }) => length === 1,
  )
  expect(receiver.received[0]?.json).toMatchObject({ data: { transaction_id: id } })
  expect(lines[0]?.trim().split(/ {2,}/).slice(1)).toEqual(['PAYMENT_INITIATE', id, '200'])
  await stop()
})

test('6: a webhook left without a response fails in its time, and the next one goes out', async () => {
  const simulator = await startScopedSimulator({ webhookTimeout: 1_000 })
  const organization = await connectSandbox({ url: simulator.pagesUrl }).organization('demo-merchant')
  const lines: string[] = []
  const receiver = await openWebhookReceiver(nth => ({ silent: nth === 1 }))
  const { stop } = await organization.webhooks.forwardTo(receiver.url, undefined, told => lines.push(lineOf(told)))
  const merchant = merchantOf(simulator)
  for (let payment = 0; payment < 3; payment += 1) await initiateIris(merchant)
  await pollUntil(
    () => lines,
    ({ length }) => length === 3,
  )
  const { deliveries } = (await organizationControl(simulator).get('deliveries')).body
  expect(deliveries.map(({ state }: { state: string }) => state).sort()).toEqual(['delivered', 'delivered', 'waiting'])
  const { attempts } = deliveries.find(({ state }: { state: string }) => state === 'waiting')
  const reason = 'No response within 1 s: "assay listen" took the webhook, and its address did not respond.'
  expect(attempts).toMatchObject([{ error: reason }])
  expect(lines.map(line => line.trim().split(/ {2,}/).at(-1))).toEqual(['No response within 1 s.', '200', '200'])
  await stop()
})

test('6: moving the clock waits for a forwarded webhook as for any other, and leaves no later one behind', async () => {
  const simulator = await startScopedSimulator({ webhookTimeout: 1_000 })
  const organization = await connectSandbox({ url: simulator.pagesUrl }).organization('demo-merchant')
  const receiver = await openWebhookReceiver(nth => ({ silent: nth === 1 }))
  const { endpointId, stop } = await organization.webhooks.forwardTo(receiver.url)
  const merchant = merchantOf(simulator)
  for (let payment = 0; payment < 2; payment += 1) await initiateIris(merchant)
  expect(await organization.clock.drain()).toMatchObject({ unresponsive: [endpointId] })
  const deliveries = async () => (await organizationControl(simulator).get('deliveries')).body.deliveries
  await pollUntil(deliveries, told => told.every(({ state }: { state: string }) => state === 'delivered'))
  await stop()
})

test.each(['gzip', 'deflate', 'br'])(
  'a 2xx acknowledges a forwarded webhook though its body is not the %s that it says',
  async encoding => {
    const { simulator, organization, control } = await sandboxApart()
    const receiver = await openWebhookReceiver(() => ({
      headers: { 'content-encoding': encoding },
      body: 'no such encoding',
    }))
    const { stop } = await organization.webhooks.forwardTo(receiver.url)
    await initiateIris(merchantOf(simulator))
    const first = async () => (await control.get('deliveries')).body.deliveries.at(-1)
    const { state, attempts } = await pollUntil(first, delivery => delivery?.attempts.length > 0)
    expect([state, attempts]).toMatchObject(['delivered', [{ response: { status: 200, body: '' } }]])
    await stop()
  },
)

test('a server at a port that fetch blocks is told to take another one', async () => {
  const { simulator, organization, control } = await sandboxApart()
  const { stop } = await organization.webhooks.forwardTo('http://127.0.0.1:6000/hooks')
  await initiateIris(merchantOf(simulator))
  const first = async () => (await control.get('deliveries')).body.deliveries.at(-1)
  const { attempts } = await pollUntil(first, delivery => delivery?.attempts.length > 0)
  const error = 'fetch blocks port 6000, as browsers do: let your server listen at another one.'
  expect(attempts).toMatchObject([{ error }])
  await stop()
})

test('a response that breaks off is a failed attempt', async () => {
  const { simulator, organization, control } = await sandboxApart()
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('abc', () => {
      response.destroy()
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { stop } = await organization.webhooks.forwardTo(`http://127.0.0.1:${port}/hooks`)
  await initiateIris(merchantOf(simulator))
  const first = async () => (await control.get('deliveries')).body.deliveries.at(-1)
  const { state, attempts } = await pollUntil(first, delivery => delivery?.attempts.length > 0)
  expect([state, attempts]).toMatchObject(['waiting', [{ error: expect.any(String) }]])
  await stop()
})

test('a listener says where the sandbox does not take an outcome', async () => {
  const { simulator, organization, control } = await sandboxApart()
  const lines: string[] = []
  const receiver = await openWebhookReceiver(async () => {
    await control.delete(`webhooks/${endpointId}`)
    return {}
  })
  const forwarding = await organization.webhooks.forwardTo(receiver.url, undefined, told => lines.push(lineOf(told)))
  const { endpointId } = forwarding
  await initiateIris(merchantOf(simulator))
  await forwarding.ended
  expect(lines[0]).toMatch(/200, not noted: .*\n$/)
})

test('a refused connection to this machine names the cure for a receiver elsewhere', async () => {
  const simulator = await startScopedSimulator()
  const control = organizationControl(simulator)
  const receiver = await openWebhookReceiver()
  await receiver.close()
  await control.post('webhooks', { url: receiver.url })
  await initiateIris(merchantOf(simulator))
  const attempts = async () => (await control.get('deliveries')).body.deliveries[0]?.attempts ?? []
  const [{ error }] = await pollUntil(attempts, told => told.length === 1)
  expect(error).toMatch(
    /^ECONNREFUSED: nothing listens at 127\.0\.0\.1:\d+ where the sandbox runs\. .*assay listen --forward-to/,
  )
})

test('assay listen forwards until it is told to stop, and goes on with the same secret when it is started again', async () => {
  const { simulator, control } = await sandboxApart()
  const receiver = await openWebhookReceiver()
  const listen = (...argv: string[]) =>
    spawn(process.execPath, [join(ROOT, 'bin/assay.js'), 'listen', '--url', simulator.pagesUrl, ...argv])
  const listening = listen('--forward-to', receiver.url)
  let said = ''
  listening.stdout.on('data', chunk => {
    said += chunk
  })
  const lines = (count: number) =>
    pollUntil(
      () => said.split('\n'),
      told => told.length > count,
    )
  expect((await lines(1))[0]).toMatch(
    /^Webhooks of demo-merchant go to http:.*; whsec_\S+ verifies them\. Ctrl-C ends this\.$/,
  )
  await initiateIris(merchantOf(simulator))
  expect((await lines(2))[1]).toMatch(/^\d\d:\d\d:\d\d {2}PAYMENT_INITIATE +[0-9a-f-]{36} +200$/)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) listening.kill(signal) // one, to a group
  expect(await once(listening, 'exit')).toEqual([0, null])
  expect((await control.get('webhooks')).body.webhooks).toMatchObject([{ enabled: false }])
  const again = listen('--forward-to', receiver.url)
  const [greeting] = await once(again.stdout, 'data')
  expect(String(greeting).split('\n')[0]).toBe(said.split('\n')[0])
  expect((await control.get('webhooks')).body.webhooks).toMatchObject([{ enabled: true }])
  again.kill('SIGTERM')
  await once(again, 'exit')
  for (const wrong of [[], ['--forward-to', 'localhost:3000'], ['--to', 'x']]) {
    const refused = listen(...wrong)
    const [[sentence], [code]] = await Promise.all([once(refused.stderr, 'data'), once(refused, 'exit')])
    expect([String(sentence).trim().split('\n').length, code]).toEqual([1, 2])
  }
})

/** Runs `assay listen`, lets its endpoint go wrong once it forwards, and returns its exit code and last words. */
const listenUntilEnd = async (
  url: string,
  goWrong: () => Promise<unknown> = async () => {},
  to = 'http://127.0.0.1:9/webhooks',
) => {
  const argv = ['--url', url, '--forward-to', to]
  const listening = spawn(process.execPath, [join(ROOT, 'bin/assay.js'), 'listen', ...argv])
  let said = ''
  listening.stderr.on('data', chunk => {
    said += chunk
  })
  const ended = once(listening, 'close')
  await Promise.race([once(listening.stdout, 'data').then(goWrong), ended])
  const [code] = await ended
  return { code, said }
}

test('a call that waits for a webhook to forward is refused soon after its endpoint is gone', async () => {
  const { control } = await sandboxApart()
  for (const end of [(path: string) => control.delete(path), () => control.post('reset')]) {
    const { body } = await control.post('webhooks', { url: 'listen+http://localhost:3000' })
    const path = `webhooks/${body.endpointId}`
    const begin = performance.now()
    const waiting = control.get(`${path}/listen?atMost=PT25S`)
    await end(path)
    expect((await waiting).status).toBe(404)
    expect(performance.now() - begin).toBeLessThan(15_000)
  }
})

test('assay listen ends with one sentence when its endpoint is gone', async () => {
  const { simulator, control } = await sandboxApart()
  const said =
    'The endpoint for http://127.0.0.1:9/webhooks was deleted, as by a reset of demo-merchant: start assay listen again.\n'
  expect(await listenUntilEnd(simulator.pagesUrl, () => control.post('reset'))).toEqual({ code: 1, said })
})

test('two listeners at one address share its attempts, and one ends with a sentence once the other has disabled it', async () => {
  const { simulator, organization, control } = await sandboxApart()
  const receiver = await openWebhookReceiver()
  const [one, other] = [
    await organization.webhooks.forwardTo(receiver.url),
    await organization.webhooks.forwardTo(receiver.url),
  ]
  const merchant = merchantOf(simulator)
  for (let payment = 0; payment < 5; payment += 1) await initiateIris(merchant)
  const delivered = async () =>
    (await control.get('deliveries')).body.deliveries.filter(({ state }: { state: string }) => state === 'delivered')
  await pollUntil(delivered, ({ length }) => length === 5)
  expect(receiver.received).toHaveLength(5)
  await one.pause()
  await expect(other.ended).rejects.toThrow(
    'The endpoint is disabled, and nothing is sent to it (Disabled by hand.): start assay listen again, which enables it.',
  )
})

test('assay listen ends with one sentence when its endpoint was disabled, as by 410', async () => {
  const { simulator } = await sandboxApart()
  const receiver = await openWebhookReceiver(() => ({ status: 410 }))
  const goWrong = () => initiateIris(merchantOf(simulator))
  expect(await listenUntilEnd(simulator.pagesUrl, goWrong, receiver.url)).toEqual({
    code: 1,
    said: 'The endpoint is disabled, and nothing is sent to it (The receiver answered 410: it is gone.): start assay listen again, which enables it.\n',
  })
})

test('Ctrl-C ends assay listen with 0, also after its sandbox has stopped', async () => {
  const { simulator } = await sandboxApart()
  const argv = ['listen', '--url', simulator.pagesUrl, '--forward-to', 'http://127.0.0.1:9/webhooks']
  const listening = spawn(process.execPath, [join(ROOT, 'bin/assay.js'), ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void listening.kill('SIGKILL'))
  await once(listening.stdout, 'data')
  await simulator.stop()
  listening.kill('SIGINT')
  expect(await once(listening, 'exit')).toEqual([0, null])
})

test('stop ends forwarding, also after the sandbox has stopped', async () => {
  const { simulator, organization } = await sandboxApart()
  const { stop } = await organization.webhooks.forwardTo('http://127.0.0.1:9/webhooks')
  await simulator.stop()
  await stop()
})

test('stop does not wait for a receiver that hangs', { timeout: 20_000 }, async () => {
  const { simulator, organization, control } = await sandboxApart()
  const receiver = await openWebhookReceiver(() => ({ silent: true }))
  const { pause } = await organization.webhooks.forwardTo(receiver.url)
  await initiateIris(merchantOf(simulator))
  await pollUntil(
    () => receiver.received,
    ({ length }) => length > 0,
  )
  await pause()
  const [delivery] = (await control.get('deliveries')).body.deliveries
  expect(delivery.attempts).toMatchObject([{ error: 'The listener was stopped before the server responded.' }])
})

test('assay listen ends with the sentence of a sandbox that refuses it the next webhook', async () => {
  const sandbox = createServer((request, response) => {
    const isListen = request.url?.endsWith('/listen')
    const body = isListen ? { error: 'The token was revoked.' } : { organizationId: 'demo-merchant', endpointId: 'one' }
    response.writeHead(isListen ? 401 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void sandbox.close())
  await once(sandbox, 'listening')
  const { port } = sandbox.address() as AddressInfo
  expect(await listenUntilEnd(`http://127.0.0.1:${port}`)).toEqual({
    code: 1,
    said: 'The token was revoked: give one that the operator gave you as --token ("token" in a test), or set ASSAY_CONTROL_TOKEN.\n',
  })
})

type Told = { attempts: { error?: string }[] }

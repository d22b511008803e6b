import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectSandbox, SandboxError } from '../../fixtures/connect-sandbox.ts'
import { SandboxUnreachableError } from '../../fixtures/control-api-client.ts'
import type { Forwarded } from '../../fixtures/listen/forward-webhooks.ts'
import { pollUntil } from '../support/poll-until.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

type Answer = readonly [status: number, type: string, body: string]

/** What proxies and a sandbox that is not ready answer while the sandbox restarts. */
const OUTAGES: readonly Answer[] = [
  [502, 'text/html', '<h1>502 Bad Gateway</h1>'],
  [503, 'text/plain', 'no healthy upstream'],
  [504, 'text/html', '<h1>504 Gateway Time-out</h1>'],
  [502, 'application/json', '{"message": "An invalid response was received from the upstream server"}'],
  [503, 'application/json', '{"message": "name resolution failed"}'],
]

/** Answers of control itself while its database restarts. */
const NOT_READY: readonly Answer[] = [
  [500, 'application/json', '{"error": "The service failed unexpectedly."}'],
  [503, 'application/json', '{"error": "The sandbox or its database is not ready."}'],
]

/** Path of the sandbox at the proxy: the `fetch` of tests takes every path below /control for the sandbox's own. */
const PREFIX = '/sandbox'

/** A sandbox behind a proxy, which answers by itself what `answerOf` gives for a method and path. */
const sandboxBehindProxy = async (webhookTimeout = 10_000) => {
  const simulator = await startScopedSimulator({ webhookPrivate: [], webhookTimeout })
  const upstream = new URL(simulator.pagesUrl)
  let answerOf: (call: string) => Answer | undefined = () => undefined
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    const path = url.replace(PREFIX, '')
    const answer = answerOf(`${method} ${path}`)
    if (answer) {
      incoming.resume()
      return void outgoing.writeHead(answer[0], { 'content-type': answer[1] }).end(answer[2])
    }
    const onward = request({ host: upstream.hostname, port: upstream.port, method, path, headers }, response => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers)
      response.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close())
  onTestFinished(() => proxy.closeAllConnections())
  await once(proxy, 'listening')
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${PREFIX}`
  const organization = await connectSandbox({ url }).organization('demo-merchant')
  return { simulator, url, organization, answer: (by: typeof answerOf) => (answerOf = by) }
}

test('6: forwarding goes on after every answer of a proxy whose sandbox restarts', { timeout: 60_000 }, async () => {
  const { simulator, organization, answer } = await sandboxBehindProxy()
  const merchant = merchantOf(simulator)
  const receiver = await openWebhookReceiver()
  const forwarding = await organization.webhooks.forwardTo(receiver.url)
  const outages = [...OUTAGES, ...NOT_READY]
  for (const [nth, outage] of outages.entries()) {
    let asked = 0
    answer(call => (/^GET .*\/listen/.test(call) && asked++ === 0 ? outage : undefined))
    await initiateIris(merchant) // ends the call that waits
    const came = () => [asked, receiver.received.length] as const
    await Promise.race([pollUntil(came, ([asks, count]) => asks > 1 && count > nth), forwarding.ended])
    expect({ outage, count: receiver.received.length }).toEqual({ outage, count: nth + 1 })
  }
  await forwarding.stop()
})

test('6: an outcome that a proxy does not hand on is told as that, and forwarding goes on', async () => {
  const { simulator, organization, answer } = await sandboxBehindProxy(500) // the next attempt waits until this one is over
  const receiver = await openWebhookReceiver()
  const told: Forwarded[] = []
  const forwarding = await organization.webhooks.forwardTo(receiver.url, undefined, one => told.push(one))
  for (const [nth, outage] of OUTAGES.entries()) {
    answer(call => (/^POST .*\/listen\//.test(call) ? outage : undefined))
    await initiateIris(merchantOf(simulator))
    await Promise.race([
      pollUntil(
        () => told.length,
        count => count > nth,
      ),
      forwarding.ended,
    ])
    expect(told[nth]?.unnoted).toContain(`answered ${outage[0]}`)
  }
  answer(call => (call.startsWith('DELETE') ? OUTAGES[0] : undefined))
  await forwarding.stop() // a sandbox that has stopped is no error
})

test('a call that a proxy answers for a sandbox that does not respond fails as one that nobody answers', async () => {
  const { url, organization, answer } = await sandboxBehindProxy()
  for (const [status, ...rest] of OUTAGES) {
    answer(() => [status, ...rest])
    for (const call of [() => organization.webhooks.waitFor('PAYMENT_INITIATE'), () => organization.clock.drain()]) {
      const error = await call().catch(error => error)
      expect(error).toBeInstanceOf(SandboxUnreachableError)
      expect(error.message).toMatch(
        new RegExp(
          `^${url}/\\S* answered ${status}, as a proxy does whose sandbox does not respond: is it running\\?$`,
        ),
      )
    }
  }
  answer(() => [404, 'text/html', 'Not found'])
  const stranger = await organization.clock.drain().catch(error => error)
  expect(stranger).toBeInstanceOf(SandboxError)
  expect(stranger).not.toBeInstanceOf(SandboxUnreachableError)
})

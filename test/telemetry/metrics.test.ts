import { expect, test } from 'vitest'
import { pollUntil } from '../support/poll-until.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import { initiateIris, irisRequestOf, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const read = async (url: string, headers: HeadersInit = {}) => {
  const response = await fetch(`${url}/metrics`, { headers })
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') }
}

/** The value of a metric whose labels include these, undefined where there is none. */
const metricOf = (text: string, name: string, ...labels: readonly string[]): number | undefined => {
  const line = text.split('\n').find(one => one.startsWith(name) && labels.every(label => one.includes(label)))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

test('calls are counted by operation, status, refusing layer and class of organization', async () => {
  const simulator = await startScopedSimulator({ metrics: 'on' })
  const merchant = merchantOf(simulator)
  await initiateIris(merchant)
  await initiateIris(merchant)
  await merchant.initiate({ ...irisRequestOf(merchant), returnUrl: 7 } as never)
  const { status, text, type } = await read(simulator.pagesUrl)
  expect([status, type]).toEqual([200, expect.stringMatching(/^text\/plain; version=/)])
  const calls = (...labels: string[]) => metricOf(text, 'assay_api_calls_total', 'operation="initiate"', ...labels)
  expect(calls('status="200"', 'layer="none"', 'organization="demo"')).toBe(2)
  expect(calls('status="400"', 'layer="validation"', 'organization="demo"')).toBe(1)
  expect(metricOf(text, 'assay_api_call_duration_seconds_count', 'operation="initiate"')).toBe(3)
  for (const name of ['assay_build_info', 'nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'])
    expect(metricOf(text, name), name).toBeGreaterThan(0)
  expect(text).not.toContain('demo-merchant')
})

test('jobs and webhooks are measured in real time from their due time, however a clock is moved', async () => {
  const simulator = await startScopedSimulator({ metrics: 'on' })
  const receiver = await openWebhookReceiver()
  const { controlPlane, pagesUrl } = simulator
  await controlPlane.endpoints.add('demo-merchant', { url: receiver.url })
  await initiateIris(merchantOf(simulator))
  await fetch(`${pagesUrl}/control/organizations/demo-merchant/clock`, {
    method: 'POST',
    body: JSON.stringify({ scale: 1_000_000 }),
  })
  const count = (text: string, name: string) => metricOf(text, `assay_${name}_lag_seconds_count`) ?? 0
  const text = await pollUntil(
    async () => (await read(pagesUrl)).text,
    found => count(found, 'webhook') > 0 && count(found, 'job') > 0,
  )
  for (const name of ['job', 'webhook']) expect(metricOf(text, `assay_${name}_lag_seconds_sum`)).toBeLessThan(3_600)
})

test('metrics are for the operator alone, and are off unless they are wanted', async () => {
  const closed = await startScopedSimulator({ metrics: 'on', controlToken: 'hush' })
  expect(await read(closed.pagesUrl)).toMatchObject({ status: 401 })
  const { controlTokens } = closed.controlPlane
  const { token } = await controlTokens.create('demo-merchant', 'mine', 'admin')
  expect(await read(closed.pagesUrl, { authorization: `Bearer ${token}` })).toMatchObject({ status: 403 })
  expect(await read(closed.pagesUrl, { authorization: 'Bearer hush' })).toMatchObject({ status: 200 })

  const off = await startScopedSimulator()
  expect(await read(off.pagesUrl)).toMatchObject({ status: 404, text: expect.stringContaining('--metrics on') })
})

test('the metrics token reads the metrics, and nothing else', async () => {
  const bearer = { authorization: 'Bearer scrape' }
  for (const controlToken of ['hush', undefined]) {
    const { pagesUrl } = await startScopedSimulator({ metrics: 'on', metricsToken: 'scrape', controlToken })
    expect(await read(pagesUrl, bearer)).toMatchObject({ status: 200 })
    expect(await read(pagesUrl)).toMatchObject({ status: 401 })
    expect(await read(pagesUrl, { authorization: 'Bearer wrong' })).toMatchObject({ status: 401 })
    if (controlToken === undefined) continue
    expect(await read(pagesUrl, { authorization: `Bearer ${controlToken}` })).toMatchObject({ status: 200 })
    expect((await fetch(`${pagesUrl}/control/organizations`, { headers: bearer })).status).toBe(401)
  }
})

test('GET /version names the version, and needs no token', async () => {
  const { pagesUrl } = await startScopedSimulator({ controlToken: 'hush' })
  expect(await (await fetch(`${pagesUrl}/version`)).json()).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    node: process.version,
  })
})

import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { readEventStream } from '../support/event-stream.ts'
import { pollUntil } from '../support/poll-until.ts'
import { irisRequestOf, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const PORTAL = '/portal/organizations/demo-merchant'
const here = 'organizations/demo-merchant'

const topicsOf = ({ told }: { told: { data: string }[] }) => [...new Set(told.flatMap(({ data }) => data.split(' ')))]

test('the stream of the portal tells which topics have changed, and nothing else', async () => {
  const simulator = await startScopedSimulator()
  const control = (path: string, body: object) =>
    fetch(`${simulator.pagesUrl}/control/${here}${path}`, { method: 'POST', body: JSON.stringify(body) })
  const line = await readEventStream(`${simulator.pagesUrl}${PORTAL}/stream`)
  expect(line.response.headers.get('content-type')).toBe('text/event-stream')
  expect(line.response.headers.get('content-encoding')).toBeNull()
  const hears = (...topics: string[]) =>
    pollUntil(
      () => topicsOf(line),
      heard => topics.every(topic => heard.includes(topic)),
    )
  const merchant = merchantOf(simulator)
  await merchant.status('nothing')
  await hears('calls')
  expect(topicsOf(line)).toEqual(['calls'])
  await merchant.initiate(irisRequestOf(merchant))
  await hears('payments', 'webhooks')
  await control('/clock', { advance: 'PT1S' })
  await control('/blik/codes', {})
  await hears('clock', 'shoppers')
  await control('/faults', { operation: 'capture', kind: 'timeout', done: 'yes' })
  await hears('settings')
  expect(line.told.every(({ event, id }) => event === 'changed' && /^\d+$/.test(id))).toBe(true)
  line.stop()
})

test('a read changes nothing: no page is told of it but for the call', async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  const initiated = await merchant.initiate(irisRequestOf(merchant))
  if (!initiated.ok) throw new Error('not initiated')
  const seen = simulator.controlPlane.changes.position('demo-merchant')
  const line = await readEventStream(`${simulator.pagesUrl}${PORTAL}/stream?seen=${seen}`)
  await merchant.status(initiated.body.transactionId)
  await pollUntil(
    () => topicsOf(line),
    heard => heard.length > 0,
  )
  expect(topicsOf(line)).toEqual(['calls'])
  line.stop()
})

test('a stream that is opened again is told of what it missed, also by another run of the server', async () => {
  const simulator = await startScopedSimulator()
  const url = `${simulator.pagesUrl}${PORTAL}/stream`
  const seen = simulator.controlPlane.changes.position('demo-merchant')
  await merchantOf(simulator).status('missed')
  const opened = [
    await readEventStream(`${url}?seen=${seen}`),
    await readEventStream(url, { 'last-event-id': seen }),
    await readEventStream(`${url}?seen=1`),
  ]
  for (const line of opened) {
    await pollUntil(
      () => line.told.length,
      count => count > 0,
    )
    expect(topicsOf(line)).toContain('calls')
    expect(line.heard[0]).toBe('retry: 1000')
    line.stop()
  }
})

test('calls of nobody known have a stream of their own', async () => {
  const simulator = await startScopedSimulator()
  const line = await readEventStream(`${simulator.pagesUrl}/portal/stream`)
  const stranger = merchantOf(simulator)
  await stranger.request('status', { path: { transactionId: 'x' } }, { connection: { identity: null }, token: 'none' })
  await pollUntil(
    () => line.told.length,
    count => count > 0,
  )
  expect(topicsOf(line)).toEqual(['calls'])
  line.stop()
})

test('the stream of a shopper tells the stage of that payment alone, and needs no token', async () => {
  const simulator = await startScopedSimulator({ controlToken: 'secret' })
  const merchant = merchantOf(simulator)
  const [mine, other] = [
    await merchant.initiate(irisRequestOf(merchant)),
    await merchant.initiate(irisRequestOf(merchant)),
  ]
  if (!mine.ok || !other.ok) throw new Error('not initiated')
  const line = await readEventStream(`${mine.body.providerDetails.redirectUrl}/stream`)
  const stages = () => line.told.map(({ data }) => JSON.parse(data).stage)
  await pollUntil(stages, told => told.length === 1)
  const decide = (transactionId: string) =>
    simulator.controlPlane.shopper.act('demo-merchant', transactionId, 'decline')
  await decide(other.body.transactionId)
  await merchant.status(other.body.transactionId)
  await decide(mine.body.transactionId)
  await pollUntil(stages, told => told.length >= 2)
  expect(stages()).toEqual(['waiting', 'declined'])
  expect(Object.keys(JSON.parse(line.told[0]?.data ?? ''))).toEqual(['stage', 'now', 'rate', 'expiresAt'])
  line.stop()
  const portal = await fetch(`${simulator.pagesUrl}${PORTAL}/stream`, { redirect: 'manual' })
  expect(portal.status).toBe(303)
})

test('too many streams of one organization are refused, those of others are not', async () => {
  const simulator = await startScopedSimulator()
  await fetch(`${simulator.pagesUrl}/control/organizations`, { method: 'POST', body: '{"id":"other"}' })
  const lines = []
  for (let at = 0; at < 100; at += 1) lines.push(await readEventStream(`${simulator.pagesUrl}${PORTAL}/stream`))
  const refused = await fetch(`${simulator.pagesUrl}${PORTAL}/stream`)
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringMatching(/Too many pages are open/)])
  const other = await readEventStream(`${simulator.pagesUrl}/portal/organizations/other/stream`)
  expect(other.response.status).toBe(200)
  for (const line of [other, ...lines]) line.stop()
  await pollUntil(
    () => simulator.controlPlane.changes.hasRoom('demo-merchant', 'operators'),
    hasRoom => hasRoom,
  )
}, 30_000)

test('a stream ends when the simulator stops, and a reader that does not read delays no call', async () => {
  const simulator = await startScopedSimulator()
  const { port, host } = new URL(simulator.pagesUrl)
  const socket = connect(Number(port), '127.0.0.1')
  socket.pause()
  socket.write(`GET ${PORTAL}/stream HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const line = await readEventStream(`${simulator.pagesUrl}${PORTAL}/stream`)
  const merchant = merchantOf(simulator)
  for (let at = 0; at < 50; at += 1) await merchant.status(`call-${at}`)
  socket.destroy()
  await simulator.stop()
  expect(await line.over).toBe('ended')
}, 30_000)

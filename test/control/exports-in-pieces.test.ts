import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import type { ControlPlaneFeatures } from '../../simulator/compose-control-plane.ts'
import { addJournalRoutes } from '../../simulator/control/journal-routes.ts'
import { requireOrganization } from '../../simulator/control/organization-of-path.ts'
import { createTurnsInOrganizations } from '../../simulator/control/take-turns-in-organization.ts'
import { listen } from '../../simulator/http/listen.ts'
import { createJournal, type Journal } from '../../simulator/journal/journal.ts'
import { createJournalReader } from '../../simulator/journal/journal-reader.ts'
import { ControlError } from '../../simulator/support/control-error.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const CALLS = 1_000

/** A journal of long calls, which counts those that are read from it. */
const longJournal = (): { journal: Journal; read: () => number } => {
  const journal = createJournal(5 * CALLS) // which has the bytes for them
  const body = 'a'.repeat(32_768)
  for (let at = 0; at < CALLS; at += 1)
    journal.add({
      callId: `call-${at}`,
      at: new Date(0).toISOString(),
      durationMilliseconds: 0,
      organizationId: 'shop',
      request: { method: 'GET', target: '/', headers: {}, body: '' },
      response: { status: 200, headers: {}, body },
    })
  let read = 0
  const counted = function* <Item>(items: Iterable<Item>) {
    for (const item of items) {
      read += 1
      yield item
    }
  }
  const { newestFirst, since } = journal
  return {
    read: () => read,
    journal: {
      ...journal,
      newestFirst: organizationId => counted(newestFirst(organizationId)),
      since: (organizationId, place) => {
        const news = since(organizationId, place)
        read += news.calls.length
        return news
      },
    },
  }
}

for (const path of ['journal?limit=99999', 'journal/stream?after=none'])
  test(`a client that does not read ${path} holds a piece of it, and is disconnected`, async () => {
    const { journal, read } = longJournal()
    const organizations = { require: async () => ({ organizationId: 'shop' }), find: async () => ({}) }
    const reader = createJournalReader({ journal, webhooks: { closing: new AbortController().signal } })
    const controlPlane = { organizations, journal: reader } as unknown as ControlPlaneFeatures
    const control = new Hono()
    createTurnsInOrganizations().ofControl(control)
    const permits = async () => ({ is: 'permitted' as const })
    control.use('/organizations/:organizationId/*', requireOrganization(controlPlane))
    addJournalRoutes(control, controlPlane, { permits })
    const server = await listen({
      host: '127.0.0.1',
      port: 0,
      option: 'pages-port',
      bodyLimit: 0,
      timeoutMilliseconds: 500,
    })
    onTestFinished(server.close)
    const respond = getRequestListener((request, env) => control.fetch(request, env))
    const closed = Promise.withResolvers<void>()
    server.serve({
      onRequest: (incoming, outgoing) => {
        outgoing.once('close', closed.resolve)
        void respond(incoming, outgoing)
      },
    })
    const socket = connect(server.port, '127.0.0.1').pause()
    onTestFinished(() => void socket.destroy())
    socket.write(`GET /organizations/shop/${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await closed.promise
    expect(read()).toBeLessThan(CALLS)
  })

test('the archive, the lists and the CSV file of an organization are complete, whatever their length', async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  const ids: string[] = []
  for (let nth = 0; nth < 260; nth += 1) ids.push(await initiateIris(merchant))
  const read = async (path: string) => {
    const response = await fetch(`${simulator.pagesUrl}/control/organizations/demo-merchant/${path}`)
    return { text: await response.text(), status: response.status }
  }
  const listed = async (path: string) => JSON.parse((await read(path)).text)
  const { entries } = (await listed('journal.har?path=initiate')).log
  const { calls } = await listed('journal?path=initiate&limit=99999')
  const textsOf = (har: { response: { content: { text: string } } }[]) =>
    har.map(({ response }) => JSON.parse(response.content.text).transactionId)
  expect(textsOf(entries)).toEqual(ids)
  expect(calls.map((call: { response: { body: string } }) => JSON.parse(call.response.body).transactionId)).toEqual(
    ids.toReversed(),
  )
  expect(textsOf((await listed('journal.har?path=initiate&limit=3')).log.entries)).toEqual(ids.slice(-3))
  const { payments, next } = await listed('payments?limit=255')
  expect(payments.map((one: { transactionId: string }) => one.transactionId)).toEqual(ids.toReversed().slice(0, 255))
  expect((await listed(`payments?limit=255&before=${next}`)).payments).toHaveLength(5)
  expect((await listed('inbox?limit=255')).messages).toHaveLength(255)
  expect((await read('payments.csv')).text.trim().split('\n')).toHaveLength(261)
  expect((await read('journal?limit=5&status=9')).status).toBe(400)
  expect((await read('inbox?type=none')).status).toBe(400)
}, 60_000)

test('costly calls of one organization beyond a limit are refused until others have been read', async () => {
  const control = new Hono()
  createTurnsInOrganizations().ofControl(control)
  const going = Promise.withResolvers<void>()
  control.get('/organizations/:organizationId/:path', async c => {
    await going.promise
    return c.text('done')
  })
  control.onError((error, c) => c.text(error.message, error instanceof ControlError ? 429 : 500))
  const ask = async (organizationId: string) => {
    const outgoing = new EventEmitter() as unknown as ServerResponse
    const response = await control.request(`/organizations/${organizationId}/conduct`, {}, { outgoing })
    return { status: response.status, outgoing }
  }
  const waiting = Array.from({ length: 32 }, () => ask('shop'))
  expect((await ask('shop')).status).toBe(429)
  going.resolve()
  expect((await ask('other')).status).toBe(200)
  const served = await Promise.all(waiting)
  expect(served.every(({ status }) => status === 200)).toBe(true)
  expect((await ask('shop')).status).toBe(429)
  served[0]?.outgoing.emit('close')
  expect((await ask('shop')).status).toBe(200)
})

test('calls whose clients have gone before they are counted take no place', async () => {
  const control = new Hono()
  createTurnsInOrganizations().ofControl(control)
  control.get('/organizations/:organizationId/conduct', c => c.text('done'))
  control.onError((error, c) => c.text(error.message, error instanceof ControlError ? 429 : 500))
  const ask = async (destroyed: boolean) => {
    const outgoing = Object.assign(new EventEmitter(), { destroyed })
    return (await control.request('/organizations/shop/conduct', {}, { outgoing })).status
  }
  for (let nth = 0; nth < 40; nth += 1) await ask(true)
  expect(await ask(false)).toBe(200)
})

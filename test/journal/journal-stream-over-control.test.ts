import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createJournal } from '../../simulator/journal/journal.ts'
import type { JournalEntry } from '../../simulator/journal/journal-entry.ts'
import { createJournalReader } from '../../simulator/journal/journal-reader.ts'
import { readEventStream } from '../support/event-stream.ts'
import { pollUntil } from '../support/poll-until.ts'
import { merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const entry = (callId: string): JournalEntry => ({
  callId,
  at: '',
  durationMilliseconds: 0,
  organizationId: 'shop',
  request: { method: 'GET', target: `/${callId}`, headers: {}, body: '' },
  response: { status: 200, headers: {}, body: '' },
})

const STREAM = '/control/organizations/demo-merchant/journal/stream'
const targetOf = ({ data }: { data: string }): string => (JSON.parse(data) as JournalEntry).request.target

test('the stream sends each call once answered, complete and masked, limited by its filter', async () => {
  const simulator = await startScopedSimulator()
  const [all, refused] = [
    await readEventStream(simulator.pagesUrl + STREAM),
    await readEventStream(`${simulator.pagesUrl}${STREAM}?status=4xx&path=/status`),
  ]
  expect(all.response.headers.get('content-type')).toBe('text/event-stream')
  const merchant = merchantOf(simulator)
  const token = await merchant.tokenFor()
  await merchant.status('nothing')
  await pollUntil(
    () => [all.told.length, refused.told.length],
    ([many = 0, few = 0]) => many >= 2 && few >= 1,
  )
  expect(all.told.map(({ event }) => event)).toEqual(['call', 'call'])
  expect(all.told.map(targetOf)).toEqual(['/auth/token', '/payments/nothing/status'])
  expect(refused.told.map(targetOf)).toEqual(['/payments/nothing/status'])
  expect(JSON.stringify(all.told).includes(token)).toBe(false)
  all.stop()
  refused.stop()
})

test('a reconnect resumes after the last call received, without gap or duplicate', async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  for (const id of ['a', 'b', 'c']) await merchant.status(id)
  const calls = simulator.controlPlane.journal.latest('demo-merchant', 10)
  const seen = calls.find(({ request }) => request.target.includes('/a/'))?.callId ?? ''
  for (const line of [
    await readEventStream(simulator.pagesUrl + STREAM, { 'last-event-id': seen }),
    await readEventStream(`${simulator.pagesUrl}${STREAM}?after=${seen}`),
  ]) {
    await pollUntil(
      () => line.told.length,
      count => count >= 2,
    )
    expect(line.told.map(targetOf)).toEqual(['/payments/b/status', '/payments/c/status'])
    line.stop()
  }
})

test('5.1: calls of unknown callers have a stream of their own', async () => {
  const simulator = await startScopedSimulator()
  const line = await readEventStream(`${simulator.pagesUrl}/control/journal/stream`)
  const stranger = merchantOf(simulator)
  await stranger.request('status', { path: { transactionId: 'x' } }, { connection: { identity: null }, token: 'none' })
  await pollUntil(
    () => line.told.length,
    count => count >= 1,
  )
  expect(line.told.map(targetOf)).toEqual(['/payments/x/status'])
  line.stop()
})

test('the stream ends cleanly when the simulator stops', async () => {
  const simulator = await startScopedSimulator()
  const line = await readEventStream(simulator.pagesUrl + STREAM)
  await simulator.stop()
  expect(await line.over).toBe('ended')
  expect(line.heard[0]).toBe('retry: 2000')
})

test('a reader that does not read delays no call, and its stream ends with its connection', async () => {
  const simulator = await startScopedSimulator({ journalSize: 50 })
  const { port, host } = new URL(simulator.pagesUrl)
  const socket = connect(Number(port), '127.0.0.1')
  socket.pause()
  socket.write(`GET ${STREAM} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const merchant = merchantOf(simulator)
  for (let at = 0; at < 200; at += 1) await merchant.status(`call-${at}`)
  expect(simulator.controlPlane.journal.latest('demo-merchant', 99)).toHaveLength(50)
  socket.destroy()
  await simulator.stop()
}, 30_000)

test('calls dropped from the journal before a slow reader received them are counted', async () => {
  const journal = createJournal(3)
  const view = createJournalReader({ journal, webhooks: { closing: new AbortController().signal } })
  const isPermitted = async () => true
  const reader = view.follow('shop', {}, { signal: new AbortController().signal, isPermitted })
  const first = reader.next()
  journal.add(entry('1'))
  expect((await first).value).toMatchObject({ calls: [{ callId: '1' }], missed: 0 })
  for (const name of ['2', '3', '4', '5', '6']) journal.add(entry(name))
  const { value } = await reader.next()
  expect([value?.missed, value?.calls.map(({ callId }: JournalEntry) => callId)]).toEqual([2, ['4', '5', '6']])
})

test('an idle stream sends a heartbeat', async () => {
  const journal = createJournal(3)
  const view = createJournalReader({ journal, webhooks: { closing: new AbortController().signal } })
  const stopping = new AbortController()
  const reader = view.follow('shop', {}, { signal: stopping.signal, heartbeat: 5, isPermitted: async () => true })
  expect((await reader.next()).value).toEqual({ calls: [], missed: 0 })
  const last = reader.next()
  stopping.abort()
  await last
  expect((await reader.next()).done).toBe(true)
})

test('a journal of ten thousand calls is searched, paged and followed without delay', async () => {
  const journal = createJournal(10_000)
  for (let at = 0; at < 10_000; at += 1) journal.add(entry(`call-${at}`))
  const view = createJournalReader({ journal, webhooks: { closing: new AbortController().signal } })
  const page = await view.page('shop', { q: 'call-9', limit: 60 })
  expect([page.calls.length, page.more, page.calls[0]?.callId]).toEqual([60, true, 'call-9999'])
  const older = await view.page('shop', { q: 'call-9', limit: 60, before: page.calls.at(-1)?.callId })
  expect(older.calls[0]?.callId).toBe('call-9939')
  const narrowed = await view.page('shop', { q: 'call-1 -call-10', limit: 9 })
  expect(narrowed.calls.at(-1)?.callId).toBe('call-1991')
})

test('a search through long calls leaves the event loop to others, and finds none that was evicted meanwhile', async () => {
  const journal = createJournal(500)
  const long = (callId: string): JournalEntry => ({
    ...entry(callId),
    response: { status: 200, headers: {}, body: 'a'.repeat(16_384) },
  })
  for (let at = 0; at < 500; at += 1) journal.add(long(`call-${at}`))
  const view = createJournalReader({ journal, webhooks: { closing: new AbortController().signal } })
  const q = Array.from({ length: 10 }, (_, at) => `-${'a'.repeat(17)}${at}`).join(' ')
  let turns = 0
  const counting = setInterval(() => {
    turns += 1
    journal.add(long(`new-${turns}`))
  })
  const found = await view.page('shop', { q, limit: 999 })
  clearInterval(counting)
  expect(turns).toBeGreaterThan(1)
  const ids = found.calls.map(({ callId }) => callId)
  const old = Array.from({ length: 500 }, (_, at) => `call-${499 - at}`)
  const whole = [...Array.from({ length: turns }, (_, at) => `new-${turns - at}`), ...old]
  const from = whole.indexOf(ids[0] ?? '') // of those that were there when it began
  expect(ids).toEqual(whole.slice(from, from + ids.length))
})

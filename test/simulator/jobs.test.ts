import { expect, onTestFinished, test } from 'vitest'
import { createClock } from '../../simulator/clock.ts'
import { createIds } from '../../simulator/ids.ts'
import { createJobs } from '../../simulator/jobs/jobs.ts'
import { createRunJob } from '../../simulator/jobs/run-job.ts'
import { createClockControl } from '../../simulator/operator/clock-control.ts'
import type { Store } from '../../simulator/store/port.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { change, look, organization, payment, save } from '../store/records.ts'
import { until } from '../support/poll.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const HOUR = 3_600_000

const open = async (folder = temporaryFolder()) => {
  const store = openSqliteStore(folder)
  const clock = createClock()
  const jobs = createJobs(
    store,
    clock,
    createRunJob({ store, ids: createIds(), rules: { settleAfter: 0, irisValidity: 1_800_000, showLifecycle: true } }),
  )
  const close = async () => {
    jobs.stop()
    await store.close()
  }
  onTestFinished(close)
  if (!(await store.organization('shop'))) {
    await store.addOrganization(organization('shop'))
    await store.addOrganization(organization('other'))
  }
  return { folder, store, clock, jobs, control: createClockControl({ store, clock, jobs }), close }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Saves a payment whose window ends so many milliseconds from now on its organization's clock. */
const waiting = async ({ store, clock, jobs }: Opened, id: string, milliseconds: number, organizationId = 'shop') => {
  const dueAt = clock.now(organizationId) + milliseconds
  await save(store, { change: change(payment(id), [{ name: 'shopper-window', dueAt }]) }, organizationId)
  jobs.scheduled(organizationId, dueAt)
  return dueAt
}

const stateOf = async (store: Store, transactionId: string, organizationId = 'shop') =>
  (await look(store, { transactionId }, organizationId)).payment?.state

const expired = (store: Store, id: string, organizationId?: string) =>
  until(
    () => stateOf(store, id, organizationId),
    state => state === 'EXPIRED',
  )

test('R6: what is due happens by real time, though nobody calls', async () => {
  const opened = await open()
  const dueAt = await waiting(opened, 't', 50)
  await expired(opened.store, 't')
  expect(Date.now()).toBeGreaterThanOrEqual(dueAt)
  const { events } = await look(opened.store, { transactionId: 't', events: true })
  expect(events.at(-1)).toMatchObject({ type: 'payment.expired', at: dueAt })
})

test('R6: an earlier deadline is not missed because a later one was waited for first', async () => {
  const opened = await open()
  await waiting(opened, 'late', HOUR)
  await waiting(opened, 'soon', 30)
  await waiting(opened, 'other', 40, 'other')
  await Promise.all([expired(opened.store, 'soon'), expired(opened.store, 'other', 'other')])
  expect(await stateOf(opened.store, 'late')).toBe('AWAITING_SHOPPER')
})

test('R6: a clock that was moved to just before a deadline meets it by itself', async () => {
  const opened = await open()
  await waiting(opened, 't', HOUR)
  expect((await opened.control.advance('shop', HOUR - 1_000)).ran).toBe(0)
  expect(await stateOf(opened.store, 't')).toBe('AWAITING_SHOPPER')
  await expired(opened.store, 't')
})

test('R6: moving one organization’s clock leaves the others in peace', async () => {
  const opened = await open()
  await waiting(opened, 't', HOUR)
  await waiting(opened, 'u', HOUR, 'other')
  expect((await opened.control.advance('shop', HOUR)).ran).toBe(1)
  expect(await stateOf(opened.store, 't')).toBe('EXPIRED')
  expect(await stateOf(opened.store, 'u', 'other')).toBe('AWAITING_SHOPPER')
})

test('R4, R6: draining runs all there is in order of due time and stands at the last', async () => {
  const opened = await open()
  const last = await waiting(opened, 'last', 3 * HOUR)
  const first = await waiting(opened, 'first', HOUR)
  const { now, ran } = await opened.control.drain('shop')
  expect(ran).toBe(2)
  expect(now - last).toBeLessThan(5_000)
  expect(now).toBeGreaterThanOrEqual(last)
  const lastEventOf = async (id: string) =>
    (await look(opened.store, { transactionId: id, events: true })).events.at(-1)?.at
  expect([await lastEventOf('first'), await lastEventOf('last')]).toEqual([first, last])
})

test('R6: what fell due while nothing ran happens at the next start, at its own time', async () => {
  const first = await open()
  const dueAt = await waiting(first, 't', 20)
  await first.close()
  await until(Date.now, now => now > dueAt)
  const again = await open(first.folder)
  expect(await stateOf(again.store, 't')).toBe('AWAITING_SHOPPER')
  await again.jobs.refresh('shop')
  await expired(again.store, 't')
  expect((await look(again.store, { transactionId: 't', events: true })).events.at(-1)?.at).toBe(dueAt)
})

test('a payment that moved on in the meantime is left alone', async () => {
  const opened = await open()
  await waiting(opened, 't', HOUR)
  await save(opened.store, { change: change(payment('t', { state: 'AUTHENTICATED' })) })
  expect((await opened.control.advance('shop', 2 * HOUR)).ran).toBe(0)
  expect(await stateOf(opened.store, 't')).toBe('AUTHENTICATED')
})

test('after a stop nothing runs any more', async () => {
  const opened = await open()
  await waiting(opened, 't', 10)
  opened.jobs.stop()
  const end = Date.now() + 60
  await until(Date.now, now => now > end)
  expect(await opened.jobs.runDue('shop')).toBe(0)
  expect(await stateOf(opened.store, 't')).toBe('AWAITING_SHOPPER')
})

import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { OWN_REPORT_FORM } from '../../contracts/dialect/csv-report-form.ts'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { DueWorkSource } from '../../simulator/jobs/due-work.ts'
import { createJobScheduler } from '../../simulator/jobs/job-scheduler.ts'
import { createRunJob } from '../../simulator/operations/run-job.ts'
import { createClockControl } from '../../simulator/organizations/clock-control.ts'
import { createScenarioCatalogue } from '../../simulator/scenarios/scenario-catalogue.ts'
import type { Store } from '../../simulator/store/store.ts'
import { createClock } from '../../simulator/support/clock.ts'
import { createIds } from '../../simulator/support/ids.ts'
import { LIFETIMES } from '../../simulator/support/lifetimes.ts'
import { nextDue, readInUnit, writeInUnit } from '../store/run-unit-of-work.ts'
import { change, organization, payment } from '../store/sample-records.ts'
import { startedInBackground } from '../support/background-work-source.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { pollUntil } from '../support/poll-until.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const HOUR = 3_600_000

const open = async (folder = temporaryFolder(), others: readonly DueWorkSource[] = []) => {
  const store = await openTestStore(folder)
  const clock = createClock()
  const jobs = createJobScheduler(
    store,
    clock,
    createRunJob({
      store,
      ids: createIds(),
      rulesOf: () => ({
        settleAfter: 0,
        irisValidity: 1_800_000,
        holdFor: LIFETIMES.hold,
        consentFor: LIFETIMES.consent,
        showLifecycle: true,
        scenarios: createScenarioCatalogue([]),
        reportForm: OWN_REPORT_FORM,
        choices: decisionChoices(),
      }),
    }),
    others.map(startedInBackground),
  )
  let closing: Promise<void> | undefined
  const close = () => {
    jobs.stop()
    closing ??= store.close()
    return closing
  }
  onTestFinished(close)
  if (!(await store.organization('shop'))) {
    await store.addOrganization(organization('shop'))
    await store.addOrganization(organization('other'))
  }
  return { folder, store, clock, jobs, control: createClockControl({ store, clock, jobs }), close }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Saves a payment with a shopper window that ends after some milliseconds on its organization's clock. */
const waiting = async ({ store, clock, jobs }: Opened, id: string, milliseconds: number, organizationId = 'shop') => {
  const dueAt = clock.now(organizationId) + milliseconds
  await writeInUnit(store, { change: change(payment(id), [{ name: 'shopper-window', dueAt }]) }, organizationId)
  jobs.scheduled(organizationId, dueAt)
  return dueAt
}

const stateOf = async (store: Store, transactionId: string, organizationId = 'shop') =>
  (await readInUnit(store, { transactionId }, organizationId)).payment?.state

const expired = (store: Store, id: string, organizationId?: string) =>
  pollUntil(
    () => stateOf(store, id, organizationId),
    state => state === 'EXPIRED',
  )

test('R6: a due job runs by real time without any call', async () => {
  const opened = await open()
  const dueAt = await waiting(opened, 't', 50)
  await expired(opened.store, 't')
  expect(Date.now()).toBeGreaterThanOrEqual(dueAt)
  const { events } = await readInUnit(opened.store, { transactionId: 't', events: true })
  expect(events.at(-1)).toMatchObject({ type: 'payment.expired', at: dueAt })
})

test('R6: an earlier deadline scheduled after a later one runs on time', async () => {
  const opened = await open()
  await waiting(opened, 'late', HOUR)
  await waiting(opened, 'soon', 30)
  await waiting(opened, 'other', 40, 'other')
  await Promise.all([expired(opened.store, 'soon'), expired(opened.store, 'other', 'other')])
  expect(await stateOf(opened.store, 'late')).toBe('AWAITING_SHOPPER')
})

test('R6: a clock advanced to just before a deadline reaches it by itself', async () => {
  const opened = await open()
  await waiting(opened, 't', HOUR)
  expect((await opened.control.advance('shop', HOUR - 1_000)).ran).toBe(0)
  expect(await stateOf(opened.store, 't')).toBe('AWAITING_SHOPPER')
  await expired(opened.store, 't')
})

test('R6: moving one organization’s clock does not run jobs of others', async () => {
  const opened = await open()
  await waiting(opened, 't', HOUR)
  await waiting(opened, 'u', HOUR, 'other')
  expect((await opened.control.advance('shop', HOUR)).ran).toBe(1)
  expect(await stateOf(opened.store, 't')).toBe('EXPIRED')
  expect(await stateOf(opened.store, 'u', 'other')).toBe('AWAITING_SHOPPER')
})

test('R4, R6: draining runs all jobs in order of due time and leaves the clock at the last', async () => {
  const opened = await open()
  const last = await waiting(opened, 'last', 3 * HOUR)
  const first = await waiting(opened, 'first', HOUR)
  const { now, ran } = await opened.control.drain('shop')
  expect(ran).toBe(2)
  expect(now - last).toBeLessThan(HOUR)
  expect(now).toBeGreaterThanOrEqual(last)
  const lastEventOf = async (id: string) =>
    (await readInUnit(opened.store, { transactionId: id, events: true })).events.at(-1)?.at
  expect([await lastEventOf('first'), await lastEventOf('last')]).toEqual([first, last])
})

test('R6: a job that was due while the service was stopped runs at the next start, dated at its due time', async () => {
  const first = await open()
  first.jobs.stop()
  const dueAt = await waiting(first, 't', 20)
  await first.close()
  await pollUntil(Date.now, now => now > dueAt)
  const again = await open(first.folder)
  expect(await stateOf(again.store, 't')).toBe('AWAITING_SHOPPER')
  await again.jobs.refresh('shop')
  await expired(again.store, 't')
  expect((await readInUnit(again.store, { transactionId: 't', events: true })).events.at(-1)?.at).toBe(dueAt)
})

test('R6: a scaled clock reaches a deadline sooner by its scale, a frozen one does not', async () => {
  const opened = await open()
  await opened.control.freeze('other', true)
  await opened.control.scale('shop', 100_000)
  await waiting(opened, 'standing', 1, 'other')
  await waiting(opened, 't', HOUR)
  await expired(opened.store, 't')
  expect(await stateOf(opened.store, 'standing', 'other')).toBe('AWAITING_SHOPPER')
  await opened.control.freeze('other', false)
  await expired(opened.store, 'standing', 'other')
})

test('R6: a change of scale or mode reschedules the waiting deadline', async () => {
  const opened = await open()
  await waiting(opened, 't', HOUR)
  await opened.control.scale('shop', 0.001)
  await opened.control.freeze('shop', true)
  await opened.control.scale('shop', 100_000)
  await expired(opened.store, 't')
})

/** A kind of job whose deliveries are due at once and end when the test resolves them. */
const slowDeliveries = () => {
  type Delivery = { isBegun: boolean; isDone: boolean; answered: Promise<void>; answer: () => void }
  const all: Delivery[] = []
  const make = () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const delivery: Delivery = { isBegun: false, isDone: false, answered, answer }
    all.push(delivery)
    return delivery
  }
  const kind: DueWorkSource = {
    next: async organizationId =>
      organizationId === 'shop' && all.some(({ isBegun }) => !isBegun) ? { at: 0, name: 'delivery' } : undefined,
    runDue: async organizationId => {
      const open = all.filter(({ isDone }) => organizationId === 'shop' && !isDone)
      for (const one of open) one.isBegun = true
      for (const one of open) {
        await one.answered
        one.isDone = true
      }
      return open.length
    },
  }
  return { kind, make }
}

test('a slow delivery blocks neither jobs nor other organizations; a drain waits for it', async () => {
  const { kind, make } = slowDeliveries()
  const opened = await open(undefined, [kind])
  const begun = async (delivery: ReturnType<typeof make>) => {
    opened.jobs.scheduled('shop', 0)
    await pollUntil(
      () => delivery.isBegun,
      isBegun => isBegun,
    )
  }
  const first = make()
  await begun(first)
  await waiting(opened, 'mine', 20)
  await waiting(opened, 'theirs', 20, 'other')
  const drained = opened.control.drain('shop').then(({ next }) => next)
  await Promise.all([expired(opened.store, 'mine'), expired(opened.store, 'theirs', 'other')])
  const second = make()
  await begun(second)
  first.answer()
  const isDrained = Promise.race([drained.then(() => true), pollUntil(() => first.isDone, Boolean).then(() => false)])
  expect(await isDrained).toBe(false)
  second.answer()
  expect([await drained, second.isDone]).toEqual([null, true])
})

test('a deadline of a state that the payment has left does not run', async () => {
  const opened = await open()
  await waiting(opened, 't', HOUR)
  await writeInUnit(opened.store, { change: change(payment('t', { state: 'AUTHENTICATED' })) })
  expect((await opened.control.advance('shop', 2 * HOUR)).ran).toBe(0)
  expect(await stateOf(opened.store, 't')).toBe('AUTHENTICATED')
})

test('after stop no job runs', async () => {
  const opened = await open()
  await waiting(opened, 't', 10)
  opened.jobs.stop()
  const end = Date.now() + 60
  await pollUntil(Date.now, now => now > end)
  expect(await opened.jobs.runDue('shop')).toBe(0)
  expect(await stateOf(opened.store, 't')).toBe('AWAITING_SHOPPER')
})

test('concurrent calls run due jobs once, and each returns when they are done', async () => {
  const { store, clock } = await open()
  const ran: string[] = []
  const jobs = createJobScheduler(store, clock, async (organizationId, job) => {
    ran.push('transactionId' in job ? job.transactionId : job.name)
    await writeInUnit(store, { finishedJobId: job.jobId }, organizationId)
  })
  onTestFinished(jobs.stop)
  const dueAt = clock.now('shop')
  for (const id of ['a', 'b', 'c'])
    await writeInUnit(store, { change: change(payment(id), [{ name: 'shopper-window', dueAt }]) })
  jobs.scheduled('shop', dueAt)
  const calls = Array.from({ length: 20 }, async () => {
    await jobs.runDue('shop')
    return (await nextDue(store, 'shop')) === undefined
  })
  expect(await Promise.all(calls)).toEqual(calls.map(() => true))
  expect(ran.filter(id => id === 'a').length).toBeLessThan(3) // the timer may run the same job as the calls
  expect(new Set(ran)).toEqual(new Set(['a', 'b', 'c']))
})

test('many jobs that are due at once are each run once, whatever is scheduled meanwhile', async () => {
  const looks = { next: 0, runDue: 0 }
  const look =
    <Value>(name: keyof typeof looks, value: Value) =>
    async (): Promise<Value> => {
      looks[name] += 1
      return value
    }
  const opened = await open(temporaryFolder(), [{ next: look('next', undefined), runDue: look('runDue', 0) }])
  const [{ store, clock, jobs }, count] = [opened, 100]
  for (let at = 0; at < count; at += 1) await waiting(opened, `t${at}`, HOUR)
  const reads = vi.spyOn(store, 'dueJobs')
  clock.adjust('shop', { at: clock.now('shop') + 2 * HOUR })
  while ((await stateOf(store, `t${count - 1}`)) !== 'EXPIRED') {
    jobs.scheduled('shop', clock.now('shop'))
    await setTimeout(1)
  }
  expect(reads.mock.calls.length).toBeLessThan(count / 2) // several run together
  expect(looks.runDue).toBeLessThan(5)
  expect(looks.next).toBeLessThan(20)
})

test('work that is due for one organization makes no look at the hundreds of others', async () => {
  const { store, clock, jobs } = await open()
  for (let at = 0; at < 100; at += 1) jobs.scheduled(`quiet-${at}`, clock.now('shop') + HOUR)
  const [reads, times] = [vi.spyOn(store, 'dueJobs'), vi.spyOn(clock, 'now')]
  jobs.scheduled('shop', clock.now('shop'))
  await pollUntil(
    () => reads.mock.calls.length,
    count => count > 2,
  )
  await setTimeout(1)
  expect(times.mock.calls.filter(([organizationId]) => organizationId !== 'shop')).toEqual([])
})

test('a clock that cannot be saved does not move', async () => {
  const { store, clock, control } = await open()
  const before = clock.setting('shop')
  for (const move of [() => control.freeze('shop', true), () => control.advance('shop', HOUR)]) {
    vi.spyOn(store, 'setClock').mockRejectedValueOnce(new Error('database or disk is full'))
    await expect(move()).rejects.toThrow('full')
    expect(clock.setting('shop')).toEqual(before)
  }
})

test('R6: a deadline that is saved while the next one is looked for runs on time', async () => {
  const lookedUp = Promise.withResolvers<void>()
  const slow: DueWorkSource = { next: () => lookedUp.promise.then(() => undefined), runDue: async () => 0 }
  const opened = await open(temporaryFolder(), [slow])
  const looking = opened.jobs.refresh('shop')
  await setTimeout(5) // the jobs were read, and there was none
  await waiting(opened, 't', 20)
  lookedUp.resolve()
  await looking
  await expired(opened.store, 't')
})

test('jobs that another replica leads are left to it while it runs them, and no longer', async () => {
  let [number, isThere] = [0, true]
  const ran: number[] = []
  const store = {
    dueJobs: async () => {
      if (ran.length > 0) return []
      if (isThere) number += 1 // the other replica has run the one before
      return [{ jobId: number, name: 'hold', dueAt: 0, transactionId: `t${number}` }]
    },
    replicas: {},
  } as unknown as Store
  const jobs = createJobScheduler(
    store,
    createClock(),
    async (_, { jobId }) => void ran.push(jobId),
    [],
    undefined,
    () => false,
  )
  onTestFinished(jobs.stop)
  jobs.scheduled('shop', 0)
  await pollUntil(
    () => number,
    looks => looks > 2,
  )
  expect(ran).toEqual([])
  isThere = false
  await pollUntil(
    async () => {
      await jobs.refresh('shop') // as calls of the organization do
      return ran
    },
    ([first]) => first !== undefined,
  )
})

test('work that another replica leads and has done is looked for, and not run', async () => {
  let [looks, runs] = [0, 0]
  const deliveries: DueWorkSource = {
    next: async () => {
      looks += 1
      return undefined
    },
    runDue: async () => {
      runs += 1
      return 0
    },
  }
  const store = { dueJobs: async () => [], replicas: {} } as unknown as Store
  const nothing = async () => undefined
  const jobs = createJobScheduler(
    store,
    createClock(),
    nothing,
    [startedInBackground(deliveries)],
    undefined,
    () => false,
  )
  onTestFinished(jobs.stop)
  jobs.scheduled('shop', 0)
  await pollUntil(
    () => looks,
    count => count > 1,
  )
  expect(runs).toBe(0)
})

import { expect, onTestFinished, test, vi } from 'vitest'
import { createJobScheduler } from '../../simulator/jobs/job-scheduler.ts'
import type { Store } from '../../simulator/store/store.ts'
import type { Job } from '../../simulator/store/unit-of-work.ts'
import { createClock } from '../../simulator/support/clock.ts'
import { DAY, HOUR, MINUTE } from '../../simulator/support/duration.ts'
import { startedInBackground } from '../support/background-work-source.ts'
import { authorizeBlik, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, irisRequest } from '../support/payment-requests.ts'
import { pollUntil } from '../support/poll-until.ts'
import { serveOptionsFor, spawnServe, startServe } from '../support/serve-process.ts'
import { openCore } from '../support/simulator-core.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

vi.setConfig({ testTimeout: 90_000 })

const DEMO = 'demo-merchant'

/** Creates a data folder with one payment, made while the clock was ahead; returns it with the time of the payment. */
const usedAhead = async (milliseconds: number) => {
  const clock = createClock(() => Date.now() + milliseconds)
  const {
    plainUrl,
    kit,
    controlPlane: operator,
    dataDir,
    stop,
  } = await startScopedSimulator({ layers: [], plainPort: 0 }, { clock })
  const [processingAccountId] = kit.processingAccountIds
  const answer = await fetch(`${plainUrl}/payments/initiate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'ahead' },
    body: JSON.stringify({ ...irisRequest(), processingAccountId }),
  })
  expect(answer.status).toBe(200)
  const [message] = await operator.inbox.list(DEMO, {}, 1)
  await stop()
  return { dataDir, at: message?.message.dueAt ?? Number.NaN }
}

test('D-111: after the clock was set back between two runs, an organization’s clock goes on from its last time', async () => {
  const { dataDir, at } = await usedAhead(2 * HOUR)
  const { said, pagesUrl, child, ended } = await startServe(dataDir)
  const ask = async () => (await (await fetch(`${pagesUrl}/control/organizations/${DEMO}/clock`)).json()) as Told
  const { now, next } = await ask()
  expect(Date.parse(now)).toBeGreaterThanOrEqual(at)
  expect(Date.parse(now) - at).toBeLessThan(HOUR)
  expect(Date.parse(next?.at ?? '')).toBeGreaterThan(Date.parse(now))
  child.kill('SIGTERM')
  await ended
  const seen = new Date(at).toISOString()
  expect(said.stderr).toContain(
    `Note: The machine's clock went back: that of ${DEMO} goes on from ${seen}, where it was; ` +
      'a reset lets it follow the machine again.\n',
  )
  const again = await startServe(dataDir)
  expect(again.said.stderr).toBe('')
})

type Told = { now: string; next: { at: string } | null }

test('5.1: a start before the validity of the certificate authority fails', async () => {
  const { dataDir } = await usedAhead(2 * DAY)
  const { ended, said } = spawnServe(await serveOptionsFor(dataDir))
  expect([await ended, said.stdout]).toEqual([2, ''])
  expect(said.stderr).toMatch(
    /^This machine's clock shows \S+Z and the certificate authority in .+ is valid from \S+Z to \S+Z: set the clock right or choose another --(data-dir|store)\.\n$/,
  )
})

test('R4: setting the clock back at runtime delays no settlement, and events stay in order', async () => {
  const core = await openCore()
  const id = await authorizeBlik(core)
  core.time.now -= 3 * HOUR
  expect((await core.call('capture', actionRequest(id))).http).toBe(200)
  core.pass(2_000)
  expect(await stateOf(core, id)).toBe('SETTLED')
  const times = (await core.events(id)).body.timeline.map(({ at }: { at: string }) => at)
  expect(times).toEqual(times.toSorted())
})

test('R4: after a leap of the machine’s clock an earlier job does not wait for a later one', async () => {
  let ahead = 0
  const clock = createClock(() => Date.now() + ahead)
  const waiting: { jobId: number; dueAt: number }[] = []
  const done: number[] = []
  const store = {
    dueJobs: async (_: string, upTo: number) => waiting.filter(({ dueAt }) => dueAt <= upTo) as Job[],
  } as unknown as Store
  const jobs = createJobScheduler(store, clock, async (_, { jobId }) => {
    waiting.splice(0, 1)
    done.push(jobId)
  })
  onTestFinished(jobs.stop)
  jobs.scheduled('other', clock.now('other') + 10 * MINUTE)
  ahead = HOUR
  waiting.push({ jobId: 1, dueAt: clock.now('shop') + 20 })
  jobs.scheduled('shop', clock.now('shop') + 20)
  await pollUntil(
    () => done,
    ([first]) => first === 1,
  )
}, 30_000) // no timer waits longer than a minute anyway

test('a job that fails is reported and retried after a second', async () => {
  const told: unknown[] = []
  const tried: number[] = []
  const fault = new Error('the disk is full')
  const store = { dueJobs: async () => [] } as unknown as Store
  const kind = {
    next: async () => ({ at: 0, name: 'delivery' }),
    runDue: async () => {
      tried.push(performance.now())
      throw fault
    },
  }
  const jobs = createJobScheduler(
    store,
    createClock(),
    async () => {},
    [startedInBackground(kind)],
    error => void told.push(error),
  )
  onTestFinished(jobs.stop)
  jobs.scheduled('shop', 0)
  const [first = 0, second = 0] = await pollUntil(
    () => tried,
    ({ length }) => length >= 2,
  )
  expect(second - first).toBeGreaterThan(900)
  expect(told[0]).toBe(fault)
})

import { expect, onTestFinished, test, vi } from 'vitest'
import { createClock } from '../../simulator/clock.ts'
import { DAY, HOUR, MINUTE } from '../../simulator/duration.ts'
import { createJobs } from '../../simulator/jobs/jobs.ts'
import type { Job, Store } from '../../simulator/store/port.ts'
import { openCore } from '../support/core.ts'
import { act, authorizeBlik, irisRequest, stateOf } from '../support/payments.ts'
import { until } from '../support/poll.ts'
import { runningSimulator } from '../support/running.ts'
import { optionsFor, serve, serveReady } from '../support/serve.ts'

vi.setConfig({ testTimeout: 90_000 })

const DEMO = 'demo-merchant'

/** A folder in which a machine bought something whose clock was so many milliseconds ahead, and when that was. */
const usedAhead = async (milliseconds: number) => {
  const clock = createClock(() => Date.now() + milliseconds)
  const { plainUrl, kit, operator, dataDir, stop } = await runningSimulator({ layers: [], plainPort: 0 }, { clock })
  const [processingAccountId] = kit.processingAccountIds
  const answer = await fetch(`${plainUrl}/payments/initiate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'ahead' },
    body: JSON.stringify({ ...irisRequest(), processingAccountId }),
  })
  expect(answer.status).toBe(200)
  const [message] = await operator.inbox.list(DEMO, {}, 1)
  await stop()
  return { dataDir, at: message?.sending.dueAt ?? Number.NaN }
}

test('D-111: an organization goes on from the last it has seen where the clock was put back between two runs', async () => {
  const { dataDir, at } = await usedAhead(2 * HOUR)
  const { said, pagesUrl, child, ended } = await serveReady(dataDir)
  const ask = async () => (await (await fetch(`${pagesUrl}/control/organizations/${DEMO}/clock`)).json()) as Told
  const { now, next } = await ask()
  expect(Date.parse(now)).toBeGreaterThanOrEqual(at)
  expect(Date.parse(now) - at).toBeLessThan(HOUR)
  expect(Date.parse(next?.at ?? '')).toBeGreaterThan(Date.parse(now))
  child.kill('SIGTERM')
  await ended
  const seen = new Date(at).toISOString()
  expect(said.stderr).toBe(
    `Note: The machine's clock went back: that of ${DEMO} goes on from ${seen}, where it was; ` +
      'a reset lets it follow the machine again.\n',
  )
  const again = await serveReady(dataDir)
  expect(again.said.stderr).toBe('')
})

type Told = { now: string; next: { at: string } | null }

test('5.1: before the certificate authority was made nothing starts', async () => {
  const { dataDir } = await usedAhead(2 * DAY)
  const { ended, said } = serve(await optionsFor(dataDir))
  expect([await ended, said.stdout]).toEqual([2, ''])
  expect(said.stderr).toMatch(
    /^This machine's clock shows \S+Z and the certificate authority in .+ is valid from \S+Z to \S+Z: set the clock right or choose another --(data-dir|store)\.\n$/,
  )
})

test('R4: a clock that is put back while the sandbox runs holds up no settlement, and no event is dated back', async () => {
  const core = await openCore()
  const id = await authorizeBlik(core)
  core.time.now -= 3 * HOUR
  expect((await core.call('capture', act(id))).http).toBe(200)
  core.pass(2_000)
  expect(await stateOf(core, id)).toBe('SETTLED')
  const times = (await core.events(id)).body.timeline.map(({ at }: { at: string }) => at)
  expect(times).toEqual(times.toSorted())
})

test('R4: after a leap of the machine’s clock what comes soon does not wait for what comes late', async () => {
  let ahead = 0
  const clock = createClock(() => Date.now() + ahead)
  const waiting: { jobId: number; dueAt: number }[] = []
  const done: number[] = []
  const store = {
    dueJob: async (_: string, upTo: number) => waiting.find(({ dueAt }) => dueAt <= upTo) as Job | undefined,
  } as unknown as Store
  const jobs = createJobs(store, clock, async (_, { jobId }) => {
    waiting.splice(0, 1)
    done.push(jobId)
  })
  onTestFinished(jobs.stop)
  jobs.scheduled('other', clock.now('other') + 10 * MINUTE)
  ahead = HOUR
  waiting.push({ jobId: 1, dueAt: clock.now('shop') + 20 })
  jobs.scheduled('shop', clock.now('shop') + 20)
  await until(
    () => done,
    ([first]) => first === 1,
  )
}, 30_000) // no timer waits longer than a minute anyway

test('what fails for a reason of ours is told and left alone for a second', async () => {
  const told: unknown[] = []
  const tried: number[] = []
  const fault = new Error('the disk is full')
  const store = { dueJob: async () => undefined } as unknown as Store
  const kind = {
    next: async () => ({ at: 0, name: 'delivery' }),
    runDue: async () => {
      tried.push(performance.now())
      throw fault
    },
  }
  const jobs = createJobs(
    store,
    createClock(),
    async () => {},
    [kind],
    error => void told.push(error),
  )
  onTestFinished(jobs.stop)
  jobs.scheduled('shop', 0)
  const [first = 0, second = 0] = await until(
    () => tried,
    ({ length }) => length >= 2,
  )
  expect(second - first).toBeGreaterThan(900)
  expect(told[0]).toBe(fault)
})

import { createServer } from 'node:http'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createExpect } from '../../contracts/harness/judge/check-assertions.ts'
import { Inconclusive, Mismatch } from '../../contracts/harness/judge/verdict-errors.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import type { CheckContext } from '../../contracts/suites/context/check-context.ts'
import { openWebhookSource } from '../../contracts/suites/drivers/open-webhook-source.ts'
import { expectCome } from '../../contracts/suites/evidence/read-notification.ts'
import { webhooks } from '../../contracts/suites/webhooks.ts'
import { webhooksOfEnds } from '../../contracts/suites/webhooks-of-declines-and-lapses.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { findFreePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { certifyWithoutControl } from './drivers/certify-without-control.ts'

const world = vi.hoisted(() => ({ passedMs: 0, isReal: false }))

/** What is waited for passes at once, unless the test is about the wait's end. */
vi.mock('../../contracts/client/wall-clock.ts', async actual => {
  const { realTime, sleep, ...rest } = await actual<typeof import('../../contracts/client/wall-clock.ts')>()
  return {
    ...rest,
    realTime: () => realTime() + world.passedMs,
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (world.isReal) return sleep(ms, signal)
      world.passedMs += ms
    },
  }
})

beforeEach(() => {
  world.passedMs = 0
  world.isReal = false
})

const profileWith = (lines: object): Profile =>
  ({ file: join(temporaryFolder(), 'ours.yaml'), target: { environment: 'sandbox' }, ...lines }) as unknown as Profile

/** The lines of a receiver of this run that nobody calls. */
const unreached = async () => {
  const address = `http://127.0.0.1:${await findFreePort()}`
  return { receiver: address, public: address }
}

const LONG = { patience: 'P2D', limits: { pollSeconds: 10 } }

test.each([
  ['webhooks.public', unreached],
  ['webhooks.command', async () => ({ command: 'true' })],
])('with a patience of two days a webhook to %s that does not come is awaited for a minute', async (line, lines) => {
  const profile = profileWith({ webhooks: await lines(), ...LONG })
  const source = await openWebhookSource({ profile, ended: new AbortController().signal } as CheckContext)
  const told = source.outcomeOf('id').finally(source.close)
  await expect(told).rejects.toThrow(`no webhook has come within 60 s: does the service reach ${line} of `)
  expect(world.passedMs).toBeLessThanOrEqual(70_000)
})

const CAME = { request: { method: 'GET', url: '', headers: {} }, durationMs: 0 } as Exchange

// biome-ignore format: a table reads by its columns
test.each([
  ['undefined', {},                     Inconclusive, 'after 15 seconds there is still no webhook'],
  ['PT15S',     { patience: 'PT15S' },  Mismatch,     ''],
  ['PT1M',      { patience: 'PT1M' },   Mismatch,     ''],
  ['PT10M',     { patience: 'PT10M' },  Inconclusive, 'after 60 seconds there is still no webhook'],
  ['P2D',       { patience: 'P2D' },    Inconclusive, 'after 60 seconds there is still no webhook'],
])('6: with a patience of %s a webhook, or its second try, that has not come is judged by whether it may come later', (_patience, lines, kind, told) => {
  const expected = createExpect(profileWith(lines), { id: 'EVT-01' })
  const come = () => expectCome(false, 'webhook', CAME, expected)
  expect(come).toThrow(kind)
  if (kind === Inconclusive) expect(come).toThrow(told)
  const first = { ...CAME, response: { status: 500, headers: {}, body: Buffer.alloc(0) } }
  const [check] = webhooks[1].checks
  const again = () => check?.judge({ transcript: [], of: step => (step === 'first try' ? first : CAME) }, expected)
  expect(again).toThrow(kind)
})

test('a receiver that nobody reaches does not use up a run, however long its patience is', async () => {
  const simulator = await startTestSimulator({ settleAfter: 200 })
  try {
    const only = ['EVT-01', 'EVT-05', 'EVT-06', 'GRD-52', 'GRD-54', 'GRD-92']
    const told = await certifyWithoutControl(simulator, { webhooks: await unreached(), ...LONG }, only)
    expect(told['EVT-01']).toMatch(/^inconclusive: no webhook has come within 60 s: does the service reach /)
    expect(told['GRD-52']).toMatch(/^inconclusive: .*no webhook has come to webhooks\.public /)
    expect(world.passedMs).toBeLessThan(12 * 60_000)
  } finally {
    await simulator.stop()
  }
}, 120_000)

test('a wait for a webhook ends with its run, and its receiver is closed', async () => {
  world.isReal = true
  const lines = await unreached()
  const ended = new AbortController()
  const profile = profileWith({ webhooks: lines, ...LONG })
  const source = await openWebhookSource({ profile, ended: ended.signal } as CheckContext)
  const told = source.outcomeOf('id')
  ended.abort()
  await expect(told).rejects.toThrow(/abort/i)
  const other = createServer()
  await new Promise<void>((done, fail) => {
    other.once('error', fail).listen(Number(new URL(lines.public).port), '127.0.0.1', done)
  })
  await new Promise(done => other.close(done))
})

test('a run that has ended opens no receiver', async () => {
  const lines = await unreached()
  const profile = profileWith({ webhooks: lines })
  await openWebhookSource({ profile, ended: AbortSignal.abort() } as CheckContext)
  await expect(fetch(lines.public, { method: 'POST', body: '{}' })).rejects.toThrow()
})

test('a command that is to print webhooks ends with its run', async () => {
  const ended = new AbortController()
  const profile = profileWith({ webhooks: { command: 'sleep 100' } })
  const source = await openWebhookSource({ profile, ended: ended.signal } as CheckContext)
  const told = source.outcomeOf('id')
  ended.abort()
  await expect(told).rejects.toThrow()
})

test('R7: the webhook of a request of IRIS that nobody pays is not awaited by a receiver that is closed meanwhile', () => {
  const check = webhooksOfEnds.flatMap(({ checks }) => checks).find(({ id }) => id === 'EVT-09')
  const address = 'http://127.0.0.1:9000'
  const exempt = (lines: object) => check?.exempt?.(profileWith(lines))
  expect(exempt({ webhooks: { receiver: address, public: address } })).toMatch(/no receiver of this run stays open/)
  expect(exempt({ webhooks: { command: 'true' } })).toBeUndefined()
  expect(exempt({ control: { url: address }, webhooks: { public: address } })).toBeUndefined()
})

import { expect, test } from 'vitest'
import type { Merchant } from '../../contracts/client/merchant.ts'
import { isOverPostgres } from '../support/not-over-postgres.ts'
import { until } from '../support/poll.ts'
import { accountOf, initiated, merchantOf, type Running, runningSimulator } from '../support/running.ts'

const DEMO = 'demo-merchant'

const finalize = (merchant: Merchant, transactionId: string) =>
  merchant.finalize({ processingAccountId: accountOf(merchant), transactionId })

const stateOf = async (merchant: Merchant, id: string) => {
  const answer = await merchant.status(id)
  return answer.ok ? answer.body.lifecycle?.state : answer.status
}

const restarted = async (before: Running, config: Parameters<typeof runningSimulator>[0] = {}) => {
  await before.stop()
  return runningSimulator({ ...config, dataDir: before.dataDir })
}

test('a restart keeps payments and their history, organizations, and the clock of each', async () => {
  const first = await runningSimulator()
  const merchant = merchantOf(first)
  const id = await initiated(merchant)
  await first.operator.organizations.create('second-shop')
  await first.operator.clock.advance(DEMO, 600_000)
  const before = await merchant.events(id)
  const again = await restarted(first)
  const ahead = again.operator.now(DEMO) - again.operator.now('second-shop')
  expect(Math.abs(ahead - 600_000)).toBeLessThan(1_000)
  const after = await merchantOf(again).events(id)
  const timelineOf = (answer: typeof after) => (answer.ok ? answer.body.timeline : undefined)
  expect(timelineOf(after)).toEqual(timelineOf(before))
  expect((await again.operator.list()).map(one => one.organizationId)).toEqual([DEMO, 'second-shop'])
})

test('R4: what fell due while nothing ran has happened, at its own time', async () => {
  const first = await runningSimulator({ settleAfter: 30 })
  const merchant = merchantOf(first)
  const id = await initiated(merchant)
  await first.operator.shopper.act(DEMO, id, 'approve')
  await finalize(merchant, id)
  await first.stop()
  const closedAt = Date.now()
  await until(Date.now, now => now > closedAt + 40)
  const again = merchantOf(await restarted(first))
  const answer = await again.events(id)
  const [captured, settled] = answer.ok ? (answer.body.timeline ?? []).slice(-2) : []
  expect([captured?.type, settled?.type]).toEqual(['payment.captured', 'payment.settled'])
  expect(Date.parse(settled?.at ?? '') - Date.parse(captured?.at ?? '')).toBe(30)
})

test('R4: settlement comes by real time, as soon as it is configured', async () => {
  const simulator = await runningSimulator({ settleAfter: 50 })
  const merchant = merchantOf(simulator)
  const id = await initiated(merchant)
  await simulator.operator.shopper.act(DEMO, id, 'approve')
  await finalize(merchant, id)
  await until(
    () => stateOf(merchant, id),
    state => state === 'SETTLED',
  )
})

test('R3, R7: deadlines wait on through a restart', async () => {
  const first = await runningSimulator()
  const id = await initiated(merchantOf(first))
  const again = await restarted(first)
  const merchant = merchantOf(again)
  await again.operator.clock.advance(DEMO, 29 * 60_000)
  expect(await stateOf(merchant, id)).toBe('AWAITING_SHOPPER')
  expect((await again.operator.clock.drain(DEMO)).ran).toBe(1)
  expect(await stateOf(merchant, id)).toBe('EXPIRED')
})

test('5.3, 5.4: tokens and the service’s keys outlast a restart', async () => {
  const first = await runningSimulator()
  const before = merchantOf(first)
  const token = await before.tokenFor()
  const keys = await before.keySet()
  const id = await initiated(before)
  const merchant = merchantOf(await restarted(first))
  const seen = await merchant.request('status', { path: { transactionId: id } }, { token })
  expect(seen.answer?.status).toBe(200)
  expect((await merchant.keySet()).exchange.answer?.body.toString()).toBe(keys.exchange.answer?.body.toString())
})

test.skipIf(isOverPostgres)(
  'two on the file of one folder: the second is refused in one sentence and the first goes on',
  async () => {
    const first = await runningSimulator()
    const second = runningSimulator({ dataDir: first.dataDir })
    await expect(second).rejects.toThrow(`Another Assay is running on ${first.dataDir}`)
    expect((await merchantOf(first).keySet()).status).toBe(200)
  },
)

test('a start that fails late lets go of the folder and of its ports', async () => {
  const first = await runningSimulator()
  const port = Number(new URL(first.apiUrl).port)
  const { dataDir, stop } = await runningSimulator()
  await stop()
  await expect(runningSimulator({ dataDir, pagesPort: port })).rejects.toThrow(
    `Port ${port} is taken: stop what uses it or choose another --pages-port`,
  )
  expect((await runningSimulator({ dataDir })).dataDir).toBe(dataDir)
})

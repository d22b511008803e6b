import { expect, test } from 'vitest'
import type { Merchant } from '../../contracts/client/merchant-client.ts'
import { isOverPostgres } from '../runner/postgres-exclusions.ts'
import { pollUntil } from '../support/poll-until.ts'
import {
  firstAccountOf,
  initiateIris,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

const DEMO = 'demo-merchant'

const finalize = (merchant: Merchant, transactionId: string) =>
  merchant.finalize({ processingAccountId: firstAccountOf(merchant), transactionId })

const stateOf = async (merchant: Merchant, id: string) => {
  const answer = await merchant.status(id)
  return answer.ok ? answer.body.lifecycle?.state : answer.status
}

const restarted = async (before: ScopedSimulator, config: Parameters<typeof startScopedSimulator>[0] = {}) => {
  await before.stop()
  return startScopedSimulator({ ...config, dataDir: before.dataDir })
}

test('a restart keeps payments and their history, organizations, and the clock of each', async () => {
  const first = await startScopedSimulator()
  const merchant = merchantOf(first)
  const id = await initiateIris(merchant)
  await first.controlPlane.organizations.create('second-shop')
  await first.controlPlane.clock.advance(DEMO, 600_000)
  const before = await merchant.events(id)
  const again = await restarted(first)
  const ahead = again.controlPlane.now(DEMO) - again.controlPlane.now('second-shop')
  expect(Math.abs(ahead - 600_000)).toBeLessThan(60_000)
  const after = await merchantOf(again).events(id)
  const timelineOf = (answer: typeof after) => (answer.ok ? answer.body.timeline : undefined)
  expect(timelineOf(after)).toEqual(timelineOf(before))
  expect((await again.controlPlane.organizations.list()).map(one => one.organizationId)).toEqual([DEMO, 'second-shop'])
})

test('R4: a settlement due while the service was stopped has run after the start, dated at its due time', async () => {
  const first = await startScopedSimulator({ settleAfter: 30 })
  const merchant = merchantOf(first)
  const id = await initiateIris(merchant)
  await first.controlPlane.shopper.act(DEMO, id, 'approve')
  await finalize(merchant, id)
  await first.stop()
  const closedAt = Date.now()
  await pollUntil(Date.now, now => now > closedAt + 40)
  const again = merchantOf(await restarted(first))
  const answer = await again.events(id)
  const [captured, settled] = answer.ok ? (answer.body.timeline ?? []).slice(-2) : []
  expect([captured?.type, settled?.type]).toEqual(['payment.captured', 'payment.settled'])
  expect(Date.parse(settled?.at ?? '') - Date.parse(captured?.at ?? '')).toBe(30)
})

test('R4: settlement runs by real time after the configured delay', async () => {
  const simulator = await startScopedSimulator({ settleAfter: 50 })
  const merchant = merchantOf(simulator)
  const id = await initiateIris(merchant)
  await simulator.controlPlane.shopper.act(DEMO, id, 'approve')
  await finalize(merchant, id)
  await pollUntil(
    () => stateOf(merchant, id),
    state => state === 'SETTLED',
  )
})

test('R3, R7: deadlines survive a restart', async () => {
  const first = await startScopedSimulator()
  const id = await initiateIris(merchantOf(first))
  const again = await restarted(first)
  const merchant = merchantOf(again)
  await again.controlPlane.clock.advance(DEMO, 29 * 60_000)
  expect(await stateOf(merchant, id)).toBe('AWAITING_SHOPPER')
  expect((await again.controlPlane.clock.drain(DEMO)).ran).toBe(1)
  expect(await stateOf(merchant, id)).toBe('EXPIRED')
})

test('5.3, 5.4: tokens and the service’s keys survive a restart', async () => {
  const first = await startScopedSimulator()
  const before = merchantOf(first)
  const token = await before.tokenFor()
  const keys = await before.keySet()
  const id = await initiateIris(before)
  const merchant = merchantOf(await restarted(first))
  const seen = await merchant.request('status', { path: { transactionId: id } }, { token })
  expect(seen.response?.status).toBe(200)
  expect((await merchant.keySet()).exchange.response?.body.toString()).toBe(keys.exchange.response?.body.toString())
})

test.skipIf(isOverPostgres)(
  'a second simulator on the same data folder is refused in one sentence, and the first goes on',
  async () => {
    const first = await startScopedSimulator()
    const second = startScopedSimulator({ dataDir: first.dataDir })
    await expect(second).rejects.toThrow(`Another Assay is running on ${first.dataDir}`)
    expect((await merchantOf(first).keySet()).status).toBe(200)
  },
)

test('a start that fails late releases the folder and its ports', async () => {
  const first = await startScopedSimulator()
  const port = Number(new URL(first.apiUrl).port)
  const { dataDir, stop } = await startScopedSimulator()
  await stop()
  await expect(startScopedSimulator({ dataDir, pagesPort: port })).rejects.toThrow(
    `Port ${port} is taken: stop what uses it or choose another --pages-port`,
  )
  expect((await startScopedSimulator({ dataDir })).dataDir).toBe(dataDir)
})

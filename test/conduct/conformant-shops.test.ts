import { setTimeout as pause } from 'node:timers/promises'
import type { Merchant } from '@assay-sandbox/assay/merchant'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBuiltInDrills } from '../../simulator/conduct/drill-files.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import {
  type DrillPayment,
  payWithBlik,
  payWithIris,
  type ShopChange,
  startExampleShop,
} from './example-shop-driver.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

const LATENCY_MS = 200
const late = <Call extends (...args: never[]) => Promise<unknown>>(call: Call) =>
  (async (...args: Parameters<Call>) => {
    await pause(LATENCY_MS)
    const answer = await call(...args)
    await pause(LATENCY_MS)
    return answer
  }) as Call

/** A shop with latency on its calls and on webhooks to it. */
const FAR: ShopChange = {
  merchant: (good): Merchant => ({
    ...good,
    initiate: late(good.initiate),
    finalize: late(good.finalize),
    status: late(good.status),
  }),
  before: shop => async request => {
    if (request.url.endsWith('/webhooks')) await pause(2 * LATENCY_MS)
    return shop.fetch(request)
  },
}

const passes = (rules: readonly string[]) => Object.fromEntries(rules.map(id => [id, 'pass']))
const drills = readBuiltInDrills()
const drilled = (...names: string[]) => drills.filter(({ name }) => names.includes(name))

test.concurrent.each(drills)(
  'a shop with 200 ms of latency passes $name',
  { timeout: 60_000 },
  async ({ name, rules }) => {
    const shop = await startExampleShop(simulator, FAR)
    expect(await shop.drill(name)).toEqual(passes(rules))
    expect(await shop.failed([])).toEqual([])
    shop.close()
  },
)

test.concurrent.each(drilled('THREE_SHOPPERS', 'KEY_ROTATION', 'WEBHOOK_TWICE'))(
  'two processes that share an organization pass $name',
  { timeout: 60_000 },
  async ({ name, rules }) => {
    const one = await startExampleShop(simulator)
    const other = await startExampleShop(simulator, {}, one.organization)
    let turn = 0
    const inTurn: DrillPayment = (_, organization) => payWithBlik(turn++ % 2 ? other.url : one.url, organization)
    expect(await one.drill(name, inTurn)).toEqual(passes(rules))
    expect(await one.failed([])).toEqual([])
    one.close()
    other.close()
  },
)

test.concurrent('two concurrent shoppers, BLIK and IRIS, break no rule', {
  timeout: 60_000,
}, async () => {
  const shop = await startExampleShop(simulator)
  for (const { name } of drilled('PLAIN_PAYMENT', 'FINALIZE_TIMEOUT', 'WEBHOOK_TWICE')) {
    const both: DrillPayment = async (url, organization, control) => {
      await Promise.all([payWithBlik(url, organization), payWithIris(url, organization, control)])
    }
    expect(Object.values(await shop.drill(name, both)), name).not.toContain('fail')
  }
  expect(await shop.failed([])).toEqual([])
  shop.close()
})

test.concurrent('a shop without a webhook endpoint polls and breaks no rule', { timeout: 60_000 }, async () => {
  const shop = await startExampleShop(simulator, { deaf: true })
  for (const { name } of drilled('PLAIN_PAYMENT', 'FINALIZE_TIMEOUT'))
    expect(Object.values(await shop.drill(name))).not.toContain('fail')
  expect(await shop.failed([])).toEqual([])
  shop.close()
})

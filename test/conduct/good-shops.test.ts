import { setTimeout as pause } from 'node:timers/promises'
import type { Merchant } from 'assay/merchant'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtInDrills } from '../../simulator/scenarios/drills.ts'
import { byLot } from '../support/lot.ts'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { openShop, payWithBlik, payWithIris, type Spoil } from './shop-world.ts'

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

/** A shop far away: its calls and the webhooks to it take their time, each way. */
const FAR: Spoil = {
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
const drills = builtInDrills()
const drilled = (...names: string[]) => drills.filter(({ name }) => names.includes(name))

test.concurrent.each(byLot(drills, 2))(
  'a shop that is far away passes $name',
  { timeout: 60_000 },
  async ({ name, rules }) => {
    const shop = await openShop(simulator, FAR)
    expect(await shop.drill(name)).toEqual(passes(rules))
    expect(await shop.failed([])).toEqual([])
    shop.close()
  },
)

test.concurrent.each(drilled('THREE_SHOPPERS', 'KEY_ROTATION', 'WEBHOOK_TWICE'))(
  'two processes that share an organization pass $name',
  { timeout: 60_000 },
  async ({ name, rules }) => {
    const one = await openShop(simulator)
    const other = await openShop(simulator, {}, one.organization)
    let turn = 0
    const inTurn: typeof payWithIris = (_, organization) => payWithBlik(turn++ % 2 ? other.url : one.url, organization)
    expect(await one.drill(name, inTurn)).toEqual(passes(rules))
    expect(await one.failed([])).toEqual([])
    one.close()
    other.close()
  },
)

test('two shoppers at once, one with BLIK and one with IRIS, are no reason to complain', {
  timeout: 60_000,
}, async () => {
  const shop = await openShop(simulator)
  for (const { name } of drilled('PLAIN_PAYMENT', 'FINALIZE_TIMEOUT', 'WEBHOOK_TWICE')) {
    const both: typeof payWithIris = async (url, organization, control) => {
      await Promise.all([payWithBlik(url, organization), payWithIris(url, organization, control)])
    }
    expect(Object.values(await shop.drill(name, both)), name).not.toContain('fail')
  }
  expect(await shop.failed([])).toEqual([])
  shop.close()
})

test('a shop without an endpoint asks now and then, and breaks nothing', { timeout: 60_000 }, async () => {
  const shop = await openShop(simulator, { deaf: true })
  for (const { name } of drilled('PLAIN_PAYMENT', 'FINALIZE_TIMEOUT'))
    expect(Object.values(await shop.drill(name))).not.toContain('fail')
  expect(await shop.failed([])).toEqual([])
  shop.close()
})

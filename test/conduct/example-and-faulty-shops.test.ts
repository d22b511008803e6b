import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONDUCT_RULES } from '../../contracts/conduct/judge-conduct.ts'
import { readBuiltInDrills } from '../../simulator/conduct/drill-files.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { startExampleShop } from './example-shop-driver.ts'
import { FAULTY_SHOPS } from './faulty-shops.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

test.concurrent('the example shop passes every drill and breaks no rule', { timeout: 120_000 }, async () => {
  const shop = await startExampleShop(simulator)
  for (const { name, rules } of readBuiltInDrills())
    expect([name, await shop.drill(name)]).toEqual([name, Object.fromEntries(rules.map(id => [id, 'pass']))])
  expect(await shop.failed([])).toEqual([])
  shop.close()
})

test.concurrent('7.4.1: the example shop refunds once the payment is settled, and breaks no rule', async () => {
  const shop = await startExampleShop(simulator)
  await shop.organization.clock.freeze()
  const order = await shop.pay()
  const state = async () => ((await (await fetch(`${shop.url}${order}/state`)).json()) as { state: string }).state
  const refund = () => fetch(`${shop.url}${order}/refund`, { method: 'POST' })
  for (const _ of ['at once', 'once more']) {
    await refund()
    expect(await state()).toBe('paid')
  }
  await shop.organization.clock.advance('PT12H')
  await refund()
  expect(await state()).toBe('refunded')
  expect(await (await fetch(`${shop.url}${order}`)).text()).not.toContain('shop-problem')
  expect(await shop.failed([])).toEqual([])
  shop.close()
})

const spoiled = Object.entries(FAULTY_SHOPS).map(([id, shop]) => ({ id, ...shop }))

test.concurrent.each(spoiled)(
  '$id and no other rule is broken by the shop that $name',
  { timeout: 60_000 },
  async ({ id, drill, spoil }) => {
    const shop = await startExampleShop(simulator, spoil)
    // How long a shop pauses is measured by the wall clock: on a busy machine one constant pace may look like two.
    expect(await shop.drillUntilFailed(drill, id)).toBe('fail')
    expect(await shop.failed([id])).toEqual([id])
    shop.close()
  },
)

test('every rule has a drill and a faulty shop that breaks it', () => {
  const rules = CONDUCT_RULES.map(({ id }) => id)
  expect([...new Set(readBuiltInDrills().flatMap(({ rules }) => rules))].sort()).toEqual(rules)
  expect(Object.keys(FAULTY_SHOPS).sort()).toEqual(rules)
})

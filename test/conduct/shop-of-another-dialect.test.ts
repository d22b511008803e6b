import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBuiltInDrills } from '../../simulator/conduct/drill-files.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { startExampleShop } from './example-shop-driver.ts'
import { FAULTY_SHOPS } from './faulty-shops.ts'

let simulator: TestSimulator

beforeAll(async () => {
  const dialect = join(import.meta.dirname, '../conformance/dialects/bookkeeping.yaml')
  simulator = await startTestSimulator({ dialect })
})
afterAll(() => simulator.stop())

const LIMIT = { timeout: 240_000 }

test.concurrent('the example shop passes every drill in another dialect, and breaks no rule', LIMIT, async () => {
  const shop = await startExampleShop(simulator)
  for (const { name, rules } of readBuiltInDrills())
    expect([name, await shop.drill(name)]).toEqual([name, Object.fromEntries(rules.map(id => [id, 'pass']))])
  expect(await shop.failed([])).toEqual([])
  shop.close()
})

/** Rules about the response to a call, its key, and what it sends. */
const RULES = ['CND-02', 'CND-05', 'CND-22']

test.concurrent.each(RULES)('%s and no other rule is broken in another dialect too', LIMIT, async id => {
  const { drill, spoil } = FAULTY_SHOPS[id] ?? {}
  if (!drill) throw new Error(`No faulty shop breaks ${id}.`)
  const shop = await startExampleShop(simulator, spoil)
  expect(await shop.drillUntilFailed(drill, id)).toBe('fail')
  expect(await shop.failed([id])).toEqual([id])
  shop.close()
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONDUCT_RULES } from '../../contracts/conduct/judge.ts'
import { builtInDrills } from '../../simulator/scenarios/drills.ts'
import { byLot } from '../support/lot.ts'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { openShop } from './shop-world.ts'
import { SPOILED } from './spoils.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

test('the example shop passes every drill, and no rule is broken on the way', { timeout: 120_000 }, async () => {
  const shop = await openShop(simulator)
  for (const { name, rules } of builtInDrills())
    expect([name, await shop.drill(name)]).toEqual([name, Object.fromEntries(rules.map(id => [id, 'pass']))])
  expect(await shop.failed([])).toEqual([])
  shop.close()
})

const spoiled = Object.entries(SPOILED).map(([id, shop]) => ({ id, ...shop }))

test.concurrent.each(byLot(spoiled, 6))(
  '$id and no other rule is broken by a shop that $name',
  { timeout: 60_000 },
  async ({ id, drill, spoil }) => {
    const shop = await openShop(simulator, spoil)
    expect((await shop.drill(drill))[id]).toBe('fail')
    expect(await shop.failed([id])).toEqual([id])
    shop.close()
  },
)

test('every rule has a drill and a shop that breaks it', () => {
  const rules = CONDUCT_RULES.map(({ id }) => id)
  expect([...new Set(builtInDrills().flatMap(({ rules }) => rules))].sort()).toEqual(rules)
  expect(Object.keys(SPOILED).sort()).toEqual(rules)
})
